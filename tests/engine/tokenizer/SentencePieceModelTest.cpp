#include "engine/tokenizer/SentencePieceModel.h"

#include "engine/io/Json.h"
#include "tests/engine/tokenizer/CharacterMapTesting.h"
#include "tests/engine/tokenizer/TokenizerTesting.h"

#include <QtTest/QTest>

#include <fstream>
#include <iterator>

using namespace engine;
using namespace tokenizerTesting;

namespace {

// Protocol Buffers' wire format, as much as a model needs.
std::string varint(std::uint64_t value)
{
    std::string bytes;
    for (; value >= 0x80; value >>= 7)
        bytes += static_cast<char>(value | 0x80);
    return bytes + static_cast<char>(value);
}
std::string number(unsigned field, std::uint64_t value)
{
    return varint(field << 3) + varint(value);
}
std::string bytes(unsigned field, std::string_view content)
{
    return varint(field << 3 | 2) + varint(content.size()) + std::string(content);
}
std::string fraction(unsigned field, float value)
{
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    return varint(field << 3 | 5) + std::string(raw, sizeof value);
}
std::string piece(std::string_view text, float score, unsigned kind = 1)
{
    return bytes(1, bytes(1, text) + fraction(2, score) + number(3, kind));
}

constexpr unsigned kUnigram = 1;
constexpr unsigned kBpe = 2;

std::string model(unsigned type, const std::string& more = {})
{
    return piece("<unk>", 0, 2) + piece("<s>", 0, 3) + piece("</s>", 0, 3) + piece("▁", -1) +
           piece("a", -2) + piece("▁a", -3) + bytes(2, number(3, type)) + more;
}

LoadedTokenizer load(const std::string& content, const char* config = "{}")
{
    Folder folder;
    folder.add("tokenizer.model", content);
    folder.add("tokenizer_config.json", config);
    return folder.load();
}

QString ids(const LoadedTokenizer& tokenizer, std::string_view subject, EncodeOptions options = {})
{
    return tokenizer ? show((*tokenizer)->encode(subject, options)) : messageOf(tokenizer);
}

std::string contentOf(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

} // namespace

class SentencePieceModelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Models of both kinds and the ids that SentencePiece itself gives with them; made by
    // tests/peers/tokenizer/make_sentencepiece.py.
    void givesTheIdsOfSentencePiece_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"bpe-bytes", "bpe-defined", "unigram", "unigram-bytes"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void givesTheIdsOfSentencePiece()
    {
        QFETCH(QString, name);
        const std::filesystem::path data = TOKENSCOPE_TEST_DATA "/tokenizer/sentencepiece";
        const auto tokenizer = loadTokenizer(data / name.toStdString());
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        const auto cases = JsonDocument::read(data / "cases.json");
        QVERIFY(cases);
        int compared = 0;
        cases->root()["models"][name.toStdString()].forEachElement([&](JsonValue pair) {
            std::vector<JsonValue> fields;
            pair.forEachElement([&](JsonValue field) { fields.push_back(field); });
            QStringList expected;
            fields[1].forEachElement(
                [&](JsonValue id) { expected << QString::number(*id.integer()); });
            QCOMPARE(ids(tokenizer, *fields[0].string(), {.addSpecialTokens = false}),
                     expected.join(QLatin1Char(',')));
            ++compared;
        });
        QCOMPARE(compared, 60);
    }

    void putsBosAsItsClassDoes()
    {
        for (const unsigned type : {kUnigram, kBpe}) {
            QCOMPARE(ids(load(model(type)), "a"), u"1,5"_qs);
            QCOMPARE(
                ids(load(model(type), R"({"add_bos_token": false, "add_eos_token": true})"), "a"),
                u"5,2"_qs);
            QCOMPARE(ids(load(model(type), R"({"tokenizer_class": "T5Tokenizer"})"), "a"),
                     u"5,2"_qs);
        }
    }

    void beginsTextAnewBehindASpecialTokenOnlyInLegacyClasses()
    {
        const EncodeOptions parsing{.addSpecialTokens = false, .parseSpecial = true};
        QCOMPARE(ids(load(model(kBpe)), "</s>a", parsing), u"2,5"_qs);
        QCOMPARE(ids(load(model(kBpe), R"({"legacy": true})"), "</s>a", parsing), u"2,5"_qs);
        QCOMPARE(ids(load(model(kBpe), R"({"legacy": false})"), "</s>a", parsing), u"2,4"_qs);
        QCOMPARE(ids(load(model(kBpe), R"({"legacy": false})"), "a", parsing), u"5"_qs);
    }

