#include "engine/io/SafetensorsFile.h"

#include "tests/support/ModelWriters.h"

#include <QTemporaryDir>
#include <QtTest/QTest>

#include <cstring>

using namespace engine;
using tests::SafetensorsWriter;

namespace {

std::string sample()
{
    const std::vector<float> values = {1, 2, 3, 4, 5, 6};
    return SafetensorsWriter()
        .tensor("matrix", "F32", {2, 3}, tests::floatBytes(values))
        .tensor("half", "F16", {2}, std::string("\x00\x3c\x00\xc0", 4))
        .tensor("mask", "BOOL", {3}, std::string("\1\1\0", 3))
        .tensor("scalar", "BF16", {}, std::string("\x80\x3f", 2))
        .bytes();
}

} // namespace

class SafetensorsFileTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    Result<SafetensorsFile> opened(const std::string& bytes) const
    {
        const std::filesystem::path path =
            std::filesystem::path(m_folder.path().toStdString()) / "test.safetensors";
        tests::writeFile(path, bytes);
        return SafetensorsFile::open(path);
    }

private Q_SLOTS:
    void findsEachTensorAndItsBytes()
    {
        const Result<SafetensorsFile> file = opened(sample());
        QVERIFY(file);
        QCOMPARE(file->tensors().size(), std::size_t{3});
        const NamedTensor& matrix = file->tensors()[0];
        QCOMPARE(matrix.name, std::string("matrix"));
        QCOMPARE(matrix.view.shape, (Shape{2, 3}));
        float last = 0;
        std::memcpy(&last, matrix.view.bytes.data() + 5 * 4, 4);
        QCOMPARE(last, 6.0F);
        QCOMPARE(file->tensors()[1].view.type, DType::F16);
        QCOMPARE(file->tensors()[2].view.type, DType::BF16);
        QCOMPARE(file->tensors()[2].view.shape, Shape{});
    }

    void keepsTheNamesOfTypesThatCannotBeRead()
    {
        const Result<SafetensorsFile> file = opened(sample());
        QVERIFY(file);
        QCOMPARE(file->unsupported().at("mask"), std::string("BOOL"));
    }

    void refusesEveryShorterFile()
    {
        const std::string whole = sample();
        for (std::size_t size = 0; size < whole.size(); ++size) {
            const Result<SafetensorsFile> file = opened(whole.substr(0, size));
            QVERIFY2(!file, qPrintable(QString::number(size)));
            QVERIFY(file.error().message.find("test.safetensors") != std::string::npos);
        }
    }

    void survivesEveryDamagedByte()
    {
        const std::string whole = sample();
        for (std::size_t at = 0; at < whole.size(); ++at)
            for (const int value : {0x00, int{'9'}, int{'-'}, 0x80, 0xFF}) {
                std::string bytes = whole;
                bytes[at] = static_cast<char>(value);
                const Result<SafetensorsFile> file = opened(bytes);
                if (file)
                    for (const NamedTensor& tensor : file->tensors())
                        QCOMPARE(byteCount(tensor.view.type, tensor.view.shape),
                                 std::optional<std::int64_t>(std::ssize(tensor.view.bytes)));
            }
    }

    void refusesBrokenFiles_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const std::string& bytes, ErrorCode code,
                            const char* words) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << code
                                << QString::fromLatin1(words);
        };
        const auto entry = [](const char* name, const char* fields, ErrorCode code,
                              const char* words) {
            const std::string header = "{\"t\":{" + std::string(fields) + "}}";
            QTest::newRow(name) << QByteArray::fromStdString(
                                       SafetensorsWriter::bytes(header, std::string(16, '\0')))
                                << code << QString::fromLatin1(words);
        };
        row("empty", "", ErrorCode::Truncated, "empty");
        row("a header longer than any", std::string(8, '\xff') + "{}", ErrorCode::BadFormat,
            "header");
        row("a header longer than the file", std::string("\x20\0\0\0\0\0\0\0{}", 10),
            ErrorCode::Truncated, "header");
        row("a header that is not JSON", SafetensorsWriter::bytes("{x}", ""), ErrorCode::BadFormat,
            "JSON");
        row("a header that is a list", SafetensorsWriter::bytes("[]", ""), ErrorCode::BadFormat,
            "object");
        const ErrorCode bad = ErrorCode::BadFormat;
        entry("no dtype", R"("shape":[4],"data_offsets":[0,16])", bad, "dtype");
        entry("unknown dtype", R"("dtype":"F33","shape":[4],"data_offsets":[0,16])", bad, "F33");
        entry("no shape", R"("dtype":"F32","data_offsets":[0,16])", bad, "shape");
        entry("a shape that is no list", R"("dtype":"F32","shape":4,"data_offsets":[0,16])", bad,
              "shape");
        entry("a negative dimension", R"("dtype":"F32","shape":[-4],"data_offsets":[0,16])", bad,
              "shape");
        entry("a broken dimension", R"("dtype":"F32","shape":[4.5],"data_offsets":[0,16])", bad,
              "shape");
        entry("a shape that overflows",
              R"("dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,16])", bad,
              "too large");
        entry("bytes that overflow",
              R"("dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,16])", bad,
              "too large");
        entry("no offsets", R"("dtype":"F32","shape":[4])", bad, "data_offsets");
        entry("one offset", R"("dtype":"F32","shape":[4],"data_offsets":[16])", bad,
              "data_offsets");
        entry("offsets turned around", R"("dtype":"F32","shape":[4],"data_offsets":[16,0])", bad,
              "data_offsets");
        entry("a negative offset", R"("dtype":"F32","shape":[4],"data_offsets":[-16,0])", bad,
              "data_offsets");
        entry("offsets behind the end", R"("dtype":"F32","shape":[4],"data_offsets":[8,24])",
              ErrorCode::Truncated, "data_offsets");
        entry("offsets of another size", R"("dtype":"F32","shape":[4],"data_offsets":[0,12])", bad,
              "takes 16 bytes");
        row("one on top of the other",
            SafetensorsWriter::bytes(R"({"t":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},
                "u":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
                                     std::string(16, '\0')),
            bad, "on top");
        row("a tensor twice",
            SafetensorsWriter::bytes(R"({"t":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},
                "t":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}})",
                                     std::string(16, '\0')),
            bad, "twice");
    }

    void refusesBrokenFiles()
    {
        QFETCH(const QByteArray, bytes);
        QFETCH(const ErrorCode, code);
        QFETCH(const QString, words);
        const Result<SafetensorsFile> file = opened(bytes.toStdString());
        QVERIFY(!file);
        const QString message = QString::fromStdString(file.error().message);
        QVERIFY2(message.contains(words) && message.contains(QStringLiteral("test.safetensors")),
                 qPrintable(message));
        QCOMPARE(file.error().code, code);
    }
};

QTEST_APPLESS_MAIN(SafetensorsFileTest)
#include "SafetensorsFileTest.moc"
