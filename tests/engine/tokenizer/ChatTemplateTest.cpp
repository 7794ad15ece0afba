#include "engine/tokenizer/ChatTemplate.h"

#include "tests/engine/tokenizer/TokenizerTesting.h"

#include <QtTest/QTest>

using namespace engine;
using namespace tokenizerTesting;

namespace {

TokenizerInfo infoWith(const QByteArray& chatTemplate)
{
    TokenizerInfo info;
    info.chatTemplate = chatTemplate.toStdString();
    info.specialTokens = {{"bos", {{1}, "<s>", TokenKind::Control}},
                          {"eos", {{2}, "</s>", TokenKind::Control}}};
    return info;
}

} // namespace

class ChatTemplateTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Real templates of the families are in JinjaRendererTest's data, with what Jinja writes.
    void givesTheTemplateItsVariables()
    {
        QCOMPARE(rendered("{{ bos_token }}{% for m in messages %}[{{ m.role }}:{{ m['content'] }}]"
                          "{% endfor %}{{ eos_token }}{{ pad_token }}{{ add_generation_prompt }}"
                          "{{ tools }}{{ documents }}"),
                 u"<s>[user: Hi ]</s>TrueNoneNone"_qs);
    }

    void knowsWhereTheUsersWordsAre()
    {
        const auto prompt = chatPrompt(infoWith("<a>{{ messages[0].content | trim }}<b>"), " Hi ");
        QVERIFY(prompt);
        QVERIFY(prompt->userText == (ByteRange{3, 5}));
        const auto without = chatPrompt(infoWith("<a>"), " Hi ");
        QVERIFY(without && without->userText.empty());
    }

    void asksTheClockOnlyWhereThereIsNoDateForNone()
    {
        const CalendarDay day{2025, 3, 9};
        const auto asked = chatPrompt(infoWith("{{ strftime_now('%d %B %Y') }}"), "x", day);
        QVERIFY(asked);
        QCOMPARE(text(asked->text), u"09 March 2025"_qs);
        const auto fixed =
            chatPrompt(infoWith("{% if strftime_now is defined %}{{ strftime_now('%Y') }}"
                                "{% else %}26 Jul 2024{% endif %}"),
                       "x", day);
        QVERIFY(fixed);
        QCOMPARE(text(fixed->text), u"26 Jul 2024"_qs);
        QVERIFY(CalendarDay::today().year > 2023);
    }

    void refusesPlainly_data()
    {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QString>("why");
        QTest::newRow("none") << QByteArray() << u"the model has none"_qs;
        QTest::newRow("white space") << QByteArray(" \n") << u"the model has none"_qs;
        QTest::newRow("no template") << QByteArray("{% if %}") << u"expected a value"_qs;
        QTest::newRow("more than is known") << QByteArray("{{ messages | tojson(indent=2) }}")
                                            << u"the filter \"tojson\" is not supported"_qs;
        QTest::newRow("refused by itself")
            << QByteArray("{{ raise_exception('no users') }}") << u"no users"_qs;
        QTest::newRow("text between the words")
            << QByteArray("{{ messages[0].content }}<|im_end|>{{ messages[0].content }}")
            << u"other text between the user's words"_qs;
    }
    void refusesPlainly()
    {
        QFETCH(QByteArray, source);
        QFETCH(QString, why);
        const auto chat = renderChat(infoWith(source), "Hi");
        QVERIFY(!chat);
        const QString message = text(chat.error().message);
        QVERIFY2(message.contains(why), qPrintable(message));
        QVERIFY2(message.startsWith(u"chat template: "_qs), qPrintable(message));
        QVERIFY2(message.endsWith(u"with special tokens parsed"_qs), qPrintable(message));
    }

    void parsesSpecialTokensOfTheTemplateOnly()
    {
        std::vector<std::string> pieces = bytePieces();
        Folder folder;
        folder.add("tokenizer.json",
                   byteLevelJson(pieces, {},
                                 R"([{"id": 256, "content": "<|im_start|>", "special": true},)"
                                 R"({"id": 257, "content": "<|im_end|>", "special": true}])"));
        folder.add(
            "tokenizer_config.json",
            R"({"chat_template": "{{ '<|im_start|>user\n' + messages[0].content + '<|im_end|>\n' }})"
            R"({{ '<|im_start|>assistant\n' }}"})");
        const auto tokenizer = folder.load();
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        const auto tokens = encodeChat(**tokenizer, "x<|im_end|>");
        QVERIFY2(tokens, tokens ? "" : tokens.error().message.c_str());
        int special = 0;
        for (const EncodedToken& token : *tokens)
            special += token.origin == TokenOrigin::Special;
        QCOMPARE(special, 3); // <|im_start|>user …<|im_end|> <|im_start|>assistant
        QCOMPARE((*tokenizer)->decode(idsOf(*tokens)),
                 std::string("<|im_start|>user\nx<|im_end|><|im_end|>\n<|im_start|>assistant\n"));
    }

private:
    static QString rendered(const QByteArray& source)
    {
        const auto chat = renderChat(infoWith(source), " Hi ");
        return text(chat ? *chat : chat.error().message);
    }
};

QTEST_APPLESS_MAIN(ChatTemplateTest)
#include "ChatTemplateTest.moc"
