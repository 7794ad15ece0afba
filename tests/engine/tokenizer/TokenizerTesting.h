#pragma once

#include "engine/io/GgufFile.h"
#include "engine/tokenizer/ByteAlphabet.h"
#include "engine/tokenizer/Tokenizer.h"

#include <QDir>
#include <QFile>
#include <QString>
#include <QTemporaryDir>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What the tokenizer tests share: tiny vocabularies as files, and results as readable text.
namespace tokenizerTesting {

using LoadedTokenizer = engine::Result<std::shared_ptr<const engine::Tokenizer>>;

/// A folder with files, gone with the object.
class Folder
{
public:
    Folder& add(const char* name, std::string_view content)
    {
        QFile file(m_folder.filePath(QString::fromUtf8(name)));
        if (file.open(QIODevice::WriteOnly))
            file.write(content.data(), static_cast<qsizetype>(content.size()));
        return *this;
    }
    std::filesystem::path path() const { return m_folder.path().toStdString(); }
    std::filesystem::path file(const char* name) const { return path() / name; }
    LoadedTokenizer load() const { return engine::loadTokenizer(path()); }

private:
    QTemporaryDir m_folder;
};

/// The metadata of a GGUF file without tensors.
class GgufMetadata
{
public:
    GgufMetadata& text(std::string_view key, std::string_view value)
    {
        begin(key, 8);
        string(value);
        return *this;
    }
    GgufMetadata& number(std::string_view key, std::uint32_t value)
    {
        begin(key, 4);
        put(value);
        return *this;
    }
    GgufMetadata& flag(std::string_view key, bool value)
    {
        begin(key, 7);
        put(static_cast<std::uint8_t>(value));
        return *this;
    }
    GgufMetadata& texts(std::string_view key, const std::vector<std::string>& values)
    {
        beginArray(key, 8, values.size());
        for (const std::string& value : values)
            string(value);
        return *this;
    }
    GgufMetadata& scores(std::string_view key, const std::vector<float>& values)
    {
        beginArray(key, 6, values.size());
        for (const float value : values)
            put(value);
        return *this;
    }
    GgufMetadata& types(std::string_view key, const std::vector<std::int32_t>& values)
    {
        beginArray(key, 5, values.size());
        for (const std::int32_t value : values)
            put(value);
        return *this;
    }

    std::string bytes() const
    {
        GgufMetadata file;
        file.m_bytes = "GGUF";
        file.put(std::uint32_t{3});
        file.put(std::uint64_t{0}); // tensors
        file.put(m_count);
        file.m_bytes += m_bytes;
        file.m_bytes.resize((file.m_bytes.size() + 31) / 32 * 32);
        return file.m_bytes;
    }

    LoadedTokenizer load() const
    {
        Folder folder;
        folder.add("tiny.gguf", bytes());
        const auto file = engine::GgufFile::open(folder.file("tiny.gguf"));
        if (!file)
            return file.error();
        return engine::loadTokenizer(*file);
    }

private:
    template <typename Value>
    void put(Value value)
    {
        char raw[sizeof(Value)];
        std::memcpy(raw, &value, sizeof(Value));
        m_bytes.append(raw, sizeof(Value));
    }
    void string(std::string_view value)
    {
        put(static_cast<std::uint64_t>(value.size()));
        m_bytes.append(value);
    }
    void begin(std::string_view key, std::uint32_t type)
    {
        string(key);
        put(type);
        ++m_count;
    }
    void beginArray(std::string_view key, std::uint32_t type, std::size_t size)
    {
        begin(key, 9);
        put(type);
        put(static_cast<std::uint64_t>(size));
    }

