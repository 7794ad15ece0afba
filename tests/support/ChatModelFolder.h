#pragma once

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QString>
#include <QTemporaryDir>

#include <filesystem>
#include <utility>

namespace tests {

/// A ChatML template as models have it: one user message becomes
/// "<|im_start|>user\n…<|im_end|>\n<|im_start|>assistant\n".
inline const QString chatMlTemplate = QStringLiteral(
    "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\\n' + message['content'] "
    "+ '<|im_end|>' + '\\n'}}{% endfor %}{% if add_generation_prompt %}{{ "
    "'<|im_start|>assistant\\n' }}{% endif %}");

/// A tiny model of random weights that can chat: a copy of tests/data/models/qwen2-f32 whose last
/// two merged tokens gave their ids to <|im_start|> and <|im_end|>. Gone with the object.
class ChatModelFolder
{
public:
    static constexpr int imStart = 269;
    static constexpr int imEnd = 270;

    ChatModelFolder()
    {
        const QString source = QStringLiteral(TOKENSCOPE_TEST_DATA "/models/qwen2-f32/");
        for (const char* name : {"config.json", "model.safetensors"})
            QFile::copy(source + QLatin1String(name), m_folder.filePath(QLatin1String(name)));
        QFile file(source + QStringLiteral("tokenizer.json"));
        if (file.open(QIODevice::ReadOnly))
            write("tokenizer.json", withChatTokens(file.readAll()));
        setTemplate(chatMlTemplate);
    }

    QString path() const { return m_folder.path(); }
    std::filesystem::path fsPath() const { return m_folder.path().toStdString(); }

    void write(const char* name, const QByteArray& text) const
    {
        QFile file(m_folder.filePath(QLatin1String(name)));
        if (file.open(QIODevice::WriteOnly))
            file.write(text);
    }

    /// An empty one: the model has none.
    void setTemplate(const QString& chatTemplate) const
    {
        QJsonObject config{{QStringLiteral("tokenizer_class"), QStringLiteral("GPT2Tokenizer")},
                           {QStringLiteral("eos_token"), QStringLiteral("<|im_end|>")}};
        if (!chatTemplate.isEmpty())
            config[QStringLiteral("chat_template")] = chatTemplate;
        write("tokenizer_config.json", QJsonDocument(config).toJson());
    }

private:
    static QByteArray withChatTokens(const QByteArray& json)
    {
        QJsonObject root = QJsonDocument::fromJson(json).object();
        QJsonObject model = root[QStringLiteral("model")].toObject();
        QJsonObject vocabulary = model[QStringLiteral("vocab")].toObject();
        QJsonArray merges = model[QStringLiteral("merges")].toArray();
        for (const int id : {imStart, imEnd}) {
            for (const QString& piece : vocabulary.keys())
                if (vocabulary[piece].toInt() == id)
                    vocabulary.remove(piece);
            merges.removeLast();
        }
        model[QStringLiteral("vocab")] = vocabulary;
        model[QStringLiteral("merges")] = merges;
        root[QStringLiteral("model")] = model;
        QJsonArray added = root[QStringLiteral("added_tokens")].toArray();
        for (const auto& [id, content] :
             {std::pair{imStart, "<|im_start|>"}, std::pair{imEnd, "<|im_end|>"}})
            added.append(QJsonObject{{QStringLiteral("id"), id},
                                     {QStringLiteral("content"), QLatin1String(content)},
                                     {QStringLiteral("single_word"), false},
                                     {QStringLiteral("lstrip"), false},
                                     {QStringLiteral("rstrip"), false},
                                     {QStringLiteral("normalized"), false},
                                     {QStringLiteral("special"), true}});
        root[QStringLiteral("added_tokens")] = added;
        return QJsonDocument(root).toJson();
    }

    QTemporaryDir m_folder;
};

} // namespace tests
