#pragma once

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QString>
#include <QTemporaryDir>
#include <QtEndian>

#include <filesystem>

namespace tests {

/// The bundled model with one change: " bird" has the output row of " dog", so that the two tie at
/// every step, to the bit and on every machine. Gone with the object.
///
/// `prompt` is of seven tokens, two of them halves of "ë". With `temperature`, `topK` and `topP`
/// the chain cuts by rank and by mass, and of the tied pair it keeps the one and cuts the other.
class TiedModelFolder
{
public:
    static constexpr int bird = 472;
    static constexpr int dog = 539;
    static inline const QString prompt = QStringLiteral("Zo\u00eb saw a big");
    static constexpr double temperature = 0.9;
    static constexpr int topK = 12;
    static constexpr double topP = 0.65;

    TiedModelFolder()
    {
        const QDir source(QStringLiteral(TOKENSCOPE_RESOURCES "/model"));
        for (const char* name : {"config.json", "generation_config.json", "tokenizer.json",
                                 "tokenizer_config.json", "model.safetensors"}) {
            const QString copy = m_folder.filePath(QLatin1String(name));
            QFile::copy(source.filePath(QLatin1String(name)), copy);
            QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner);
        }
        m_isTied = tie();
    }

    bool isValid() const { return m_isTied; }
    QString path() const { return m_folder.path(); }
    std::filesystem::path fsPath() const { return m_folder.path().toStdString(); }

private:
    /// Copies one row of the embedding over another (safetensors: eight bytes with the length of a
    /// JSON header, the header, then the numbers).
    bool tie() const
    {
        QFile file(m_folder.filePath(QStringLiteral("model.safetensors")));
        if (!file.open(QIODevice::ReadWrite))
            return false;
        const QByteArray length = file.read(8);
        const qint64 headerSize = qFromLittleEndian<qint64>(length.constData());
        const QJsonObject header = QJsonDocument::fromJson(file.read(headerSize)).object();
        const QJsonObject embedding =
            header.value(QStringLiteral("model.embed_tokens.weight")).toObject();
        const QJsonArray offsets = embedding.value(QStringLiteral("data_offsets")).toArray();
        const qint64 first = offsets.at(0).toInteger();
        const qint64 rows = embedding.value(QStringLiteral("shape")).toArray().at(0).toInteger();
        if (rows == 0)
            return false;
        const qint64 rowSize = (offsets.at(1).toInteger() - first) / rows;
        file.seek(8 + headerSize + first + dog * rowSize);
        const QByteArray row = file.read(rowSize);
        file.seek(8 + headerSize + first + bird * rowSize);
        return row.size() == rowSize && file.write(row) == rowSize;
    }

    QTemporaryDir m_folder;
    bool m_isTied = false;
};

} // namespace tests
