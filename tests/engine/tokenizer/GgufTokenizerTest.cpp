#include "engine/tokenizer/GgufTokenizer.h"

#include "tests/engine/tokenizer/CharacterMapTesting.h"
#include "tests/engine/tokenizer/TokenizerTesting.h"

#include <QtTest/QTest>

#include <limits>

using namespace engine;
using namespace tokenizerTesting;

namespace {

/// Bytes, then "<|endoftext|>" 256 (called normal, as many files do), "<s>" 257, "<think>" 258,
/// "[PAD]" 259, "12" 260.
std::vector<std::string> pieces()
{
    std::vector<std::string> all = bytePieces();
    for (const char* piece : {"<|endoftext|>", "<s>", "<think>", "[PAD]", "12"})
        all.emplace_back(piece);
    return all;
}

std::vector<std::int32_t> types()
{
    std::vector<std::int32_t> all(261, 1);
    all[257] = 3;
    all[258] = 4;
    all[259] = 5;
    return all;
}

GgufMetadata byteLevel(const char* rule)
{
    GgufMetadata metadata;
    metadata.text("tokenizer.ggml.model", "gpt2")
        .texts("tokenizer.ggml.tokens", pieces())
        .types("tokenizer.ggml.token_type", types())
        .texts("tokenizer.ggml.merges", {"1 2"})
        .number("tokenizer.ggml.bos_token_id", 257)
        .number("tokenizer.ggml.eos_token_id", 256);
    if (*rule != '\0')
        metadata.text("tokenizer.ggml.pre", rule);
    return metadata;
}

} // namespace

class GgufTokenizerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void putsBosByDefaultWhereTheRuleOfItsFamilyDoes_data()
    {
        QTest::addColumn<QByteArray>("rule");
        QTest::addColumn<QString>("ids");
        QTest::newRow("gpt-2") << QByteArray("gpt-2") << u"260"_qs;
        QTest::newRow("llama-bpe") << QByteArray("llama-bpe") << u"257,260"_qs;
        QTest::newRow("qwen2") << QByteArray("qwen2") << u"49,50"_qs; // digits stand alone
        QTest::newRow("smollm") << QByteArray("smollm") << u"49,50"_qs;
    }
    void putsBosByDefaultWhereTheRuleOfItsFamilyDoes()
    {
        QFETCH(QByteArray, rule);
        QFETCH(QString, ids);
        const auto tokenizer = byteLevel(rule.constData()).load();
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        QCOMPARE(show((*tokenizer)->encode("12", {})), ids);
        QVERIFY((*tokenizer)->info().warnings.empty());
    }

    void obeysTheFileOverTheDefault()
    {
        const auto without =
            byteLevel("llama-bpe").flag("tokenizer.ggml.add_bos_token", false).load();
        QVERIFY(without);
        QCOMPARE(show((*without)->encode("12", {})), u"260"_qs);
        const auto with = byteLevel("gpt-2")
                              .flag("tokenizer.ggml.add_bos_token", true)
                              .flag("tokenizer.ggml.add_eos_token", true)
                              .load();
        QVERIFY(with);
        QCOMPARE(show((*with)->encode("12", {})), u"257,260,256"_qs);
        QCOMPARE(origins((*with)->encode("12", {})), u"bos prompt special"_qs);
    }

    void warnsOfARuleItDoesNotKnow()
    {
        const auto unknown = byteLevel("brand-new").load();
        QVERIFY(unknown);
        QCOMPARE((*unknown)->info().warnings.size(), std::size_t(1));
        QVERIFY(text((*unknown)->info().warnings[0]).contains(u"\"brand-new\""_qs));
        const auto missing = byteLevel("").load();
        QVERIFY(missing);
        QVERIFY(text((*missing)->info().warnings[0]).contains(u"does not name its split rule"_qs));
    }

    void knowsTheKindsOfTokens()
    {
        const auto tokenizer = byteLevel("gpt-2").load();
        QVERIFY(tokenizer);
        // A token that ends text is special even where its file calls it normal.
        QCOMPARE((*tokenizer)->piece({256}),
                 (TokenPiece{{256}, "<|endoftext|>", TokenKind::Control}));
        QCOMPARE((*tokenizer)->piece({258}),
                 (TokenPiece{{258}, "<think>", TokenKind::UserDefined}));
        QCOMPARE((*tokenizer)->piece({259}), (TokenPiece{{259}, "", TokenKind::Unused}));
        QCOMPARE(show((*tokenizer)->encode("<think>", {})), u"258"_qs);
        QCOMPARE(show((*tokenizer)->encode("<s>", {.parseSpecial = true})), u"257"_qs);
        QCOMPARE(show((*tokenizer)->encode("<s>", {})), u"60,115,62"_qs);
        QVERIFY((*tokenizer)->stopTokens() == std::vector<TokenId>{{256}});
    }

    // As llama.cpp has it: text cannot end a turn because a file calls such a token user-defined.
    void takesNoWellKnownSpecialTokenFromPlainText()
    {
        std::vector<std::string> all = bytePieces();
        std::vector<std::int32_t> kinds(256, 1);
        for (const char* piece : {"</s>", "<|eom_id|>", "<|fim_prefix|>", "<table>"}) {
            all.emplace_back(piece);
            kinds.push_back(4); // user-defined
        }
        const auto tokenizer = GgufMetadata()
                                   .text("tokenizer.ggml.model", "gpt2")
                                   .text("tokenizer.ggml.pre", "gpt-2")
                                   .texts("tokenizer.ggml.tokens", all)
                                   .types("tokenizer.ggml.token_type", kinds)
                                   .texts("tokenizer.ggml.merges", {})
                                   .load();
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        QCOMPARE(show((*tokenizer)->encode("</s>", {})), u"60,47,115,62"_qs);
        QCOMPARE(show((*tokenizer)->encode("</s>", {.parseSpecial = true})), u"256"_qs);
        for (const int id : {256, 257, 258})
            QCOMPARE((*tokenizer)->piece({id}).kind, TokenKind::Control);
        QCOMPARE(show((*tokenizer)->encode("<table>", {})), u"259"_qs);
    }

    void readsAUnigramVocabulary()
    {
        const std::string map = characterMap({{"Ａ", "a"}});
        std::vector<std::int32_t> mapBytes;
        for (const char byte : map)
            mapBytes.push_back(static_cast<unsigned char>(byte));
        const auto unigram = [&] {
            return GgufMetadata()
                .text("tokenizer.ggml.model", "t5")
                .texts("tokenizer.ggml.tokens", {"<pad>", "</s>", "<unk>", "▁", "a", "▁a"})
                .scores("tokenizer.ggml.scores", {0, 0, 0, -2, -3, -4})
                .types("tokenizer.ggml.token_type", {3, 3, 2, 1, 1, 1})
                .types("tokenizer.ggml.precompiled_charsmap", mapBytes);
        };
        const auto plain = unigram().load();
        QVERIFY2(plain, qPrintable(messageOf(plain)));
        QCOMPARE((*plain)->info().kind, std::string("Unigram"));
        QCOMPARE(show((*plain)->encode("Ａ  az", {})), u"4,3,5,2,1"_qs); // EOS by default
        const auto tidy = unigram()
                              .flag("tokenizer.ggml.add_space_prefix", true)
                              .flag("tokenizer.ggml.remove_extra_whitespaces", true)
                              .flag("tokenizer.ggml.add_eos_token", false)
                              .load();
        QVERIFY2(tidy, qPrintable(messageOf(tidy)));
        QCOMPARE(show((*tidy)->encode(" a  a ", {})), u"5,5"_qs);
        QCOMPARE((*tidy)->decode(std::vector<TokenId>{{5}, {5}}), std::string("a a"));
    }

    void givesTheSameDigestAsTheSameTokenizerInJson()
    {
        // Without the padding, which only GGUF has.
        std::string json = byteLevelJson(
            pieces(), {"1 2"},
            R"([{"id": 256, "content": "<|endoftext|>", "special": true, "normalized": true},)"
            R"({"id": 257, "content": "<s>", "special": true},)"
            R"({"id": 258, "content": "<think>", "special": false}])");
        const std::string padding = R"("[PAD]": 259, )";
        json.erase(json.find(padding), padding.size());
        Folder folder;
        folder.add("tokenizer.json", json);
        const auto fromJson = folder.load();
        const auto fromGguf = byteLevel("gpt-2").load();
        QVERIFY2(fromJson, qPrintable(messageOf(fromJson)));
        QVERIFY(fromGguf);
        QCOMPARE((*fromGguf)->info().sha256, (*fromJson)->info().sha256);
        const auto otherRule = byteLevel("qwen2").load();
        QVERIFY(otherRule);
        QVERIFY((*otherRule)->info().sha256 != (*fromGguf)->info().sha256);
        const auto otherBos = byteLevel("gpt-2").flag("tokenizer.ggml.add_bos_token", true).load();
        QVERIFY(otherBos);
        QVERIFY((*otherBos)->info().sha256 != (*fromGguf)->info().sha256);
    }

    void readsTheChatTemplate()
    {
        const auto tokenizer = byteLevel("gpt-2").text("tokenizer.chat_template", "T").load();
        QVERIFY(tokenizer);
        QCOMPARE((*tokenizer)->info().chatTemplate, std::string("T"));
    }

    void takesTheSpaceBehindPhi3sSpecialTokens()
    {
        GgufMetadata metadata;
        metadata.text("general.name", "Phi-3 mini")
            .text("tokenizer.ggml.model", "llama")
            .texts("tokenizer.ggml.tokens", {"<unk>", "<s>", "</s>", "<|user|>", "▁", "a", "▁a"})
            .scores("tokenizer.ggml.scores", {0, 0, 0, 0, -1, -1, 0})
            .types("tokenizer.ggml.token_type", {2, 3, 3, 3, 1, 1, 1});
        const auto tokenizer = metadata.load();
        QVERIFY(tokenizer);
        QCOMPARE(show((*tokenizer)->encode("<|user|> \n a", {.parseSpecial = true})), u"1,3,6"_qs);
    }

    void refusesWhatIsNotATokenizerByName_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const GgufMetadata& metadata, ErrorCode code,
                            const QString& message) {
            QTest::newRow(name) << QByteArray::fromStdString(metadata.bytes()) << int(code)
                                << message;
        };
        row("nothing", GgufMetadata(), ErrorCode::MissingTokenizer, u"has no tokenizer"_qs);
        row("another model", GgufMetadata().text("tokenizer.ggml.model", "bert"),
            ErrorCode::UnsupportedFeature, u"tokenizer \"bert\" is not supported"_qs);
        row("no tokens", GgufMetadata().text("tokenizer.ggml.model", "gpt2"),
            ErrorCode::MissingTokenizer, u"has no vocabulary"_qs);
        row("tokens that are numbers",
            GgufMetadata().text("tokenizer.ggml.model", "gpt2").types("tokenizer.ggml.tokens", {1}),
            ErrorCode::MissingTokenizer, u"has no vocabulary"_qs);
        const auto two = [] {
            return GgufMetadata()
                .text("tokenizer.ggml.model", "gpt2")
                .texts("tokenizer.ggml.tokens", {"a", "b"});
        };
        row("no merges", two(), ErrorCode::BadFormat, u"expected the merges"_qs);
        row("merge of a missing token", two().texts("tokenizer.ggml.merges", {"a b"}),
            ErrorCode::BadFormat,
            u"tokenizer.ggml.merges: merge of \"a\" and \"b\": token \"ab\""_qs);
        row("too few types", two().types("tokenizer.ggml.token_type", {1}), ErrorCode::BadFormat,
            u"tokenizer.ggml.token_type: expected 2 values, one a token, found 1"_qs);
        row("too few scores", two().scores("tokenizer.ggml.scores", {1}), ErrorCode::BadFormat,
            u"tokenizer.ggml.scores: expected 2 values, one a token, found 1"_qs);
        row("a score that is no number",
            two().scores("tokenizer.ggml.scores", {1, std::numeric_limits<float>::quiet_NaN()}),
            ErrorCode::NotFinite, u"the score of token 1 is no number"_qs);
        row("one token twice",
            GgufMetadata()
                .text("tokenizer.ggml.model", "gpt2")
                .texts("tokenizer.ggml.tokens", {"a", "a"}),
            ErrorCode::BadFormat, u"token \"a\": expected one id, found 0 and 1"_qs);
    }
    void refusesWhatIsNotATokenizerByName()
    {
        QFETCH(QByteArray, file);
        QFETCH(int, code);
        QFETCH(QString, message);
        Folder folder;
        folder.add("broken.gguf", file.toStdString());
        const auto gguf = GgufFile::open(folder.file("broken.gguf"));
        QVERIFY2(gguf, gguf ? "" : gguf.error().message.c_str());
        const auto tokenizer = loadTokenizer(*gguf);
        QVERIFY(!tokenizer);
        QCOMPARE(int(tokenizer.error().code), code);
        QVERIFY2(messageOf(tokenizer).contains(message), qPrintable(messageOf(tokenizer)));
        QVERIFY(messageOf(tokenizer).startsWith(text(folder.file("broken.gguf").string())));
    }

    void warnsOfSpecialIdsOutOfRange()
    {
        GgufMetadata metadata;
        metadata.text("tokenizer.ggml.model", "gpt2")
            .text("tokenizer.ggml.pre", "llama-bpe")
            .texts("tokenizer.ggml.tokens", bytePieces())
            .texts("tokenizer.ggml.merges", {})
            .number("tokenizer.ggml.bos_token_id", 4294967295u);
        const auto tokenizer = metadata.load();
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        QVERIFY(!(*tokenizer)->bos());
        QCOMPARE((*tokenizer)->info().warnings.size(), std::size_t(2));
        QCOMPARE(show((*tokenizer)->encode("a", {})), u"97"_qs);
    }
};

QTEST_APPLESS_MAIN(GgufTokenizerTest)
#include "GgufTokenizerTest.moc"
