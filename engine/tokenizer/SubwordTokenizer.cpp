#include "engine/tokenizer/SubwordTokenizer.h"

#include "engine/tokenizer/ByteLevelBpe.h"
#include "engine/tokenizer/SentencePieceBpe.h"
#include "engine/tokenizer/TokenizerDigest.h"
#include "engine/tokenizer/Unigram.h"
#include "engine/tokenizer/Utf8.h"

#include <algorithm>

namespace engine {

/// The state of one encode call.
struct SubwordTokenizer::Encoding
{
    AddedTokenMatcher::SpecialPolicy policy;
    Workspace workspace;
    std::vector<TokenId> ids; ///< of the word at hand
    std::vector<EncodedToken> tokens;

    void add(const AddedToken& token)
    {
        tokens.push_back({token.id, token.special ? TokenOrigin::Special : TokenOrigin::Prompt});
    }
};

std::shared_ptr<const Tokenizer> SubwordTokenizer::make(TokenizerSpec spec)
{
    std::shared_ptr<SubwordTokenizer> tokenizer;
    if (spec.family == TokenizerFamily::ByteLevelBpe)
        tokenizer = std::make_shared<ByteLevelBpe>(std::move(spec));
    else if (spec.family == TokenizerFamily::SentencePieceBpe)
        tokenizer = std::make_shared<SentencePieceBpe>(std::move(spec));
    else
        tokenizer = std::make_shared<Unigram>(std::move(spec));
    tokenizer->describe();
    return tokenizer;
}

SubwordTokenizer::SubwordTokenizer(TokenizerSpec spec) : m_spec(std::move(spec))
{
    prepareMatchers();
}

void SubwordTokenizer::prepareMatchers()
{
    std::vector<AddedToken> raw;
    std::vector<AddedToken> normalized;
    for (const AddedToken& token : m_spec.addedTokens) {
        if (!token.normalized) {
            raw.push_back(token);
            continue;
        }
        AddedToken changed = token;
        if (m_spec.normalizesAddedTokens)
            if (Result<std::string> content = m_spec.normalizer.apply(token.content))
                changed.content = *std::move(content);
        normalized.push_back(std::move(changed));
    }
    m_rawTokens = AddedTokenMatcher(std::move(raw));
    m_normalizedTokens = AddedTokenMatcher(std::move(normalized));
}

void SubwordTokenizer::describe()
{
    m_info.kind = kind();
    m_info.vocabularySize = vocabularySize();
    m_info.addsBos = !m_spec.before.empty();
    m_info.addsEos = !m_spec.after.empty();
    for (const auto& [role, id] : m_spec.roles)
        m_info.specialTokens.push_back({role, piece(id)});
    m_info.chatTemplate = m_spec.chatTemplate;
    m_info.warnings = m_spec.warnings;
    m_info.sha256 = tokenizerSha256(m_spec);
}

Result<std::vector<EncodedToken>> SubwordTokenizer::encode(std::string_view text,
                                                           const EncodeOptions& options) const
{
    if (const auto offset = firstInvalidByte(text))
        return Error{ErrorCode::InvalidArgument,
                     "text: expected UTF-8, found a byte that makes no character at offset " +
                         std::to_string(*offset)};
    Encoding encoding;
    encoding.policy = {options.parseSpecial, options.plainText};
    if (const auto done = encodeRaw(text, encoding); !done)
        return done.error();

    std::vector<EncodedToken>& tokens = encoding.tokens;
    if (!options.addSpecialTokens.value_or(true))
        return std::move(tokens);
    // A BOS that the text already begins with, or an EOS that it ends with, is not put twice.
    const auto written = [](const EncodedToken& token, TokenId id) {
        return token.origin == TokenOrigin::Special && token.id == id;
    };
    std::vector<EncodedToken> before;
    for (const TokenId id : m_spec.before)
        if (tokens.empty() || !written(tokens.front(), id))
            before.push_back({id, TokenOrigin::Bos});
    tokens.insert(tokens.begin(), before.begin(), before.end());
    for (const TokenId id : m_spec.after)
        if (tokens.empty() || !written(tokens.back(), id))
            tokens.push_back({id, TokenOrigin::Special});
    return std::move(tokens);
}

/// Added tokens in the text as it is, then what lies between them.
Result<Done> SubwordTokenizer::encodeRaw(std::string_view text, Encoding& encoding) const
{
    for (const auto& part : m_rawTokens.split(text, encoding.policy)) {
        if (part.token)
            encoding.add(*part.token);
        else if (const auto done = encodeSegment(part.range.of(text), part.range.begin, encoding);
                 !done)
            return done;
    }
    return Done{};
}

bool SubwordTokenizer::isNormalizedAsStart(std::size_t offset, const Encoding& encoding) const
{
    return offset == 0 || (m_spec.startsBehindSpecial && !encoding.tokens.empty() &&
                           encoding.tokens.back().origin == TokenOrigin::Special);
}

/// Text that starts at `offset`: normalised, then added tokens that are looked for in that form.
Result<Done> SubwordTokenizer::encodeSegment(std::string_view text, std::size_t offset,
                                             Encoding& encoding) const
{
    Result<std::string> normalized =
        m_spec.normalizer.apply(text, isNormalizedAsStart(offset, encoding));
    if (!normalized)
        return normalized.error();
    if (m_normalizedTokens.empty())
        return encodePlain(*std::move(normalized), offset == 0, encoding);

    const ByteRange plain = encoding.policy.plain;
    AddedTokenMatcher::SpecialPolicy policy = encoding.policy;
    policy.plain = {std::max(plain.begin, offset) - offset, std::max(plain.end, offset) - offset};
    // Normalising moves bytes about, so a segment that holds some plain text is all plain.
    if (!m_spec.normalizer.empty() && policy.plain.begin < std::min(policy.plain.end, text.size()))
        policy.parse = false;
    for (const auto& part : m_normalizedTokens.split(*normalized, policy)) {
        if (part.token)
            encoding.add(*part.token);
        else if (const auto done = encodePlain(std::string(part.range.of(*normalized)),
                                               offset == 0 && part.range.begin == 0, encoding);
                 !done)
            return done;
    }
    return Done{};
}

Result<Done> SubwordTokenizer::encodePlain(std::string text, bool atStart, Encoding& encoding) const
{
    const Result<Words> words = m_spec.preTokenizer.split(std::move(text), atStart);
    if (!words)
        return words.error();
    for (const ByteRange& range : words->ranges) {
        if (range.empty())
            continue;
        encoding.ids.clear();
        if (const auto done = encodeWord(range.of(words->text), encoding.workspace, encoding.ids);
            !done)
            return done;
        for (const TokenId id : encoding.ids)
            encoding.tokens.push_back({id, TokenOrigin::Prompt});
    }
    return Done{};
}

Result<Done> SubwordTokenizer::addUnknown(std::string_view text, std::vector<TokenId>& ids) const
{
    const auto byteToken = [this](char byte) {
        return vocabulary().byteToken(static_cast<unsigned char>(byte));
    };
    if (m_spec.byteFallback && std::all_of(text.begin(), text.end(), byteToken)) {
        for (const char byte : text)
            ids.push_back(*byteToken(byte));
        return Done{};
    }
    const std::optional<TokenId> unknown = m_spec.unknown;
    if (!unknown)
        return Error{ErrorCode::InvalidArgument,
                     "text: the vocabulary has no token for the "
                     "character " +
                         std::string(text.substr(0, characterSize(text, 0))) +
                         ", nor one for what is unknown"};
    if (!m_spec.fuseUnknown || ids.empty() || ids.back() != *unknown)
        ids.push_back(*unknown);
    return Done{};
}

std::string SubwordTokenizer::withReplacements(const std::string& piece) const
{
    std::string text = piece;
    for (const auto& [from, to] : m_spec.replacements)
        for (std::size_t at = text.find(from); at != std::string::npos;
             at = text.find(from, at + to.size()))
            text.replace(at, from.size(), to);
    return text;
}

std::string SubwordTokenizer::bytesOf(TokenId id) const
{
    if (!vocabulary().contains(id))
        return {};
    const VocabularyEntry& entry = vocabulary()[id];
    switch (entry.kind) {
    case TokenKind::Normal:
        return textOf(entry);
    case TokenKind::Byte:
        if (const auto byte = byteOfPiece(entry.piece))
            return std::string(1, static_cast<char>(*byte));
        return textOf(entry);
    case TokenKind::UserDefined:
        return m_spec.replacements.empty() ? entry.piece : textOf(entry);
    case TokenKind::Control:
    case TokenKind::Unknown:
        return entry.piece;
    case TokenKind::Unused:
        return {};
    }
    return {};
}

TokenPiece SubwordTokenizer::piece(TokenId id) const
{
    const bool inside = vocabulary().contains(id);
    return {id, bytesOf(id), inside ? vocabulary()[id].kind : TokenKind::Unused};
}

std::string SubwordTokenizer::decode(std::span<const TokenId> ids, bool atStart) const
{
    std::string text;
    for (const TokenId id : ids) {
        std::string bytes = bytesOf(id);
        const bool special =
            vocabulary().contains(id) && vocabulary()[id].kind == TokenKind::Control;
        // The space belongs to the text, which a BOS before it does not begin.
        if (atStart && !special && !bytes.empty()) {
            const std::size_t spaces = std::min(bytes.find_first_not_of(' '), bytes.size());
            bytes.erase(0, std::min(spaces, m_spec.leadingSpaces));
            atStart = false;
        }
        text += bytes;
    }
    return text;
}

} // namespace engine
