#pragma once

#include <QByteArray>
#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStringList>
#include <QTemporaryDir>

// What the tests of commands share: the program called as a user calls it.

namespace testing {

struct Outcome
{
    int status = -1;
    QByteArray out;
    QByteArray err;

    QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
};

/// Runs the program without a display and with nothing of the caller's settings. A status of -1 is
/// a crash, or a program that does not end.
inline Outcome callAs(const QString& program, const QStringList& words,
                      const QByteArray& input = {}, const QString& platform = {})
{
    QProcess process;
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("PATH"), qEnvironmentVariable("PATH"));
    environment.insert(QStringLiteral("HOME"), QDir::tempPath());
    environment.insert(QStringLiteral("XDG_CACHE_HOME"), qEnvironmentVariable("XDG_CACHE_HOME"));
    environment.insert(QStringLiteral("ASAN_OPTIONS"), qEnvironmentVariable("ASAN_OPTIONS"));
    const QTemporaryDir runtime; // nobody else's, or the window's Qt warns of it
    if (!platform.isEmpty()) {
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), platform);
        environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), runtime.path());
    }
    process.setProcessEnvironment(environment);
    process.start(program, words);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(120000) || process.exitStatus() != QProcess::NormalExit)
        return {-1, process.readAllStandardOutput(), process.readAllStandardError()};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

inline Outcome call(const QStringList& words, const QByteArray& input = {})
{
    return callAs(QStringLiteral(TOKENSCOPE_PROGRAM), words, input);
}

/// The same with redirections such as "<&-" or ">/dev/full", as a shell makes them.
inline Outcome callRedirected(const QString& redirection, const QStringList& words)
{
    return callAs(QStringLiteral("sh"),
                  QStringList{QStringLiteral("-c"),
                              QStringLiteral("exec \"$0\" \"$@\" ") + redirection,
                              QStringLiteral(TOKENSCOPE_PROGRAM)} +
                      words);
}

inline QStringList generate(const QStringList& more)
{
    return QStringList{QStringLiteral("generate")} + more;
}

inline QString str(const char* text)
{
    return QString::fromUtf8(text);
}

/// The line on standard error, where it is the one line of an error and nothing else.
inline QByteArray oneErrorLine(const Outcome& outcome)
{
    const QList<QByteArray> lines = outcome.err.trimmed().split('\n');
    return lines.size() == 1 && lines.first().startsWith("tokenscope: error: ") ? lines.first()
                                                                                : QByteArray();
}

} // namespace testing
