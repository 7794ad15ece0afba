#include "engine/io/GgufParts.h"

#include "engine/tensor/Dequantize.h"
#include "tests/support/ModelWriters.h"

#include <QTemporaryDir>
#include <QtTest/QTest>

#include <functional>

using namespace engine;
using tests::GgufWriter;

namespace {

GgufWriter part(int number, int count, int tensors, const std::vector<std::string>& names)
{
    GgufWriter writer;
    tests::addSplit(writer, number, count, tensors);
    for (const std::string& name : names)
        writer.tensor(name, {2}, GgufWriter::F32, tests::floatBytes({{1.0F, 2.0F}}));
    return writer;
}

} // namespace

Q_DECLARE_METATYPE(std::function<void(const std::filesystem::path&)>)

class GgufPartsTest : public QObject
{
    Q_OBJECT

    using Damage = std::function<void(const std::filesystem::path& folder)>;

private Q_SLOTS:
    void oneFileIsOnePart()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path =
            std::filesystem::path(folder.path().toStdString()) / "model.gguf";
        tests::writeFile(path, tests::tinyLlamaGguf());
        const Result<std::shared_ptr<const GgufFile>> file = openGguf(path);
        QVERIFY(file);
        QVERIFY((*file)->otherParts().empty());
        QCOMPARE((*file)->path(), path);
    }

    void anyPartLeadsToAllInOrder()
    {
        const QTemporaryDir folder;
        const std::vector<std::filesystem::path> paths =
            tests::writeSplitLlama(folder.path().toStdString(), "tiny-of-the-00001", 4);
        for (const std::filesystem::path& path : paths) {
            const Result<std::shared_ptr<const GgufFile>> file = openGguf(path);
            QVERIFY2(file, file ? "" : file.error().message.c_str());
            const GgufFile& whole = **file;
            QCOMPARE(whole.path(), paths.front());
            QVERIFY(whole.string("general.architecture"));
            QCOMPARE(whole.otherParts().size(), paths.size() - 1);
            for (std::size_t i = 1; i < paths.size(); ++i)
                QCOMPARE(whole.otherParts()[i - 1]->path(), paths[i]);
            const std::vector<tests::TinyTensor> tensors = tests::tinyLlamaTensors();
            QCOMPARE(whole.tensors().size(), tensors.size());
            for (std::size_t i = 0; i < tensors.size(); ++i) {
                QCOMPARE(whole.tensors()[i].name, tensors[i].name);
                const TensorView* tensor = whole.tensor(tensors[i].name);
                QVERIFY(tensor != nullptr);
                QCOMPARE(toFloats(*tensor), tensors[i].values);
            }
        }
    }

    void aFileInTheWorkingFolderNeedsNoFolderInItsName()
    {
        const QTemporaryDir folder;
        tests::writeSplitLlama(folder.path().toStdString(), "tiny", 2);
        const std::filesystem::path before = std::filesystem::current_path();
        std::filesystem::current_path(folder.path().toStdString());
        const Result<std::shared_ptr<const GgufFile>> file = openGguf("tiny-00002-of-00002.gguf");
        std::filesystem::current_path(before);
        QVERIFY(file);
    }

    void refusesPartsThatDoNotBelongTogether_data()
    {
        QTest::addColumn<Damage>("damage");
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const Damage& damage, ErrorCode code,
                            const char* words) {
            QTest::newRow(name) << damage << code << QString::fromLatin1(words);
        };
        const auto put = [](const char* name, const GgufWriter& writer) -> Damage {
            return [=](const std::filesystem::path& folder) {
                tests::writeFile(folder / name, writer.bytes());
            };
        };
        const auto first = [&](const GgufWriter& writer) {
            return put("m-00001-of-00003.gguf", writer);
        };
        const auto second = [&](const GgufWriter& writer) {
            return put("m-00002-of-00003.gguf", writer);
        };
        row(
            "a missing part",
            [](const std::filesystem::path& folder) {
                std::filesystem::remove(folder / "m-00002-of-00003.gguf");
            },
            ErrorCode::FileNotFound,
            "m-00002-of-00003.gguf: the file is missing; the model is split into 3 parts");
        row(
            "a part cut short",
            [](const std::filesystem::path& folder) {
                const std::string bytes = tests::readFile(folder / "m-00003-of-00003.gguf");
                tests::writeFile(folder / "m-00003-of-00003.gguf",
                                 std::string_view(bytes).substr(0, bytes.size() - 40));
            },
            ErrorCode::Truncated, "m-00003-of-00003.gguf: tensor c: needs 8 bytes");
        row(
            "a part that is no GGUF",
            [](const std::filesystem::path& folder) {
                tests::writeFile(folder / "m-00002-of-00003.gguf", "a text of some length");
            },
            ErrorCode::BadFormat, "m-00002-of-00003.gguf: not a GGUF file");
        row("a model of its own", second(GgufWriter().integer("k", 1)), ErrorCode::BadFormat,
            "m-00002-of-00003.gguf: the name says part 2 of 3, but the file is a model of its own");
        row("another part", second(part(2, 3, 3, {"b"})), ErrorCode::BadFormat,
            "m-00002-of-00003.gguf: the name says part 2 of 3, but the file is part 3 of 3");
        row("a part of four", second(part(1, 4, 3, {"b"})), ErrorCode::BadFormat,
            "the file is part 2 of 4");
        row("a model of more tensors", second(part(1, 3, 8, {"b"})), ErrorCode::BadFormat,
            "m-00002-of-00003.gguf: the file is part of a model of 8 tensors, but "
            "m-00001-of-00003.gguf of one of 3");
        row("a tensor twice", second(part(1, 3, 3, {"a"})), ErrorCode::BadFormat,
            "m-00002-of-00003.gguf: tensor a is in a part before this one already");
        row("a part without its tensor", second(part(1, 3, 3, {})), ErrorCode::BadFormat,
            "split.tensors.count is 3, but the parts have 2 tensors together");
        row("another architecture",
            second(part(1, 3, 3, {"b"}).text("general.architecture", "gpt2")), ErrorCode::BadFormat,
            "m-00002-of-00003.gguf: general.architecture is \"gpt2\", but \"llama\" in m-00001");
        row("a number beyond the count", first(part(3, 3, 3, {"a"})), ErrorCode::BadFormat,
            "split.no is missing or not below split.count, 3");
        row("no number", first(GgufWriter().smallInteger("split.count", 3)), ErrorCode::BadFormat,
            "split.no is missing");
        row("no number of tensors",
            first(GgufWriter().smallInteger("split.count", 3).smallInteger("split.no", 0)),
            ErrorCode::BadFormat, "split.tensors.count is missing");
        row("a count that is no count", first(GgufWriter().integer("split.count", 100000)),
            ErrorCode::BadFormat, "split.count: expected a number up to 99999, found 100000");
        row("another count than the name's", first(part(0, 2, 3, {"a"})), ErrorCode::BadFormat,
            "its name does not end in \"-00001-of-00002.gguf\"");
    }

    void refusesPartsThatDoNotBelongTogether()
    {
        QFETCH(const Damage, damage);
        QFETCH(const ErrorCode, code);
        QFETCH(const QString, words);
        const QTemporaryDir temporary;
        const std::filesystem::path folder = temporary.path().toStdString();
        const auto write = [&](const char* name, const GgufWriter& writer) {
            tests::writeFile(folder / name, writer.bytes());
        };
        write("m-00001-of-00003.gguf", part(0, 3, 3, {"a"}).text("general.architecture", "llama"));
        write("m-00002-of-00003.gguf", part(1, 3, 3, {"b"}));
        write("m-00003-of-00003.gguf", part(2, 3, 3, {"c"}));
        QVERIFY(openGguf(folder / "m-00001-of-00003.gguf"));
        damage(folder);
        const Result<std::shared_ptr<const GgufFile>> file =
            openGguf(folder / "m-00001-of-00003.gguf");
        QVERIFY(!file);
        QVERIFY2(QString::fromStdString(file.error().message).contains(words),
                 file.error().message.c_str());
        QCOMPARE(file.error().code, code);
    }

    void saysHowARenamedPartWasCalled()
    {
        const QTemporaryDir temporary;
        const std::filesystem::path path =
            std::filesystem::path(temporary.path().toStdString()) / "renamed.gguf";
        tests::writeFile(path, part(1, 3, 3, {"b"}).bytes());
        const Result<std::shared_ptr<const GgufFile>> file = openGguf(path);
        QVERIFY(!file);
        QVERIFY2(file.error().message.find("is part 2 of 3 of a split model, but its name does "
                                           "not end in \"-00002-of-00003.gguf\"") !=
                     std::string::npos,
                 file.error().message.c_str());
    }
};

QTEST_APPLESS_MAIN(GgufPartsTest)
#include "GgufPartsTest.moc"
