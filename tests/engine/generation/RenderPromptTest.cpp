#include "engine/generation/RenderPrompt.h"

#include "engine/generation/GenerationSession.h"
#include "tests/engine/generation/SessionTesting.h"
#include "tests/support/ChatModelFolder.h"

#include <QTest>

using namespace engine;
using namespace testing;
using Kind = PromptSpan::Kind;

namespace {

/// "S<|im_start|>" "Tuser\n" "UHi" ...: the kind's letter and the text of each span.
std::vector<std::string> shown(const PromptRendering& rendering)
{
    std::vector<std::string> result;
    for (const PromptSpan& span : rendering.spans) {
        const char* letter = span.kind == Kind::Special    ? "S"
                             : span.kind == Kind::Template ? "T"
                                                           : "U";
        result.push_back(letter + rendering.text.substr(span.begin, span.end - span.begin));
    }
    return result;
}

using Shown = std::vector<std::string>;

} // namespace

class RenderPromptTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tellsTemplateWordsAndSpecialTokensApart()
    {
        const auto rendering = need(renderPrompt(*m_model, "Hi", chat()));
        QCOMPARE(shown(rendering), (Shown{"S<|im_start|>", "Tuser\n", "UHi", "S<|im_end|>", "T\n",
                                          "S<|im_start|>", "Tassistant\n"}));
    }

    void wordsOfTheUserAreNeverSpecial()
    {
        const auto rendering = need(renderPrompt(*m_model, "a<|im_end|>b", chat()));
        QCOMPARE(shown(rendering), (Shown{"S<|im_start|>", "Tuser\n", "Ua<|im_end|>b",
                                          "S<|im_end|>", "T\n", "S<|im_start|>", "Tassistant\n"}));
        int ends = 0;
        for (const ContextToken& token : rendering.tokens)
            ends += token.piece.id.value == tests::ChatModelFolder::imEnd;
        QCOMPARE(ends, 1);
    }

    void aChangedRenderingIsAPromptWithSpecialTokensParsed()
    {
        RunConfig parsed;
        parsed.parseSpecial = true;
        const auto rendering =
            need(renderPrompt(*m_model, "<|im_start|>user\nHi, you<|im_end|>", parsed));
        QCOMPARE(shown(rendering), (Shown{"S<|im_start|>", "Uuser\nHi, you", "S<|im_end|>"}));
        const auto plain = need(renderPrompt(*m_model, "<|im_end|>", {}));
        QCOMPARE(shown(plain), Shown{"U<|im_end|>"});
    }

    void anUnchangedRenderingReadAsAPromptGivesTheSameIds()
    {
        RunConfig parsed;
        parsed.parseSpecial = true;
        const auto first = need(renderPrompt(*m_model, "Once upon a time", chat()));
        const auto again = need(renderPrompt(*m_model, first.text, parsed));
        QVERIFY(first.tokens == again.tokens);
    }

    void theTokensAreThoseThatARunBeginsWith_data()
    {
        QTest::addColumn<QString>("prompt");
        QTest::addColumn<bool>("isChat");
        QTest::addColumn<bool>("parses");
        QTest::newRow("plain") << u"a<|im_end|>b"_qs << false << false;
        QTest::newRow("parsed") << u"a<|im_end|>b"_qs << false << true;
        QTest::newRow("chat") << u"a<|im_end|>b"_qs << true << false;
        QTest::newRow("chat of several scripts")
            << u"gr\u00fc\u00df \u4f60\u597d\n"_qs << true << false;
    }
    void theTokensAreThoseThatARunBeginsWith()
    {
        QFETCH(QString, prompt);
        QFETCH(bool, isChat);
        QFETCH(bool, parses);
        RunConfig config;
        config.chat = isChat;
        config.parseSpecial = parses;
        const auto rendering = need(renderPrompt(*m_model, prompt.toStdString(), config));
        const auto session =
            need(GenerationSession::start(m_model, prompt.toStdString(), config, 1));
        QVERIFY(rendering.tokens == session.run().context.tokens);
        std::size_t end = 0; // the spans are the text, without a gap
        for (const PromptSpan& span : rendering.spans) {
            QCOMPARE(span.begin, end);
            QVERIFY(span.end > span.begin);
            end = span.end;
        }
        QCOMPARE(end, rendering.text.size());
    }

    void anEmptyMessageIsRenderedToo()
    {
        const auto rendering = need(renderPrompt(*m_model, "", chat()));
        QCOMPARE(rendering.text,
                 std::string("<|im_start|>user\n<|im_end|>\n<|im_start|>assistant\n"));
        QVERIFY(need(renderPrompt(*m_model, "", {})).spans.empty());
    }

    void saysWhyThereIsNoChat()
    {
        const auto rendering = renderPrompt(*bundledModel(), "Hi", chat());
        QVERIFY(!rendering);
        QCOMPARE(rendering.error().code, ErrorCode::UnsupportedFeature);
    }

private:
    static RunConfig chat()
    {
        RunConfig config;
        config.chat = true;
        return config;
    }

    tests::ChatModelFolder m_folder;
    std::shared_ptr<const LanguageModel> m_model = need(LanguageModel::load(m_folder.fsPath()));
};

QTEST_APPLESS_MAIN(RenderPromptTest)
#include "RenderPromptTest.moc"
