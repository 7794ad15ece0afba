#include "engine/io/GgufFile.h"

#include "tests/support/ModelWriters.h"

#include <QTemporaryDir>
#include <QtTest/QTest>

#include <cstring>
#include <limits>

using namespace engine;
using tests::GgufWriter;

namespace {

template <typename T>
void put(std::string& bytes, std::size_t offset, T value)
{
    std::memcpy(bytes.data() + offset, &value, sizeof(T));
}

GgufWriter sample()
{
    GgufWriter writer;
    const std::vector<float> values = {1, 2, 3, 4, 5, 6};
    writer.text("general.architecture", "llama")
        .integer("n", 7)
        .real("x", 0.5F)
        .boolean("yes", true)
        .texts("words", {"a", "", "\xf0\x9f\x98\x80"})
        .integers("ints", {-1, 2})
        .reals("reals", {0.25F, -1.0F})
        .tensor("matrix", {2, 3}, GgufWriter::F32, tests::floatBytes(values))
        .tensor("vector", {2}, GgufWriter::F16, std::string("\x00\x3c\x00\xc0", 4));
    return writer;
}

} // namespace

class GgufFileTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    Result<GgufFile> opened(const std::string& bytes) const
    {
        const std::filesystem::path path =
            std::filesystem::path(m_folder.path().toStdString()) / "test.gguf";
        tests::writeFile(path, bytes);
        return GgufFile::open(path);
    }

