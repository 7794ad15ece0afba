#include "engine/tokenizer/BpeMerges.h"

#include <QtTest/QTest>

#include <map>
#include <random>

using namespace engine;

namespace {

std::vector<TokenId> tokens(const std::vector<int>& ids)
{
    std::vector<TokenId> result;
    for (const int id : ids)
        result.push_back({id});
    return result;
}

std::vector<TokenId> applied(const BpeMerges& merges, std::vector<TokenId> ids)
{
    BpeMerges::Workspace workspace;
    merges.apply(ids, workspace);
    return ids;
}

/// Byte-pair encoding as the paper has it: look at all pairs, merge the best, begin again.
std::vector<TokenId> byTheBook(const std::vector<Merge>& merges, std::vector<TokenId> ids)
{
    std::map<std::pair<int, int>, std::pair<std::size_t, int>> ranks;
    for (std::size_t i = 0; i < merges.size(); ++i)
        ranks.try_emplace({merges[i].left.value, merges[i].right.value},
                          std::pair(i, merges[i].merged.value));
    while (true) {
        std::size_t bestRank = merges.size();
        std::size_t bestAt = 0;
        int merged = -1;
        for (std::size_t i = 0; i + 1 < ids.size(); ++i)
            if (const auto found = ranks.find({ids[i].value, ids[i + 1].value});
                found != ranks.end() && found->second.first < bestRank) {
                bestRank = found->second.first;
                bestAt = i;
                merged = found->second.second;
            }
        if (merged < 0)
            return ids;
        ids[bestAt] = {merged};
        ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(bestAt) + 1);
    }
}

Vocabulary vocabularyOf(const std::vector<std::string>& pieces)
{
    VocabularyBuilder builder("v");
    for (std::size_t i = 0; i < pieces.size(); ++i)
        if (!builder.add(static_cast<std::int64_t>(i), pieces[i], TokenKind::Normal))
            qFatal("test vocabulary");
    return *std::move(builder).build();
}

} // namespace

class BpeMergesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void mergesTheEarliestLearnedPairFirst()
    {
        // a b c: "b c" was learned before "a b".
        const BpeMerges merges(
            std::vector<Merge>{{{1}, {2}, {3}}, {{0}, {1}, {4}}, {{0}, {3}, {5}}});
        QCOMPARE(applied(merges, tokens({0, 1, 2})), tokens({5}));
        QCOMPARE(applied(merges, tokens({0, 1, 0, 1, 2})), tokens({4, 5}));
    }

    void mergesTheLeftmostAmongEquals()
    {
        const BpeMerges merges(std::vector<Merge>{{{0}, {0}, {1}}});
        QCOMPARE(applied(merges, tokens({0, 0, 0})), tokens({1, 0}));
        QCOMPARE(applied(merges, tokens({0, 0, 0, 0, 0})), tokens({1, 1, 0}));
    }

    void countsTheFirstOfAPairGivenTwice()
    {
        const BpeMerges merges(std::vector<Merge>{{{0}, {1}, {2}}, {{0}, {1}, {3}}});
        QCOMPARE(applied(merges, tokens({0, 1})), tokens({2}));
    }

    void leavesWhatIsNotInTheVocabularyAlone()
    {
        const BpeMerges merges(std::vector<Merge>{{{0}, {0}, {1}}});
        QCOMPARE(applied(merges, tokens({0, -1, 0, 0})), tokens({0, -1, 1}));
        QCOMPARE(applied(BpeMerges(), tokens({0, 0})), tokens({0, 0}));
        QCOMPARE(applied(merges, {}), std::vector<TokenId>());
    }

    void agreesWithTheTextbookAlgorithm()
    {
        std::mt19937 random(7);
        for (int round = 0; round < 300; ++round) {
            std::vector<Merge> rules;
            int next = 4;
            for (int i = 0; i < 40; ++i) {
                const int left = static_cast<int>(random() % static_cast<unsigned>(next));
                const int right = static_cast<int>(random() % static_cast<unsigned>(next));
                rules.push_back({{left}, {right}, {next++}});
            }
            std::shuffle(rules.begin(), rules.end(), random);
            std::vector<TokenId> word;
            for (unsigned i = 0; i < 1 + random() % 60; ++i)
                word.push_back({static_cast<int>(random() % 4)});
            QCOMPARE(applied(BpeMerges(rules), word), byTheBook(rules, word));
        }
    }

    void findsTheTokensOfAMerge()
    {
        const Vocabulary vocabulary = vocabularyOf({"a", "b", "ab"});
        const auto merge = parseMerge("a b", vocabulary, "m.txt");
        QVERIFY(merge);
        QCOMPARE(*merge, (Merge{{0}, {1}, {2}}));
    }

    void namesTheTokenThatAMergeLacks_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("message");
        const auto merge = QStringLiteral("m.txt: merge of \"%1\" and \"%2\": token \"%3\" is not "
                                          "in the vocabulary");
        QTest::newRow("left") << u"x b"_qs << merge.arg(u"x"_qs, u"b"_qs, u"x"_qs);
        QTest::newRow("right") << u"a x"_qs << merge.arg(u"a"_qs, u"x"_qs, u"x"_qs);
        QTest::newRow("both together") << u"b a"_qs << merge.arg(u"b"_qs, u"a"_qs, u"ba"_qs);
        const auto shape = QStringLiteral("m.txt: expected a merge as two tokens with one space "
                                          "between, found \"%1\"");
        for (const QString& line : {u""_qs, u"a"_qs, u"a "_qs, u"ab"_qs, u"a b c"_qs, u"a  b"_qs})
            QTest::newRow(qPrintable(u"'%1'"_qs.arg(line))) << line << shape.arg(line);
    }
    void namesTheTokenThatAMergeLacks()
    {
        QFETCH(QString, line);
        QFETCH(QString, message);
        const Vocabulary vocabulary = vocabularyOf({"a", "b", "ab"});
        const auto merge = parseMerge(line.toStdString(), vocabulary, "m.txt");
        QVERIFY(!merge);
        QCOMPARE(QString::fromStdString(merge.error().message), message);
    }
};

QTEST_APPLESS_MAIN(BpeMergesTest)
#include "BpeMergesTest.moc"
