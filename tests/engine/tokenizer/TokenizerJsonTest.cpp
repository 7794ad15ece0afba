#include "engine/tokenizer/TokenizerJson.h"

#include "tests/engine/tokenizer/CharacterMapTesting.h"
#include "tests/engine/tokenizer/TokenizerTesting.h"

#include <QtTest/QTest>

using namespace engine;
using namespace tokenizerTesting;

namespace {

const std::vector<std::string> kPieces = {"a", "b", "ab"};

std::string withPart(const char* part)
{
    return byteLevelJson(kPieces, {"a b"}, "[]", part);
}

} // namespace

class TokenizerJsonTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsMergesAsStringsAndAsPairs()
    {
        std::string pairs = byteLevelJson(kPieces, {"a b"});
        pairs.replace(pairs.find("[\"a b\"]"), 7, "[[\"a\", \"b\"]]");
        for (const std::string& json : {byteLevelJson(kPieces, {"a b"}), pairs}) {
            Folder folder;
            folder.add("tokenizer.json", json);
            const auto tokenizer = folder.load();
            QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
            QCOMPARE(show((*tokenizer)->encode("ab", {})), u"2"_qs);
        }
    }

    void readsTheSplitStepsAsWritten_data()
    {
        QTest::addColumn<QByteArray>("step");
        QTest::addColumn<QString>(
            "ids"); // of "1 22, 3" in single bytes: words show where "22" is one
        const QByteArray bytes =
            R"({"type": "ByteLevel", "add_prefix_space": false, "use_regex": )";
        QTest::newRow("its own regex") << bytes + "true}" << u"49,32,256,44,32,51"_qs;
        QTest::newRow("no regex") << bytes + "false}" << u"49,32,256,44,32,51"_qs;
        const auto sequence = [&](const QByteArray& step) {
            return R"({"type": "Sequence", "pretokenizers": [)" + step + ", " + bytes + "false}]}";
        };
        QTest::newRow("digits one by one")
            << sequence(R"({"type": "Digits", "individual_digits": true})")
            << u"49,32,50,50,44,32,51"_qs;
        QTest::newRow("digits together")
            << sequence(R"({"type": "Digits"})") << u"49,32,256,44,32,51"_qs;
        QTest::newRow("regex removed")
            << sequence(R"({"type": "Split", "pattern": {"Regex": "[ ,]"}, "behavior": "Removed"})")
            << u"49,256,51"_qs;
        QTest::newRow("string isolated")
            << sequence(R"({"type": "Split", "pattern": {"String": "2"}, "behavior": "Isolated"})")
            << u"49,32,50,50,44,32,51"_qs;
        QTest::newRow("inverted")
            << sequence(
                   R"({"type": "Split", "pattern": {"Regex": "2+"}, "behavior": "Removed", "invert": true})")
            << u"256"_qs;
        QTest::newRow("punctuation")
            << sequence(R"({"type": "Punctuation", "behavior": "Removed"})")
            << u"49,32,256,32,51"_qs;
        QTest::newRow("white space")
            << sequence(R"({"type": "WhitespaceSplit"})") << u"49,256,44,51"_qs;
        QTest::newRow("words and marks")
            << sequence(R"({"type": "Whitespace"})") << u"49,256,44,51"_qs;
        QTest::newRow("prefix space")
            << QByteArray(R"({"type": "ByteLevel", "add_prefix_space": true, "use_regex": false})")
            << u"32,49,32,256,44,32,51"_qs;
    }
    void readsTheSplitStepsAsWritten()
    {
        QFETCH(QByteArray, step);
        QFETCH(QString, ids);
        std::vector<std::string> pieces = bytePieces();
        pieces.emplace_back("22");
        Folder folder;
        folder.add("tokenizer.json",
                   byteLevelJson(pieces, {"2 2"}, "[]",
                                 "\"pre_tokenizer\": " + step.toStdString() + ", "));
        const auto tokenizer = folder.load();
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        QCOMPARE(show((*tokenizer)->encode("1 22, 3", {})), ids);
    }

    void readsNormalizersInOrder()
    {
        std::vector<std::string> pieces = bytePieces();
        Folder folder;
        folder.add(
            "tokenizer.json",
            byteLevelJson(pieces, {}, "[]",
                          R"("normalizer": {"type": "Sequence", "normalizers": [)"
                          R"({"type": "Strip", "strip_left": true, "strip_right": false},)"
                          R"({"type": "NFKC"}, {"type": "Lowercase"},)"
                          R"({"type": "Replace", "pattern": {"Regex": "b+"}, "content": "x"},)"
                          R"({"type": "Replace", "pattern": {"String": "i"}, "content": "j"},)"
                          R"({"type": "Prepend", "prepend": ">"}]},)"));
        const auto tokenizer = folder.load();
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        QCOMPARE(roundTrip(**tokenizer, "  \xEF\xAC\x81 BBa "), std::string(">fj xa "));
    }

    void readsMetaspaceVocabularies()
    {
        Folder folder;
        folder.add("tokenizer.json",
                   R"({"pre_tokenizer": {"type": "Metaspace", "replacement": "▁",)"
                   R"("prepend_scheme": "first"}, "decoder": {"type": "Metaspace",)"
                   R"("replacement": "▁", "prepend_scheme": "first"}, "model": {"type": "BPE",)"
                   R"("unk_token": "<unk>", "vocab": {"<unk>": 0, "▁": 1, "a": 2, "▁a": 3},)"
                   R"("merges": ["▁ a"]}})");
        const auto tokenizer = folder.load();
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        QCOMPARE(show((*tokenizer)->encode("a a", {})), u"3,3"_qs);
        QCOMPARE(roundTrip(**tokenizer, "a a"), std::string("a a"));
    }

    void addsTheTokensThatOnlyTheConfigurationHas()
    {
        Folder folder;
        folder.add("tokenizer.json", byteLevelJson(kPieces, {"a b"}));
        folder.add("tokenizer_config.json",
                   R"({"added_tokens_decoder": {"3": {"content": "<x>", "special": true},)"
                   R"("0": {"content": "<clash>", "special": true}}})");
        const auto tokenizer = folder.load();
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        QCOMPARE(show((*tokenizer)->encode("<x>ab", {.parseSpecial = true})), u"3,2"_qs);
        QCOMPARE((*tokenizer)->info().warnings.size(), std::size_t(1));
        QVERIFY(text((*tokenizer)->info().warnings[0]).contains(u"<clash>"_qs));
    }

    void readsAUnigramModelWithAllItsSteps()
    {
        const QByteArray map = QByteArray::fromStdString(characterMap({{"Ａ", "a"}})).toBase64();
        Folder folder;
        folder.add(
            "tokenizer.json",
            R"({"added_tokens": [{"id": 0, "content": "<s>", "special": true}],)"
            R"("normalizer": {"type": "Sequence", "normalizers": [)"
            R"({"type": "Precompiled", "precompiled_charsmap": ")" +
                map.toStdString() +
                R"("}, {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}]},)"
                R"("pre_tokenizer": {"type": "Metaspace", "replacement": "▁",)"
                R"("prepend_scheme": "always"},)"
                R"("post_processor": {"type": "TemplateProcessing", "single": [)"
                R"({"SpecialToken": {"id": "<s>"}}, {"Sequence": {"id": "A"}}],)"
                R"("special_tokens": {"<s>": {"ids": [0]}}},)"
                R"("decoder": {"type": "Metaspace", "replacement": "▁"},)"
                R"("model": {"type": "Unigram", "unk_id": 1, "byte_fallback": false,)"
                R"("vocab": [["<s>", 0], ["<unk>", 0], ["▁", -2.5], ["a", -3],)"
                R"(["▁a", -4], ["aa", -6.5]]}})");
        const auto tokenizer = folder.load();
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        QCOMPARE((*tokenizer)->info().kind, std::string("Unigram"));
        QCOMPARE(show((*tokenizer)->encode("a  Ａaz", {})), u"0,4,4,3,1"_qs);
        QCOMPARE((*tokenizer)->decode(std::vector<TokenId>{{0}, {4}, {4}}), std::string("<s>a a"));
        QCOMPARE((*tokenizer)->piece({1}).kind, TokenKind::Unknown);
    }

    void refusesBrokenFilesByName_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("message");
        const auto model = [](const char* members) {
            return QByteArray(
                       R"({"pre_tokenizer": {"type": "ByteLevel"}, "model": {"type": "BPE", )") +
                   members + "}}";
        };
        QTest::newRow("empty") << QByteArray() << u"tokenizer.json: "_qs;
        QTest::newRow("not JSON") << QByteArray("{\"model\": ") << u"tokenizer.json: "_qs;
        QTest::newRow("not UTF-8") << QByteArray("{\"a\": \"\xFF\"}") << u"tokenizer.json: "_qs;
        QTest::newRow("no object") << QByteArray("[]") << u"tokenizer.json: expected an object"_qs;
        QTest::newRow("no model") << QByteArray("{}")
                                  << u"tokenizer.json: expected an object \"model\""_qs;
        QTest::newRow("other model") << QByteArray(R"({"model": {"type": "WordPiece"}})")
                                     << u"model \"WordPiece\" is not supported; BPE and"_qs;
        QTest::newRow("Unigram without pieces")
            << QByteArray(R"({"model": {"type": "Unigram"}})") << u"expected an array \"vocab\""_qs;
        QTest::newRow("Unigram with a piece without a score")
            << QByteArray(R"({"model": {"type": "Unigram", "vocab": [["a", -1], ["b"]]}})")
            << u"vocab: entry 1: expected [\"piece\", score]"_qs;
        QTest::newRow("Unigram with an unknown token out of range")
            << QByteArray(R"({"model": {"type": "Unigram", "vocab": [["a", -1]], "unk_id": 1}})")
            << u"unk_id: expected an id of the vocabulary"_qs;
        QTest::newRow("Unigram over bytes")
            << QByteArray(R"({"pre_tokenizer": {"type": "ByteLevel"},)"
                          R"("model": {"type": "Unigram", "vocab": [["a", -1]]}})")
            << u"a Unigram model behind a ByteLevel"_qs;
        QTest::newRow("no vocab") << model(R"("merges": [])") << u"expected an object \"vocab\""_qs;
        QTest::newRow("empty vocab")
            << model(R"("vocab": {}, "merges": [])") << u"that is not empty"_qs;
        QTest::newRow("no merges")
            << model(R"("vocab": {"a": 0})") << u"expected an array \"merges\""_qs;
        QTest::newRow("negative id") << model(R"("vocab": {"a": -1}, "merges": [])")
                                     << u"token \"a\": expected an id from 0"_qs;
        QTest::newRow("id beyond all reason")
            << model(R"("vocab": {"a": 123456789012}, "merges": [])") << u"found 123456789012"_qs;
        QTest::newRow("id that is no number") << model(R"("vocab": {"a": "b"}, "merges": [])")
                                              << u"token \"a\": expected an id from 0"_qs;
        QTest::newRow("one id twice") << model(R"("vocab": {"a": 0, "b": 0}, "merges": [])")
                                      << u"id 0: expected one token, found \"a\" and \"b\""_qs;
        QTest::newRow("one piece twice") << model(R"("vocab": {"a": 0, "a": 1}, "merges": [])")
                                         << u"token \"a\": expected one id, found 0 and 1"_qs;
        QTest::newRow("merge of a missing token")
            << model(R"("vocab": {"a": 0, "b": 1}, "merges": ["a b"])")
            << u"merge of \"a\" and \"b\": token \"ab\" is not in the vocabulary"_qs;
        QTest::newRow("merge of one") << model(R"("vocab": {"a": 0}, "merges": ["a"])")
                                      << u"expected a merge as two tokens"_qs;
        QTest::newRow("merge of three") << model(R"("vocab": {"a": 0}, "merges": [["a","a","a"]])")
                                        << u"expected each merge as"_qs;
        QTest::newRow("unknown token missing")
            << model(R"("vocab": {"a": 0}, "merges": [], "unk_token": "<unk>")")
            << u"the unk_token \"<unk>\" is not in the vocabulary"_qs;
        QTest::newRow("suffix")
            << model(R"("vocab": {"a": 0}, "merges": [], "end_of_word_suffix": "</w>")")
            << u"with end_of_word_suffix is not supported"_qs;
        QTest::newRow("neither family")
            << QByteArray(R"({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}})")
            << u"is not supported; byte-level and SentencePiece BPE are"_qs;
    }
    void refusesBrokenFilesByName() { refuses(); }

    void refusesStepsItDoesNotKnowByName_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("message");
        const auto part = [](const char* members) {
            return QByteArray::fromStdString(withPart(members));
        };
        QTest::newRow("normalizer")
            << part(R"("normalizer": {"type": "BertNormalizer"},)")
            << u"normalizer \"BertNormalizer\" is not supported; Sequence"_qs;
        QTest::newRow("character map that is no base64")
            << part(R"("normalizer": {"type": "Precompiled", "precompiled_charsmap": "*"},)")
            << u"normalizer Precompiled: expected a precompiled_charsmap in base64"_qs;
        QTest::newRow("character map that is damaged")
            << part(R"("normalizer": {"type": "Precompiled", "precompiled_charsmap": "AAAA"},)")
            << u"normalizer Precompiled: the character map is cut short"_qs;
        QTest::newRow("pre_tokenizer") << part(R"("pre_tokenizer": {"type": "BertPreTokenizer"},)")
                                       << u"pre_tokenizer \"BertPreTokenizer\" is not supported"_qs;
        QTest::newRow("post_processor") << part(R"("post_processor": {"type": "Other"},)")
                                        << u"post_processor \"Other\" is not supported"_qs;
        QTest::newRow("decoder") << QByteArray(R"({"decoder": {"type": "WordPiece"},)"
                                               R"("model": {"type": "BPE"}})")
                                 << u"decoder \"WordPiece\" is not supported"_qs;
        QTest::newRow("behaviour")
            << part(R"("pre_tokenizer": {"type": "Split", "pattern": {"String": "a"}},)")
            << u"pre_tokenizer Split: expected a behavior"_qs;
        QTest::newRow("no pattern")
            << part(R"("pre_tokenizer": {"type": "Split", "behavior": "Removed"},)")
            << u"pre_tokenizer Split: expected a pattern"_qs;
        QTest::newRow("broken pattern")
            << part(
                   R"("pre_tokenizer": {"type": "Split", "pattern": {"Regex": "*"}, "behavior": "Removed"},)")
            << u"pre_tokenizer: pattern *: "_qs;
        QTest::newRow("template without ids")
            << part(R"("post_processor": {"type": "TemplateProcessing", "single": [)"
                    R"({"SpecialToken": {"id": "<s>"}}], "special_tokens": {}},)")
            << u"expected a Sequence or a SpecialToken with ids"_qs;
        QTest::newRow("template with an id out of range")
            << part(R"("post_processor": {"type": "TemplateProcessing", "single": [)"
                    R"({"SpecialToken": {"id": "<s>"}}],)"
                    R"("special_tokens": {"<s>": {"ids": [77]}}},)")
            << u"expected an id of the vocabulary, found 77"_qs;
        QTest::newRow("added token without an id")
            << QByteArray::fromStdString(byteLevelJson(kPieces, {}, R"([{"content": "<s>"}])"))
            << u"added_tokens: expected each to have a content and an id"_qs;
        QTest::newRow("added token over another")
            << QByteArray::fromStdString(
                   byteLevelJson(kPieces, {}, R"([{"content": "<s>", "id": 0}])"))
            << u"id 0: expected one token, found \"a\" and \"<s>\""_qs;
    }
    void refusesStepsItDoesNotKnowByName() { refuses(); }

private:
    /// The row's tokenizer.json is refused, with the file's name and the row's message.
    static void refuses()
    {
        QFETCH(QByteArray, json);
        QFETCH(QString, message);
        Folder folder;
        folder.add("tokenizer.json", json.toStdString());
        const auto tokenizer = folder.load();
        QVERIFY(!tokenizer);
        const QString found = messageOf(tokenizer);
        QVERIFY2(found.contains(message), qPrintable(found));
        QVERIFY2(found.startsWith(text(folder.file("tokenizer.json").string())), qPrintable(found));
    }
};

QTEST_APPLESS_MAIN(TokenizerJsonTest)
#include "TokenizerJsonTest.moc"