private Q_SLOTS:
    void readsMetadataOfEveryKind()
    {
        for (const std::uint32_t version : {2U, 3U}) {
            const Result<GgufFile> file = opened(sample().bytes(version));
            QVERIFY(file);
            QCOMPARE(file->version(), version);
            QCOMPARE(file->string("general.architecture"),
                     std::optional<std::string_view>("llama"));
            QCOMPARE(file->integer("n"), std::optional<std::int64_t>(7));
            QCOMPARE(file->number("n"), std::optional(7.0));
            QCOMPARE(file->number("x"), std::optional(0.5));
            QCOMPARE(file->boolean("yes"), std::optional(true));
            QCOMPARE(*file->array("words")->strings(),
                     (std::vector<std::string_view>{"a", "", "\xf0\x9f\x98\x80"}));
            QCOMPARE(*file->array("ints")->integers(), (std::vector<std::int64_t>{-1, 2}));
            QCOMPARE(*file->array("reals")->numbers(), (std::vector<double>{0.25, -1.0}));
            QCOMPARE(file->array("words")->size(), std::size_t{3});
        }
    }

    void givesNothingForAnotherKindOrAnAbsentKey()
    {
        const Result<GgufFile> file = opened(sample().bytes());
        QVERIFY(file);
        QVERIFY(!file->integer("x") && !file->string("n") && !file->boolean("n"));
        QVERIFY(!file->number("general.architecture"));
        QVERIFY(file->array("n") == nullptr && file->find("absent") == nullptr);
        QVERIFY(file->array("words")->integers() == nullptr);
    }

    void turnsDimensionsAroundAndFindsTheBytes()
    {
        const Result<GgufFile> file = opened(sample().bytes());
        QVERIFY(file);
        QCOMPARE(file->tensors().size(), std::size_t{2});
        const TensorView* matrix = file->tensor("matrix");
        QVERIFY(matrix != nullptr);
        QCOMPARE(matrix->shape, (Shape{2, 3}));
        float last = 0;
        std::memcpy(&last, matrix->bytes.data() + 5 * 4, 4);
        QCOMPARE(last, 6.0F);
        QCOMPARE(file->tensor("vector")->type, DType::F16);
        QCOMPARE(file->tensor("vector")->bytes[3], std::byte{0xc0});
        QVERIFY(file->tensor("absent") == nullptr);
    }

    void honoursTheAlignmentKey()
    {
        GgufWriter writer;
        const std::vector<float> values = {9};
        writer.integer("general.alignment", 256)
            .tensor("t", {1}, GgufWriter::F32, tests::floatBytes(values));
        const Result<GgufFile> file = opened(writer.bytes(3, 256));
        QVERIFY(file);
        float value = 0;
        std::memcpy(&value, file->tensor("t")->bytes.data(), 4);
        QCOMPARE(value, 9.0F);
    }

    // Every place at which a download or a copy can end.
    void refusesEveryShorterFile()
    {
        const std::string whole = sample().bytes();
        const std::size_t needed = whole.size() - 28; // the padding behind the last tensor
        for (std::size_t size = 0; size < needed; ++size) {
            const Result<GgufFile> file = opened(whole.substr(0, size));
            QVERIFY2(!file, qPrintable(QString::number(size)));
            QVERIFY2(file.error().message.find("test.gguf") != std::string::npos,
                     file.error().message.c_str());
            QVERIFY2(file.error().code == ErrorCode::Truncated ||
                         file.error().code == ErrorCode::BadFormat,
                     file.error().message.c_str());
        }
        QVERIFY(opened(whole.substr(0, needed)));
    }

    // Any byte may be wrong: nothing may crash, hang or ask for absurd memory.
    void survivesEveryDamagedByte()
    {
        const std::string whole = sample().bytes();
        for (std::size_t at = 0; at < whole.size(); ++at)
            for (const int value : {0x00, 0x7F, 0x80, 0xFF}) {
                std::string bytes = whole;
                bytes[at] = static_cast<char>(value);
                const Result<GgufFile> file = opened(bytes);
                if (file)
                    for (const NamedTensor& tensor : file->tensors())
                        QCOMPARE(byteCount(tensor.view.type, tensor.view.shape),
                                 std::optional<std::int64_t>(std::ssize(tensor.view.bytes)));
            }
    }

    void refusesBrokenFiles_data()
    {
        constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
        const std::vector<float> two = {1, 2};
        const std::string data = tests::floatBytes(two);
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const std::string& bytes, ErrorCode code,
                            const char* words) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << code
                                << QString::fromLatin1(words);
        };
        const auto patched = [](std::size_t offset, auto value) {
            std::string bytes = sample().bytes();
            put(bytes, offset, value);
            return bytes;
        };
        row("empty", "", ErrorCode::Truncated, "empty");
        row("another format", "PK\3\4" + std::string(100, 'x'), ErrorCode::BadFormat, "GGUF");
        row("version 1", patched(4, std::uint32_t{1}), ErrorCode::UnsupportedFeature, "version 1");
        row("version 4", patched(4, std::uint32_t{4}), ErrorCode::UnsupportedFeature, "version 4");
        row("big-endian", patched(4, std::uint32_t{0x03000000}), ErrorCode::UnsupportedFeature,
            "big-endian");
        row("absurd tensor count", patched(8, huge), ErrorCode::BadFormat, "tensors");
        row("absurd metadata count", patched(16, huge), ErrorCode::BadFormat, "metadata");
        row("absurd key length", patched(24, huge), ErrorCode::Truncated, "metadata entry 0");
        row("unknown value type", GgufWriter().value("k", 99, "").bytes(), ErrorCode::BadFormat,
            "type 99");
        row("array of arrays",
            GgufWriter()
                .value("k", GgufWriter::Array, std::string("\x09\0\0\0\1\0\0\0\0\0\0\0", 12))
                .bytes(),
            ErrorCode::UnsupportedFeature, "metadata key k");
        row("absurd array",
            GgufWriter()
                .value("k", GgufWriter::Array,
                       std::string("\4\0\0\0\xff\xff\xff\xff\xff\xff\xff\x7f", 12))
                .bytes(),
            ErrorCode::Truncated, "metadata key k");
        row("a key twice", GgufWriter().integer("k", 1).integer("k", 2).bytes(),
            ErrorCode::BadFormat, "k occurs twice");
        row("a tensor twice",
            GgufWriter().tensor("t", {2}, 0, data).tensor("t", {2}, 0, data).bytes(),
            ErrorCode::BadFormat, "tensor t occurs twice");
        row("no dimensions", GgufWriter().tensor("t", {}, 0, data).bytes(), ErrorCode::BadFormat,
            "tensor t");
        row("five dimensions", GgufWriter().tensor("t", {1, 1, 1, 1, 2}, 0, data).bytes(),
            ErrorCode::BadFormat, "tensor t");
        row("a dimension of zero", GgufWriter().tensor("t", {0, 2}, 0, data).bytes(),
            ErrorCode::BadFormat, "tensor t");
        row("a dimension beyond 2^63", GgufWriter().tensor("t", {huge}, 0, data).bytes(),
            ErrorCode::BadFormat, "tensor t");
        row("dimensions that overflow",
            GgufWriter().tensor("t", {1ULL << 40, 1ULL << 40}, 0, data).bytes(),
            ErrorCode::BadFormat, "is too large");
        row("half a block", GgufWriter().tensor("t", {33}, GgufWriter::Q8_0, data).bytes(),
            ErrorCode::BadFormat, "tensor t: shape [33] does not fit type Q8_0, whose rows are");
        row("half a block of 256",
            GgufWriter().tensor("t", {2, 128}, GgufWriter::Q4_K, data).bytes(),
            ErrorCode::BadFormat, "blocks of 256 numbers");
        row("fewer bytes than its blocks take",
            GgufWriter().tensor("t", {2, 256}, GgufWriter::Q4_K, std::string(256, 'x')).bytes(),
            ErrorCode::Truncated, "tensor t: needs 288 bytes");
        row("a type to come", GgufWriter().tensor("t", {256}, GgufWriter::IQ2_XS, data).bytes(),
            ErrorCode::UnsupportedFeature, "tensor t: type IQ2_XS is not supported");
        row("no such type", GgufWriter().tensor("t", {2}, 777, data).bytes(),
            ErrorCode::UnsupportedFeature, "number 777");
        row("an offset behind the end", GgufWriter().tensor("t", {2}, 0, data, 1 << 20).bytes(),
            ErrorCode::Truncated, "tensor t");
        row("an offset off the alignment", GgufWriter().tensor("t", {2}, 0, data, 4).bytes(),
            ErrorCode::BadFormat, "alignment");
        row("one on top of the other",
            GgufWriter().tensor("t", {2}, 0, data).tensor("u", {2}, 0, data, 0).bytes(),
            ErrorCode::BadFormat, "on top");
        row("alignment of zero", GgufWriter().integer("general.alignment", 0).bytes(),
            ErrorCode::BadFormat, "general.alignment");
        row("alignment of 24", GgufWriter().integer("general.alignment", 24).bytes(),
            ErrorCode::BadFormat, "general.alignment");
    }

    void refusesBrokenFiles()
    {
        QFETCH(const QByteArray, bytes);
        QFETCH(const ErrorCode, code);
        QFETCH(const QString, words);
        const Result<GgufFile> file = opened(bytes.toStdString());
        QVERIFY(!file);
        const QString message = QString::fromStdString(file.error().message);
        QVERIFY2(message.contains(words) && message.contains(QStringLiteral("test.gguf")),
                 qPrintable(message));
        QCOMPARE(file.error().code, code);
    }
};

QTEST_APPLESS_MAIN(GgufFileTest)
#include "GgufFileTest.moc"
