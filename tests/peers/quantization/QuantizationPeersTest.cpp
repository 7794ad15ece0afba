#include "engine/io/Json.h"
#include "tests/engine/model/ModelTesting.h"
#include "tests/support/ModelWriters.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest/QTest>

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace engine;

namespace {

template <typename Number>
std::vector<double> numbers(const std::filesystem::path& path)
{
    const std::string bytes = tests::readFile(path);
    std::vector<Number> values(bytes.size() / sizeof(Number));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return {values.begin(), values.end()};
}

/// The engine's logits after each id, [ids, vocabulary].
std::vector<double> computed(const std::filesystem::path& path, const std::vector<TokenId>& ids)
{
    const Transformer model = tests::openTransformer(path);
    const std::unique_ptr<ForwardState> state = model.newState(2);
    std::vector<double> all;
    for (const TokenId& id : ids) {
        const std::vector<float> logits = tests::forward(model, {&id, 1}, *state);
        all.insert(all.end(), logits.begin(), logits.end());
    }
    return all;
}

/// Root mean square of the differences, beside that of the expected values about their mean.
double distance(const std::vector<double>& found, const std::vector<double>& expected)
{
    if (found.size() != expected.size())
        qFatal("%zu logits, expected %zu", found.size(), expected.size());
    double mean = 0;
    for (const double value : expected)
        mean += value / static_cast<double>(expected.size());
    double differences = 0;
    double spread = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        differences += std::pow(found[i] - expected[i], 2);
        spread += std::pow(expected[i] - mean, 2);
    }
    return std::sqrt(differences / spread);
}

} // namespace

/// Random models in every type that llama.cpp quantizes to. The engine's logits must be as near to
/// those of the same weights in exact arithmetic as llama.cpp's are; it rounds activations where
/// the weights are rounded, so it has an error of its own.
class QuantizationPeersTest : public QObject
{
    Q_OBJECT

    static constexpr int skipped = 77; ///< status of a script that cannot do its work here
    QTemporaryDir m_folder{QStringLiteral(TOKENSCOPE_WORK "/models-XXXXXX")};
    QString m_reason; ///< why there are no references

    std::filesystem::path at(const std::string& name) const
    {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }

    struct Outcome
    {
        int status = -1; ///< -1: it did not come to an end of its own
        QString output;
        QString errors;
    };

    static Outcome run(const QString& program, const QStringList& words)
    {
        QProcess process;
        process.start(program, words);
        const bool ended = process.waitForFinished(800000);
        Outcome outcome;
        if (ended && process.exitStatus() == QProcess::NormalExit)
            outcome.status = process.exitCode();
        outcome.output = QString::fromUtf8(process.readAllStandardOutput()).trimmed();
        outcome.errors = QString::fromUtf8(process.readAllStandardError()).trimmed();
        if (!ended)
            outcome.errors += program + QStringLiteral(": ") + process.errorString();
        return outcome;
    }

private Q_SLOTS:
    void initTestCase()
    {
        const Outcome fetched =
            run(QStringLiteral(TOKENSCOPE_FETCH_LLAMA_CPP), {QStringLiteral(TOKENSCOPE_LLAMA_CPP)});
        if (fetched.status != 0) {
            m_reason = fetched.errors;
        } else {
            qputenv("TOKENSCOPE_LLAMA_CPP", fetched.output.toUtf8());
            qputenv("PYTHONDONTWRITEBYTECODE", "1");
            const Outcome made = run(QStringLiteral(TOKENSCOPE_PYTHON),
                                     {QStringLiteral(TOKENSCOPE_MAKE_REFERENCES), m_folder.path()});
            QVERIFY2(made.status == 0 || made.status == skipped, qPrintable(made.errors));
            if (made.status == skipped)
                m_reason = made.errors;
        }
        if (!m_reason.isEmpty())
            qWarning("no references to compare with: %s", qPrintable(m_reason));
    }

    void logitsAreAsNearToExactOnesAsLlamaCpps_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("llama");
        QTest::addColumn<QString>("exact");
        QTest::addColumn<QString>("expanded");
        QTest::addColumn<QString>("type");
        QTest::addColumn<QList<int>>("ids");
        const Result<JsonDocument> list = JsonDocument::read(at("references.json"));
        if (!list) {
            QTest::newRow("llama.cpp")
                << QString() << QString() << QString() << QString() << QString() << QList<int>();
            return;
        }
        list->root().forEachElement([](JsonValue entry) {
            const auto text = [&](std::string_view key) {
                return QString::fromStdString(std::string(entry[key].string().value_or("")));
            };
            QList<int> ids;
            entry["ids"].forEachElement(
                [&](JsonValue id) { ids.append(static_cast<int>(*id.integer())); });
            QTest::newRow(qPrintable(text("name")))
                << text("model") << text("llama") << text("exact") << text("expanded")
                << text("type") << ids;
        });
    }

    void logitsAreAsNearToExactOnesAsLlamaCpps()
    {
        if (!m_reason.isEmpty())
            QSKIP(qPrintable(m_reason));
        QFETCH(const QString, model);
        QFETCH(const QString, llama);
        QFETCH(const QString, exact);
        QFETCH(const QString, expanded);
        QFETCH(const QString, type);
        QFETCH(const QList<int>, ids);
        QVERIFY(!ids.isEmpty());
        const std::vector<TokenId> tokens = tests::tokens({ids.data(), std::size_t(ids.size())});
        const std::vector<double> expected = exact.isEmpty()
                                                 ? computed(at(expanded.toStdString()), tokens)
                                                 : numbers<double>(at(exact.toStdString()));
        const double ours = distance(computed(at(model.toStdString()), tokens), expected);
        const double theirs = distance(numbers<float>(at(llama.toStdString())), expected);
        const QString found =
            QStringLiteral("%1: engine %2, llama.cpp %3").arg(model).arg(ours).arg(theirs);
        qInfo("%s", qPrintable(found));
        if (type == QStringLiteral("F32"))
            QVERIFY2(ours <= 1e-5, qPrintable(found));
        else
            QVERIFY2(ours <= theirs, qPrintable(found));
        // A llama.cpp that is far off would let anything pass.
        QVERIFY2(theirs < 0.5, qPrintable(found));
    }
};

QTEST_GUILESS_MAIN(QuantizationPeersTest)
#include "QuantizationPeersTest.moc"