    void knowsItsSpecialTokensAndThoseOfTheFolder()
    {
        const auto tokenizer = load(model(kBpe), R"({"added_tokens_decoder": {"6": {"content":)"
                                                 R"( "<|user|>", "special": true}}})");
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        QCOMPARE((*tokenizer)->bos().value_or(TokenId{}).value, 1);
        QCOMPARE((*tokenizer)->eos().value_or(TokenId{}).value, 2);
        QCOMPARE((*tokenizer)->piece({6}), (TokenPiece{{6}, "<|user|>", TokenKind::Control}));
        QCOMPARE((*tokenizer)->piece({0}).kind, TokenKind::Unknown);
        QCOMPARE(ids(tokenizer, "<|user|>", {.addSpecialTokens = false, .parseSpecial = true}),
                 u"6"_qs);
        QCOMPARE((*tokenizer)->info().kind, std::string("SentencePiece BPE"));
        QCOMPARE((*tokenizer)->decode(std::vector<TokenId>{{5}, {5}}), std::string("a a"));
    }

    void obeysTheRulesForCharactersAndSpaces()
    {
        const std::string rules =
            bytes(3, bytes(2, characterMap({{"A", "a"}})) + number(3, 0) + number(4, 0));
        QCOMPARE(ids(load(model(kUnigram, rules)), "A A", {.addSpecialTokens = false}), u"4,5"_qs);
        QCOMPARE(ids(load(model(kUnigram, rules)), " ", {.addSpecialTokens = false}), u"3"_qs);
        QCOMPARE(ids(load(model(kUnigram)), " a  a ", {.addSpecialTokens = false}), u"5,5"_qs);
        QCOMPARE(ids(load(model(kUnigram)), "  ", {.addSpecialTokens = false}), u""_qs);
    }

    void refusesWhatItCannotRead_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("why");
        const auto row = [](const char* name, const std::string& content, const QString& why) {
            QTest::newRow(name) << QByteArray::fromStdString(content) << why;
        };
        row("empty", "", u"is not a SentencePiece model"_qs);
        row("text", "hello, this is no model", u"is not a SentencePiece model"_qs);
        row("cut short", model(kBpe).substr(0, 40), u"is not a SentencePiece model"_qs);
        row("words", model(3), u"word models are not supported"_qs);
        row("characters", model(4), u"character models are not supported"_qs);
        row("unknown kind", model(9), u"model_type 9 is not known"_qs);
        row("spaces behind words", model(kBpe, bytes(2, number(3, kBpe) + number(24, 1))),
            u"treat_whitespace_as_suffix is not supported"_qs);
        row("spaces as they are", model(kBpe, bytes(3, number(5, 0))),
            u"escape_whitespaces = false is not supported"_qs);
        row("a piece twice", model(kBpe) + piece("a", -9), u"expected one id, found 4 and 6"_qs);
        row("a piece without text", model(kBpe) + bytes(1, fraction(2, -1)),
            u"piece 6: expected a text"_qs);
        row("no number", model(kBpe) + piece("z", std::numeric_limits<float>::quiet_NaN()),
            u"piece 6: the score is no finite number"_qs);
        row("no byte", model(kBpe) + piece("zz", 0, 6), u"piece 6: expected a byte"_qs);
        row("damaged map", model(kUnigram, bytes(3, bytes(2, "abc"))),
            u"character map is cut short"_qs);
        row("damaged trainer_spec", model(kBpe, bytes(2, "\x08")), u"trainer_spec is damaged"_qs);
        row("damaged normalizer_spec", model(kBpe, bytes(3, "\x08")),
            u"normalizer_spec is damaged"_qs);
    }
    void refusesWhatItCannotRead()
    {
        QFETCH(QByteArray, content);
        QFETCH(QString, why);
        const auto tokenizer = load(content.toStdString());
        QVERIFY(!tokenizer);
        const QString message = messageOf(tokenizer);
        QVERIFY2(message.contains(why), qPrintable(message));
        QVERIFY2(message.contains(u"tokenizer.model: "_qs), qPrintable(message));
    }

    // Damage of any kind ends in an error or in a tokenizer, never in an abort.
    void takesAnyBytes()
    {
        const std::string whole =
            contentOf(TOKENSCOPE_TEST_DATA "/tokenizer/sentencepiece/unigram/tokenizer.model");
        QVERIFY(!whole.empty());
        std::mt19937 random(6);
        for (int round = 0; round < 200; ++round) {
            std::string damaged =
                whole.substr(0, round % 4 == 0 ? random() % whole.size() : whole.size());
            for (int i = 0; i < 3 && !damaged.empty(); ++i)
                damaged[random() % damaged.size()] = static_cast<char>(random());
            const auto tokenizer = load(damaged);
            if (!tokenizer)
                continue;
            const auto tokens = (*tokenizer)->encode("a small bird " + randomText(random, 20), {});
            QVERIFY(!tokens || !(*tokenizer)->decode(idsOf(*tokens)).empty());
        }
    }
};

QTEST_APPLESS_MAIN(SentencePieceModelTest)
#include "SentencePieceModelTest.moc"