    std::string m_bytes;
    std::uint64_t m_count = 0;
};

inline QString text(std::string_view bytes)
{
    return QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
}

/// "15496,995", or the message where there are none.
inline QString show(const engine::Result<std::vector<engine::EncodedToken>>& tokens)
{
    if (!tokens)
        return text(tokens.error().message);
    QString ids;
    for (const engine::EncodedToken& token : *tokens)
        ids += (ids.isEmpty() ? QString() : QStringLiteral(",")) + QString::number(token.id.value);
    return ids;
}

/// The origins, "bos prompt special".
inline QString origins(const engine::Result<std::vector<engine::EncodedToken>>& tokens)
{
    QString names;
    if (tokens)
        for (const engine::EncodedToken& token : *tokens)
            names += (names.isEmpty() ? QString() : QStringLiteral(" ")) +
                     text(engine::name(token.origin));
    return names;
}

inline std::vector<engine::TokenId> idsOf(const std::vector<engine::EncodedToken>& tokens)
{
    std::vector<engine::TokenId> ids;
    for (const engine::EncodedToken& token : tokens)
        ids.push_back(token.id);
    return ids;
}

/// Text to ids, without BOS, and back.
inline std::string roundTrip(const engine::Tokenizer& tokenizer, std::string_view bytes)
{
    const auto tokens = tokenizer.encode(bytes, {.addSpecialTokens = false});
    return tokens ? tokenizer.decode(idsOf(*tokens)) : tokens.error().message;
}

inline QString messageOf(const LoadedTokenizer& loaded)
{
    return loaded ? QStringLiteral("(loaded)") : text(loaded.error().message);
}

/// `content` as a JSON string.
inline std::string jsonString(std::string_view content)
{
    std::string json = "\"";
    for (const char c : content) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20) {
            json += "\\u00";
            json += "01"[byte >> 4];
            json += "0123456789abcdef"[byte & 15];
            continue;
        }
        if (c == '"' || c == '\\')
            json += '\\';
        json += c;
    }
    return json + '"';
}

/// {"a": 0, "b": 1, ...}
inline std::string vocabularyJson(const std::vector<std::string>& pieces)
{
    std::string json = "{";
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        json += i == 0 ? "" : ", ";
        json += jsonString(pieces[i]) + ": " + std::to_string(i);
    }
    return json + "}";
}

inline std::string listJson(const std::vector<std::string>& items)
{
    std::string json = "[";
    for (std::size_t i = 0; i < items.size(); ++i) {
        json += i == 0 ? "" : ", ";
        json += jsonString(items[i]);
    }
    return json + "]";
}

/// The 256 characters of the byte alphabet: id and byte are the same number.
inline std::vector<std::string> bytePieces()
{
    std::vector<std::string> pieces;
    for (unsigned byte = 0; byte < 256; ++byte)
        pieces.emplace_back(engine::byteCharacter(static_cast<unsigned char>(byte)));
    return pieces;
}

/// A byte-level tokenizer.json; `extra` is put among its members: "\"normalizer\": {...},".
inline std::string byteLevelJson(const std::vector<std::string>& pieces,
                                 const std::vector<std::string>& merges,
                                 const std::string& addedTokens = "[]",
                                 const std::string& extra = {}, const std::string& modelExtra = {})
{
    return "{\"added_tokens\": " + addedTokens + ", " + extra +
           (extra.find("pre_tokenizer") == std::string::npos
                ? std::string("\"pre_tokenizer\": {\"type\": \"ByteLevel\", "
                              "\"add_prefix_space\": false, \"use_regex\": true},")
                : std::string()) +
           "\"decoder\": {\"type\": \"ByteLevel\"}, \"model\": {\"type\": \"BPE\", " + modelExtra +
           "\"vocab\": " + vocabularyJson(pieces) + ", \"merges\": " + listJson(merges) + "}}";
}

/// Texts of random valid characters, the same every time.
inline std::string randomText(std::mt19937& random, std::size_t length)
{
    std::string bytes;
    for (std::size_t i = 0; i < length; ++i) {
        // A quarter of each: ASCII, two-byte scripts with combining marks, the rest of the basic
        // plane, all planes.
        const char32_t limits[] = {0x80, 0x800, 0x10000, 0x110000};
        auto codepoint = static_cast<char32_t>(random() % limits[random() % 4]);
        if (codepoint >= 0xD800 && codepoint <= 0xDFFF)
            codepoint = 0xFFFD;
        engine::appendUtf8(bytes, codepoint);
    }
    return bytes;
}

} // namespace tokenizerTesting
