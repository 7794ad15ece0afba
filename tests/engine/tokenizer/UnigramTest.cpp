#include "engine/tokenizer/Unigram.h"

#include "tests/engine/tokenizer/TokenizerTesting.h"

#include <QtTest/QTest>

using namespace engine;
using namespace tokenizerTesting;

namespace {

struct Scored
{
    std::string piece;
    double score;
};

/// A Unigram model over these pieces, behind "<unk>", which is 0.
TokenizerSpec specOf(const std::vector<Scored>& pieces, bool byteFallback = false)
{
    std::vector<VocabularyEntry> entries = {{"<unk>", TokenKind::Unknown, 0}};
    TokenizerSpec spec;
    double least = 0;
    for (const Scored& scored : pieces) {
        const bool isByte = byteFallback && byteOfPiece(scored.piece);
        entries.push_back(
            {scored.piece, isByte ? TokenKind::Byte : TokenKind::Normal, scored.score});
        least = std::min(least, scored.score);
    }
    spec.family = TokenizerFamily::Unigram;
    spec.vocabulary = *Vocabulary::build(std::move(entries), "t");
    spec.unknown = TokenId{0};
    spec.unknownScore = least - 10;
    spec.fuseUnknown = true;
    spec.byteFallback = byteFallback;
    spec.replacements.emplace_back(kSpaceMark, " ");
    return spec;
}

QString ids(const TokenizerSpec& spec, std::string_view subject)
{
    return show(SubwordTokenizer::make(spec)->encode(subject, {}));
}

/// The largest sum of scores over all ways to cut a text, found by trying each.
double bestSum(std::string_view rest, const Vocabulary& vocabulary)
{
    double best = rest.empty() ? 0 : -1e300;
    for (std::size_t size = 1; size <= rest.size(); ++size)
        if (const auto id = vocabulary.findText(rest.substr(0, size)))
            best = std::max(best, vocabulary[*id].score + bestSum(rest.substr(size), vocabulary));
    return best;
}

} // namespace

class UnigramTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Hugging Face's own example: abcd, a, cd, and xx as one unknown token.
    void takesThePiecesOfTheLargestSum()
    {
        const TokenizerSpec spec = specOf({{"a", 0},
                                           {"b", 0},
                                           {"c", 0},
                                           {"d", 0},
                                           {"cd", 1},
                                           {"ab", 2},
                                           {"abc", 5},
                                           {"abcd", 10}});
        QCOMPARE(ids(spec, "abcdacdxx"), u"8,1,5,0"_qs);
        QCOMPARE(ids(spec, ""), u""_qs);
    }

    void letsTheLongerLastPieceWinATie()
    {
        QCOMPARE(ids(specOf({{"a", -1}, {"aa", -2}}), "aa"), u"2"_qs);
        QCOMPARE(ids(specOf({{"a", -1}, {"aa", -1}}), "aaa"), u"1,2"_qs);
    }

    void countsACharacterWithoutATokenAsUnknown()
    {
        const TokenizerSpec spec = specOf({{"a", -1}, {"▁", -2}});
        QCOMPARE(ids(spec, "éa日本a"), u"0,1,0,1"_qs);
        TokenizerSpec without = spec;
        without.unknown.reset();
        const auto failed = SubwordTokenizer::make(without)->encode("a日本", {});
        QVERIFY(!failed);
        QVERIFY(text(failed.error().message).contains(u"no token for the character 日, "_qs));
    }

    void writesUnknownCharactersAsBytes()
    {
        const TokenizerSpec spec =
            specOf({{"a", -1}, {"<0xC3>", 0}, {"<0xA9>", 0}, {"<0xE6>", 0}}, true);
        QCOMPARE(ids(spec, "aéa"), u"1,2,3,1"_qs);
        QCOMPARE(ids(spec, "a日"), u"1,0"_qs); // not all of its bytes have one
        const auto tokenizer = SubwordTokenizer::make(spec);
        QCOMPARE(tokenizer->decode(std::vector<TokenId>{{2}, {3}, {1}}), std::string("éa"));
    }

    void neverMakesASpecialTokenOfText()
    {
        TokenizerSpec spec = specOf({{"<", -1}, {"s", -1}, {">", -1}, {"<s>", 0}});
        spec.vocabulary.setKind({4}, TokenKind::Control);
        QCOMPARE(ids(spec, "<s>"), u"1,2,3"_qs);
    }

    void findsTheBestOfAllWays()
    {
        std::mt19937 random(9);
        for (int round = 0; round < 300; ++round) {
            std::map<std::string, double> chosen = {{"a", -9}, {"b", -8}, {"é", -9}, {"▁", -7}};
            for (int i = 0; i < 12; ++i) {
                std::string piece;
                for (auto size = 1 + random() % 3; size > 0; --size)
                    piece += std::array{"a", "b", "é", "▁"}[random() % 4];
                chosen[piece] = -static_cast<double>(random() % 1000) / 64; // sums are exact
            }
            std::vector<Scored> pieces;
            for (const auto& [piece, score] : chosen)
                pieces.push_back({piece, score});
            const TokenizerSpec spec = specOf(pieces);
            std::string subject;
            for (int i = 0; i < 10; ++i)
                subject += std::array{"a", "b", "é", "▁"}[random() % 4];
            const auto tokens = SubwordTokenizer::make(spec)->encode(subject, {});
            QVERIFY(tokens);
            double sum = 0;
            std::string joined;
            for (const EncodedToken& token : *tokens) {
                sum += spec.vocabulary[token.id].score;
                joined += spec.vocabulary[token.id].piece;
            }
            QCOMPARE(joined, subject);
            QCOMPARE(sum, bestSum(subject, spec.vocabulary));
        }
    }

    void isFastForOneLetterOverAndOver()
    {
        const TokenizerSpec spec = specOf({{"a", -3}, {"aa", -4}, {"aaaa", -5}});
        const auto tokens = SubwordTokenizer::make(spec)->encode(std::string(1 << 20, 'a'), {});
        QVERIFY(tokens);
        QCOMPARE(tokens->size(), std::size_t(1 << 18));
    }
};

QTEST_APPLESS_MAIN(UnigramTest)
#include "UnigramTest.moc"
