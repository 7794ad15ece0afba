#include "engine/tokenizer/PieceTrie.h"

#include <QtTest/QTest>

#include <map>
#include <random>
#include <string>

using namespace engine;

namespace {

std::vector<std::pair<std::size_t, int>> prefixes(const PieceTrie& trie, std::string_view text)
{
    std::vector<std::pair<std::size_t, int>> found;
    trie.forEachPrefix(text,
                       [&](std::size_t size, TokenId id) { found.emplace_back(size, id.value); });
    return found;
}

PieceTrie trieOf(const std::map<std::string, int>& pieces)
{
    std::vector<std::pair<std::string_view, TokenId>> list;
    for (const auto& [piece, id] : pieces)
        list.emplace_back(piece, TokenId{id});
    return PieceTrie(std::move(list));
}

} // namespace

class PieceTrieTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsAllPiecesThatATextBeginsWith()
    {
        const PieceTrie trie = trieOf({{"a", 3}, {"ab", 1}, {"abcd", 0}, {"b", 7}});
        using Found = std::vector<std::pair<std::size_t, int>>;
        QVERIFY(prefixes(trie, "abcde") == (Found{{1, 3}, {2, 1}, {4, 0}}));
        QVERIFY(prefixes(trie, "abc") == (Found{{1, 3}, {2, 1}}));
        QVERIFY(prefixes(trie, "ba") == (Found{{1, 7}}));
        QVERIFY(prefixes(trie, "x").empty());
        QVERIFY(prefixes(trie, "").empty());
    }

    void isEmptyWithoutPieces()
    {
        QVERIFY(prefixes(PieceTrie(), "a").empty());
        QVERIFY(prefixes(trieOf({}), "a").empty());
    }

    void takesEveryByteAndVeryLongPieces()
    {
        std::map<std::string, int> pieces;
        for (int byte = 0; byte < 256; ++byte)
            pieces.emplace(std::string(1, static_cast<char>(byte)), byte);
        pieces.emplace(std::string(300000, 'z'), 256);
        const PieceTrie trie = trieOf(pieces);
        for (int byte = 0; byte < 256; ++byte)
            QCOMPARE(prefixes(trie, std::string(1, static_cast<char>(byte))).back().second, byte);
        QCOMPARE(prefixes(trie, std::string(300001, 'z')).back().first, std::size_t(300000));
    }

    // Against a look-up of each beginning in a map.
    void agreesWithAMap()
    {
        std::mt19937 random(3);
        const auto word = [&](std::size_t longest) {
            std::string text;
            for (std::size_t i = 1 + random() % longest; i > 0; --i)
                text += static_cast<char>(random() % 4 == 0 ? random() : 'a' + random() % 3);
            return text;
        };
        for (int round = 0; round < 30; ++round) {
            std::map<std::string, int> pieces;
            for (int id = 0; id < 400; ++id)
                pieces.emplace(word(7), id);
            const PieceTrie trie = trieOf(pieces);
            for (int i = 0; i < 300; ++i) {
                const std::string text = word(12);
                std::vector<std::pair<std::size_t, int>> expected;
                for (std::size_t size = 1; size <= text.size(); ++size)
                    if (const auto at = pieces.find(text.substr(0, size)); at != pieces.end())
                        expected.emplace_back(size, at->second);
                QVERIFY(prefixes(trie, text) == expected);
            }
        }
    }
};

QTEST_APPLESS_MAIN(PieceTrieTest)
#include "PieceTrieTest.moc"
