#include "engine/model/TensorTable.h"

#include "tests/support/ModelWriters.h"

#include <QTemporaryDir>
#include <QtTest/QTest>

#include <cstring>
#include <memory>

using namespace engine;
using tests::SafetensorsWriter;

namespace {

std::string oneTensor(const char* name, float value)
{
    return SafetensorsWriter().tensor(name, "F32", {1}, tests::floatBytes({{value}})).bytes();
}

float valueOf(const TensorView& view)
{
    float value = 0;
    std::memcpy(&value, view.bytes.data(), sizeof(value));
    return value;
}

} // namespace

class TensorTableTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path folder() const { return m_folder->path().toStdString(); }
    void write(const char* name, const std::string& bytes) const
    {
        tests::writeFile(folder() / name, bytes);
    }

    Result<TensorTable> opened() const
    {
        write("config.json", "{}");
        Result<MappedFile> config = MappedFile::open(folder() / "config.json");
        return TensorTable::ofFolder(folder(),
                                     std::make_shared<const MappedFile>(std::move(*config)));
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void findsNamesWithAndWithoutTheirPrefix()
    {
        write("model.safetensors",
              SafetensorsWriter()
                  .tensor("layers.0.a", "F32", {1}, tests::floatBytes({{1.0F}}))
                  .tensor("model.norm", "F32", {1}, tests::floatBytes({{2.0F}}))
                  .tensor("transformer.wte", "F32", {1}, tests::floatBytes({{3.0F}}))
                  .bytes());
        const Result<TensorTable> table = opened();
        QVERIFY(table);
        QCOMPARE(valueOf(*table->find("model.layers.0.a")), 1.0F);
        QCOMPARE(valueOf(*table->find("model.norm")), 2.0F);
        QCOMPARE(valueOf(*table->find("transformer.wte")), 3.0F);
        QVERIFY(table->find("lm_head") == nullptr);
    }

    void findsThePartForTextOfALargerModel()
    {
        write(
            "model.safetensors",
            SafetensorsWriter()
                .tensor("language_model.model.layers.0.a", "F32", {1}, tests::floatBytes({{1.0F}}))
                .tensor("model.language_model.layers.1.a", "F32", {1}, tests::floatBytes({{2.0F}}))
                .tensor("language_model.lm_head.weight", "F32", {1}, tests::floatBytes({{3.0F}}))
                .tensor("vision_tower.layers.0.a", "F32", {1}, tests::floatBytes({{4.0F}}))
                .bytes());
        const Result<TensorTable> table = opened();
        QVERIFY(table);
        QCOMPARE(valueOf(*table->find("model.layers.0.a")), 1.0F);
        QCOMPARE(valueOf(*table->find("model.layers.1.a")), 2.0F);
        QCOMPARE(valueOf(*table->find("lm_head.weight")), 3.0F);
    }

    void listsNamesByTheirBeginning()
    {
        write("model.safetensors", SafetensorsWriter()
                                       .tensor("model.layers.1.a", "F32", {0}, "")
                                       .tensor("layers.1.b", "F32", {0}, "")
                                       .tensor("layers.1.mask", "BOOL", {0}, "")
                                       .tensor("layers.10.a", "F32", {0}, "")
                                       .bytes());
        const Result<TensorTable> table = opened();
        QVERIFY(table);
        QCOMPARE(table->namesFrom("model.layers.1."),
                 (std::vector<std::string>{"layers.1.a", "layers.1.b"}));
        QVERIFY(table->namesFrom("model.layers.2.").empty());
        QCOMPARE(table->keyOf("model.layers.1.a"), std::string_view("layers.1.a"));
    }

    void followsAnIndexToItsShards()
    {
        write("model.safetensors.index.json",
              R"({"weight_map": {"a": "one.safetensors", "b": "two.safetensors"}})");
        write("one.safetensors", oneTensor("a", 1));
        write("two.safetensors", oneTensor("b", 2));
        const Result<TensorTable> table = opened();
        QVERIFY(table);
        QCOMPARE(valueOf(*table->find("a")), 1.0F);
        QCOMPARE(valueOf(*table->find("b")), 2.0F);
        QCOMPARE(table->fileOf("b"), folder() / "two.safetensors");
        QCOMPARE(table->fileOf("c"), folder());
        QCOMPARE(table->sources().size(), std::size_t{3});
    }

    void prefersTheWholeFileToAnIndex()
    {
        write("model.safetensors.index.json", R"({"weight_map": {"a": "gone.safetensors"}})");
        write("model.safetensors", oneTensor("a", 1));
        QVERIFY(opened());
    }

    void takesTheOnlyFileThereIsWhateverItsName()
    {
        write("weights.safetensors", oneTensor("a", 5));
        const Result<TensorTable> table = opened();
        QVERIFY(table);
        QCOMPARE(valueOf(*table->find("a")), 5.0F);
    }

    void namesTheTypeThatCannotBeRead()
    {
        write("model.safetensors",
              SafetensorsWriter().tensor("mask", "I64", {1}, std::string(8, '\0')).bytes());
        const Result<TensorTable> table = opened();
        QVERIFY(table);
        QVERIFY(table->find("mask") == nullptr);
        QCOMPARE(table->unsupportedType("mask"), std::string_view("I64"));
    }

    void refusesFolders_data()
    {
        QTest::addColumn<QByteArray>("index");
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const char* index, ErrorCode code,
                            const char* words) {
            QTest::newRow(name) << QByteArray(index) << code << QString::fromLatin1(words);
        };
        row("an index that is not JSON", "{", ErrorCode::BadFormat, "index.json");
        row("an index without a map", "{}", ErrorCode::BadFormat, "weight_map");
        row("an index that is a list", "[]", ErrorCode::BadFormat, "weight_map");
        row("a missing shard", R"({"weight_map": {"a": "gone.safetensors"}})",
            ErrorCode::FileNotFound, "gone.safetensors");
        row("a shard without its tensor", R"({"weight_map": {"b": "one.safetensors"}})",
            ErrorCode::MissingTensor, "tensor b is missing");
        row("a tensor of another shard",
            R"({"weight_map": {"a": "two.safetensors", "b": "two.safetensors", "c": "one.safetensors"}})",
            ErrorCode::MissingTensor, "is missing");
        row("a path out of the folder", R"({"weight_map": {"a": "../one.safetensors"}})",
            ErrorCode::BadFormat, "expected a file name");
        row("an absolute path", R"({"weight_map": {"a": "/etc/passwd"}})", ErrorCode::BadFormat,
            "expected a file name");
        row("a number for a file", R"({"weight_map": {"a": 3}})", ErrorCode::BadFormat,
            "expected a file name");
        row("the folder itself", R"({"weight_map": {"a": "."}})", ErrorCode::BadFormat,
            "expected a file name");
    }

    void refusesFolders()
    {
        QFETCH(const QByteArray, index);
        QFETCH(const ErrorCode, code);
        QFETCH(const QString, words);
        write("model.safetensors.index.json", index.toStdString());
        write("one.safetensors", oneTensor("a", 1));
        write("two.safetensors", oneTensor("b", 2));
        const Result<TensorTable> table = opened();
        QVERIFY(!table);
        const QString message = QString::fromStdString(table.error().message);
        QVERIFY2(message.contains(words) &&
                     message.startsWith(QString::fromStdString(folder().string())),
                 qPrintable(message));
        QCOMPARE(table.error().code, code);
    }

    void refusesAFolderWithoutWeightsOrWithSeveral()
    {
        const Result<TensorTable> none = opened();
        QVERIFY(!none);
        QCOMPARE(none.error().code, ErrorCode::FileNotFound);
        write("one.safetensors", oneTensor("a", 1));
        write("two.safetensors", oneTensor("b", 2));
        const Result<TensorTable> several = opened();
        QVERIFY(!several);
        QVERIFY(several.error().message.find("several") != std::string::npos);
    }

    void refusesANameThatTwoPrefixesShare()
    {
        write("model.safetensors",
              SafetensorsWriter()
                  .tensor("norm", "F32", {1}, tests::floatBytes({{1.0F}}))
                  .tensor("model.norm", "F32", {1}, tests::floatBytes({{2.0F}}))
                  .bytes());
        const Result<TensorTable> table = opened();
        QVERIFY(!table);
        QCOMPARE(table.error().code, ErrorCode::BadFormat);
    }
};

QTEST_APPLESS_MAIN(TensorTableTest)
#include "TensorTableTest.moc"
