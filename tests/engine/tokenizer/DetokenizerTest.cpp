#include "engine/tokenizer/Detokenizer.h"

#include "tests/engine/tokenizer/TokenizerTesting.h"

#include <QtTest/QTest>

using namespace engine;
using namespace tokenizerTesting;

class DetokenizerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        Folder folder;
        folder.add("tokenizer.json", byteLevelJson(bytePieces(), {}));
        const auto tokenizer = folder.load();
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        m_bytes = *tokenizer;
    }

    void holdsBytesBackUntilACharacterIsWhole()
    {
        Detokenizer detokenizer(*m_bytes);
        QCOMPARE(detokenizer.append({'a'}), std::string("a"));
        QCOMPARE(detokenizer.append({0xE2}), std::string());
        QCOMPARE(detokenizer.append({0x82}), std::string());
        QCOMPARE(detokenizer.pending(), std::string("\xE2\x82"));
        QCOMPARE(detokenizer.append({0xAC}), std::string("€"));
        QCOMPARE(detokenizer.flush(), std::string());
    }

    void replacesBytesThatMakeNoCharacter()
    {
        Detokenizer detokenizer(*m_bytes);
        QCOMPARE(detokenizer.append({0xE2}), std::string());
        QCOMPARE(detokenizer.append({'x'}), std::string("\uFFFDx"));
        QCOMPARE(detokenizer.append({0xFF}), std::string("\uFFFD"));
        QCOMPARE(detokenizer.append({0xF0}), std::string());
        QCOMPARE(detokenizer.flush(), std::string("\uFFFD"));
        QCOMPARE(detokenizer.append({'y'}), std::string("y"));
    }

    void tellsTheSameTextAsDecodingAtOnce()
    {
        std::mt19937 random(9);
        for (int round = 0; round < 300; ++round) {
            std::vector<TokenId> ids;
            for (int i = 0; i < 40; ++i)
                ids.push_back({static_cast<int>(random() % 256)});
            Detokenizer detokenizer(*m_bytes);
            std::string whole;
            for (const TokenId id : ids)
                whole += detokenizer.append(id);
            whole += detokenizer.flush();
            QCOMPARE(whole, toValidUtf8(m_bytes->decode(ids)));
            QVERIFY(!firstInvalidByte(whole));
        }
    }

    void dropsTheSpaceAtTheStartOfTheTextOnly()
    {
        GgufMetadata metadata;
        metadata.text("tokenizer.ggml.model", "llama")
            .texts("tokenizer.ggml.tokens", {"<unk>", "<s>", "</s>", "▁a"})
            .scores("tokenizer.ggml.scores", {0, 0, 0, 0})
            .types("tokenizer.ggml.token_type", {2, 3, 3, 1});
        const auto tokenizer = metadata.load();
        QVERIFY(tokenizer);
        Detokenizer fresh(**tokenizer);
        QCOMPARE(fresh.append({1}), std::string("<s>"));
        QCOMPARE(fresh.append({3}), std::string("a"));
        QCOMPARE(fresh.append({3}), std::string(" a"));
        Detokenizer goingOn(**tokenizer, false);
        QCOMPARE(goingOn.append({3}), std::string(" a"));
    }

private:
    std::shared_ptr<const Tokenizer> m_bytes;
};

QTEST_APPLESS_MAIN(DetokenizerTest)
#include "DetokenizerTest.moc"
