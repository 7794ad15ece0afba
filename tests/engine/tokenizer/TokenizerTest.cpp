#include "engine/tokenizer/Tokenizer.h"

#include "engine/io/Json.h"
#include "tests/engine/tokenizer/TokenizerTesting.h"

#include <QtTest/QTest>

#include <thread>

using namespace engine;
using namespace tokenizerTesting;

/// The tokenizer of the bundled model, whatever its vocabulary is, and folders without one.
class TokenizerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const auto tokenizer = loadTokenizer(std::filesystem::path(TOKENSCOPE_RESOURCES "/model"));
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        m_tokenizer = *tokenizer;
    }

    void agreesWithTheModelsReference()
    {
        const auto reference = JsonDocument::read(TOKENSCOPE_RESOURCES "/model/reference.json");
        QVERIFY(reference);
        int compared = 0;
        reference->root()["items"].forEachElement([&](JsonValue item) {
            const auto tokens = m_tokenizer->encode(*item["prompt"].string(), {});
            QStringList expected;
            item["ids"].forEachElement(
                [&](JsonValue id) { expected << QString::number(*id.integer()); });
            QCOMPARE(show(tokens), expected.join(QLatin1Char(',')));
            std::size_t at = 0;
            item["pieces"].forEachElement([&](JsonValue piece) {
                QCOMPARE(text(m_tokenizer->piece((*tokens)[at++].id).bytes), text(*piece.string()));
            });
            std::vector<TokenId> continuation;
            item["greedy25"].forEachElement([&](JsonValue id) {
                continuation.push_back({static_cast<std::int32_t>(*id.integer())});
            });
            QCOMPARE(text(m_tokenizer->decode(continuation, false)),
                     text(*item["greedy25_text"].string()));
            ++compared;
        });
        QVERIFY(compared > 0);
    }

    void returnsEveryByteOfHostileText()
    {
        const auto texts = JsonDocument::read(TOKENSCOPE_TEST_DATA "/tokenizer/tokens.json");
        QVERIFY(texts);
        int cases = 0;
        texts->root()["cases"].forEachElement([&](JsonValue item) {
            const std::string bytes(*item["text"].string());
            QCOMPARE(text(roundTrip(*m_tokenizer, bytes)), text(bytes));
            QVERIFY(roundTrip(*m_tokenizer, bytes) == bytes);
            ++cases;
        });
        QCOMPARE(cases, 67);
    }

    void returnsEveryByteOfRandomAndVeryLongText()
    {
        std::mt19937 random(1);
        std::vector<std::string> texts = {std::string(200000, 'x'), std::string(200000, ' '),
                                          std::string(1000, '\0'), std::string(100000, '\n')};
        std::string marks = "e";
        for (int i = 0; i < 20000; ++i)
            marks += "\u0301";
        texts.push_back(marks);
        for (int round = 0; round < 300; ++round)
            texts.push_back(randomText(random, 50));
        for (const std::string& bytes : texts)
            QVERIFY(roundTrip(*m_tokenizer, bytes) == bytes);
    }

    void hasATokenForEveryByte()
    {
        for (int byte = 0; byte < 128; ++byte) {
            const std::string one(1, static_cast<char>(byte));
            const auto tokens = m_tokenizer->encode(one, {.addSpecialTokens = false});
            QVERIFY(tokens);
            QCOMPARE(tokens->size(), std::size_t(1));
            QCOMPARE(m_tokenizer->piece((*tokens)[0].id).bytes, one);
        }
    }

    void decodesEveryIdToTheBytesOfItsPiece()
    {
        for (int id = 0; id < m_tokenizer->vocabularySize(); ++id) {
            const TokenId token{id};
            QCOMPARE(m_tokenizer->decode(std::span(&token, 1)), m_tokenizer->piece(token).bytes);
        }
    }

    void neverMakesASpecialTokenOfText()
    {
        for (int id = 0; id < m_tokenizer->vocabularySize(); ++id) {
            const TokenPiece piece = m_tokenizer->piece({id});
            if (piece.kind != TokenKind::Control)
                continue;
            const auto plain = m_tokenizer->encode("a" + piece.bytes + "b", {});
            QVERIFY(plain);
            for (const EncodedToken& token : *plain)
                QVERIFY(token.origin == TokenOrigin::Bos || token.id != piece.id);
            const auto parsed = m_tokenizer->encode("a" + piece.bytes, {.parseSpecial = true});
            QVERIFY(parsed);
            QVERIFY(parsed->back() == (EncodedToken{piece.id, TokenOrigin::Special}));
        }
    }

    void givesTheSameIdsOnEveryThread()
    {
        std::string bytes;
        std::mt19937 random(2);
        for (int i = 0; i < 200; ++i)
            bytes += randomText(random, 10) + "once upon a time ";
        const QString expected = show(m_tokenizer->encode(bytes, {}));
        std::vector<QString> found(4);
        {
            std::vector<std::jthread> threads;
            for (QString& ids : found)
                threads.emplace_back([&] { ids = show(m_tokenizer->encode(bytes, {})); });
        }
        for (const QString& ids : found)
            QCOMPARE(ids, expected);
    }

    void saysWhatAFolderWithoutATokenizerLacks()
    {
        Folder folder;
        folder.add("vocab.json", "{}"); // without its merges
        const auto tokenizer = folder.load();
        QVERIFY(!tokenizer);
        QCOMPARE(tokenizer.error().code, ErrorCode::MissingTokenizer);
        QCOMPARE(messageOf(tokenizer),
                 text(folder.path().string()) +
                     u": expected a tokenizer.json, a tokenizer.model, or a vocab.json with a "
                     "merges.txt"_qs);
        const auto nowhere = loadTokenizer(folder.path() / "nowhere");
        QVERIFY(!nowhere);
        QCOMPARE(nowhere.error().code, ErrorCode::MissingTokenizer);
    }

private:
    std::shared_ptr<const Tokenizer> m_tokenizer;
};

QTEST_APPLESS_MAIN(TokenizerTest)
#include "TokenizerTest.moc"
