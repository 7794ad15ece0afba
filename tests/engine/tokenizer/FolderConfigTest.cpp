#include "engine/tokenizer/FolderConfig.h"

#include "tests/engine/tokenizer/TokenizerTesting.h"

#include <QtTest/QTest>

using namespace engine;
using namespace tokenizerTesting;

namespace {

/// Bytes, then "<s>" 256, "</s>" 257, "<|im_end|>" 258, all special.
Folder& withVocabulary(Folder& folder)
{
    return folder.add("tokenizer.json",
                      byteLevelJson(bytePieces(), {},
                                    R"([{"id": 256, "content": "<s>", "special": true},)"
                                    R"({"id": 257, "content": "</s>", "special": true},)"
                                    R"({"id": 258, "content": "<|im_end|>", "special": true}])"));
}

QString roles(const Tokenizer& tokenizer)
{
    QStringList shown;
    for (const NamedToken& token : tokenizer.info().specialTokens)
        shown << text(token.role) + u"="_qs + QString::number(token.piece.id.value);
    return shown.join(QLatin1Char(' '));
}

QString stops(const Tokenizer& tokenizer)
{
    QStringList shown;
    for (const TokenId id : tokenizer.stopTokens())
        shown << QString::number(id.value);
    return shown.join(QLatin1Char(','));
}

} // namespace

class FolderConfigTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsRolesAsTextAndAsObjects()
    {
        Folder folder;
        withVocabulary(folder).add("tokenizer_config.json",
                                   R"({"bos_token": {"content": "<s>", "lstrip": false},)"
                                   R"("eos_token": "</s>", "pad_token": null})");
        const auto tokenizer = folder.load();
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        QCOMPARE(roles(**tokenizer), u"bos=256 eos=257 eot=258"_qs);
        QCOMPARE(stops(**tokenizer), u"257,258"_qs);
    }

    void takesRolesFromTheOtherFilesWhereTheFirstIsSilent()
    {
        Folder folder;
        withVocabulary(folder).add("special_tokens_map.json", R"({"bos_token": "<s>"})");
        folder.add("config.json", R"({"bos_token_id": 97, "eos_token_id": 257})");
        const auto tokenizer = folder.load();
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        QCOMPARE(roles(**tokenizer), u"bos=256 eos=257 eot=258"_qs);
    }

    void hasNoBosWhereTheFileSaysNone()
    {
        Folder folder;
        withVocabulary(folder).add("tokenizer_config.json", R"({"bos_token": null})");
        folder.add("config.json", R"({"bos_token_id": 256, "eos_token_id": 97})");
        const auto tokenizer = folder.load();
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        QVERIFY(!(*tokenizer)->bos());
        // 97 is the letter a, which a model's default configuration does not make special.
        QVERIFY(!(*tokenizer)->eos());
        QCOMPARE((*tokenizer)->piece({97}).kind, TokenKind::Normal);
    }

    void stopsWhereTheGenerationConfigurationSays()
    {
        Folder folder;
        withVocabulary(folder).add("generation_config.json",
                                   R"({"eos_token_id": [258, 97, 9999]})");
        folder.add("config.json", R"({"eos_token_id": 256})");
        folder.add("tokenizer_config.json", R"({"eos_token": "</s>"})");
        const auto tokenizer = folder.load();
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        QCOMPARE(stops(**tokenizer), u"257,258,97"_qs);
    }

    void warnsOfARoleThatIsNotInTheVocabulary()
    {
        Folder folder;
        withVocabulary(folder).add("tokenizer_config.json",
                                   R"({"bos_token": "<bos>", "add_bos_token": true})");
        const auto tokenizer = folder.load();
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        QCOMPARE((*tokenizer)->info().warnings.size(), std::size_t(2));
        QCOMPARE(text((*tokenizer)->info().warnings[0]),
                 u"the bos token \"<bos>\" is not in the vocabulary"_qs);
        QCOMPARE(show((*tokenizer)->encode("a", {})), u"97"_qs);
    }

    void makesARoleSpecialThatTheVocabularyHasAsAPlainPiece()
    {
        Folder folder;
        std::vector<std::string> pieces = bytePieces();
        pieces.emplace_back("<|endoftext|>");
        folder.add("tokenizer.json", byteLevelJson(pieces, {}));
        folder.add("tokenizer_config.json", R"({"eos_token": "<|endoftext|>"})");
        const auto tokenizer = folder.load();
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        QCOMPARE((*tokenizer)->piece({256}).kind, TokenKind::Control);
        QCOMPARE(show((*tokenizer)->encode("<|endoftext|>", {.parseSpecial = true})), u"256"_qs);
        QCOMPARE((*tokenizer)->encode("<|endoftext|>", {})->size(), std::size_t(13));
    }

    void readsTheChatTemplateWhereverItIs_data()
    {
        QTest::addColumn<QByteArray>("config");
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QString>("found");
        QTest::newRow("text") << QByteArray(R"({"chat_template": "T"})") << QByteArray() << u"T"_qs;
        QTest::newRow("named") << QByteArray(
                                      R"({"chat_template": [{"name": "tool", "template": "A"},)"
                                      R"({"name": "default", "template": "B"}]})")
                               << QByteArray() << u"B"_qs;
        QTest::newRow("named, none the default")
            << QByteArray(R"({"chat_template": [{"name": "x", "template": "A"},)"
                          R"({"name": "y", "template": "B"}]})")
            << QByteArray() << u"A"_qs;
        QTest::newRow("a file of its own")
            << QByteArray(R"({"chat_template": "T"})") << QByteArray("F") << u"F"_qs;
        QTest::newRow("none") << QByteArray("{}") << QByteArray() << QString();
    }
    void readsTheChatTemplateWhereverItIs()
    {
        QFETCH(QByteArray, config);
        QFETCH(QByteArray, file);
        QFETCH(QString, found);
        Folder folder;
        withVocabulary(folder).add("tokenizer_config.json", config.toStdString());
        if (!file.isEmpty())
            folder.add("chat_template.jinja", file.toStdString());
        const auto tokenizer = folder.load();
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        QCOMPARE(text((*tokenizer)->info().chatTemplate), found);
    }

    void takesTheTemplateOfAFileOfItsOwnWhereTheFirstIsSilent()
    {
        Folder silent;
        withVocabulary(silent).add("chat_template.json", R"({"chat_template": "J"})");
        const auto fromJson = silent.load();
        QVERIFY2(fromJson, qPrintable(messageOf(fromJson)));
        QCOMPARE(text((*fromJson)->info().chatTemplate), u"J"_qs);
        silent.add("tokenizer_config.json", R"({"chat_template": "T"})");
        const auto fromConfig = silent.load();
        QVERIFY(fromConfig);
        QCOMPARE(text((*fromConfig)->info().chatTemplate), u"T"_qs);
    }

    void refusesBrokenFilesByName_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("message");
        for (const QString& name :
             {u"tokenizer_config.json"_qs, u"special_tokens_map.json"_qs, u"added_tokens.json"_qs,
              u"generation_config.json"_qs, u"config.json"_qs})
            QTest::newRow(qPrintable(name)) << name << QByteArray("{") << name + u": "_qs;
        QTest::newRow("added token with a wrong id")
            << u"added_tokens.json"_qs << QByteArray(R"({"<x>": -3})")
            << u"added_tokens.json: token \"<x>\": expected an id from 0"_qs;
        QTest::newRow("added token without content")
            << u"tokenizer_config.json"_qs << QByteArray(R"({"added_tokens_decoder": {"5": {}}})")
            << u"added_tokens_decoder: expected a token with an id, found \"5\""_qs;
        QTest::newRow("added token under no number")
            << u"tokenizer_config.json"_qs
            << QByteArray(R"({"added_tokens_decoder": {"x": {"content": "y"}}})")
            << u"added_tokens_decoder: expected a token with an id, found \"x\""_qs;
    }
    void refusesBrokenFilesByName()
    {
        QFETCH(QString, file);
        QFETCH(QByteArray, content);
        QFETCH(QString, message);
        Folder folder;
        withVocabulary(folder).add(qPrintable(file), content.toStdString());
        const auto tokenizer = folder.load();
        QVERIFY(!tokenizer);
        QVERIFY2(messageOf(tokenizer).contains(message), qPrintable(messageOf(tokenizer)));
    }
};

QTEST_APPLESS_MAIN(FolderConfigTest)
#include "FolderConfigTest.moc"
