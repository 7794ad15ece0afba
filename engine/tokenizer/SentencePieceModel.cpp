#include "engine/tokenizer/SentencePieceModel.h"

#include "engine/io/FileError.h"
#include "engine/io/MappedFile.h"
#include "engine/tokenizer/ProtobufReader.h"
#include "engine/tokenizer/Utf8.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace engine {

TokenKind tokenKindOfType(std::uint64_t type)
{
    switch (type) {
    case 1:
        return TokenKind::Normal;
    case 2:
        return TokenKind::Unknown;
    case 3:
        return TokenKind::Control;
    case 4:
        return TokenKind::UserDefined;
    case 6:
        return TokenKind::Byte;
    default:
        return TokenKind::Unused;
    }
}

namespace {

/// What a character that is no piece costs, below the least score. Source: SentencePiece.
constexpr float kUnknownPenalty = 10;

class SentencePieceModelReader
{
public:
    SentencePieceModelReader(const std::filesystem::path& file, const FolderConfig& config)
        : m_file(file), m_config(config)
    {}

    Result<TokenizerSpec> read()
    {
        const auto mapped = MappedFile::open(m_file);
        if (!mapped)
            return mapped.error();
        const auto bytes = mapped->bytes();
        Result<Done> done = readModel({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        if (done)
            done = checkKind();
        if (done)
            done = buildVocabulary();
        if (done)
            done = setNormalizer();
        if (!done)
            return done.error();
        setRoles();
        m_spec.unknown = m_spec.role("unknown");
        m_spec.fuseUnknown = true;
        m_spec.startsBehindSpecial = m_config.isLegacy.value_or(true);
        m_spec.replacements.emplace_back(kSpaceMark, " ");
        m_spec.leadingSpaces = m_addsPrefix ? 1 : 0;
        return std::move(m_spec);
    }

private:
    Error bad(std::string_view message) const
    {
        return fileError(ErrorCode::BadFormat, m_file, message);
    }

    Error unsupported(std::string_view message) const
    {
        return fileError(ErrorCode::UnsupportedFeature, m_file, message);
    }

    Error damaged() const { return bad("is not a SentencePiece model, or is cut short"); }

    Result<Done> readModel(std::string_view message)
    {
        ProtobufReader reader(message);
        while (const auto field = reader.next()) {
            Result<Done> done = Done{};
            if (field->number == 1 && field->isBytes)
                done = readPiece(field->bytes);
            else if (field->number == 2 && field->isBytes)
                done = readTrainer(field->bytes);
            else if (field->number == 3 && field->isBytes)
                done = readNormalizer(field->bytes);
            if (!done)
                return done;
        }
        if (!reader.ok())
            return damaged();
        return m_entries.empty() ? Result<Done>(damaged()) : Result<Done>(Done{});
    }

    Result<Done> readPiece(std::string_view message)
    {
        if (m_entries.size() >= static_cast<std::size_t>(Vocabulary::kMaximumSize))
            return bad("expected at most " + std::to_string(Vocabulary::kMaximumSize) + " pieces");
        VocabularyEntry entry{{}, TokenKind::Normal, 0};
        ProtobufReader reader(message);
        while (const auto field = reader.next()) {
            if (field->number == 1 && field->isBytes)
                entry.piece = field->bytes;
            else if (field->number == 2)
                entry.score = field->asFloat();
            else if (field->number == 3)
                entry.kind = tokenKindOfType(field->value);
        }
        const std::string name = "piece " + std::to_string(m_entries.size());
        if (!reader.ok() || entry.piece.empty())
            return bad(name + ": expected a text with a score and a kind");
        if (!std::isfinite(entry.score))
            return fileError(ErrorCode::NotFinite, m_file,
                             name + ": the score is no finite number");
        if (entry.kind == TokenKind::Byte && !byteOfPiece(entry.piece))
            return bad(name + ": expected a byte such as <0x0A>, found \"" +
                       printable(entry.piece) + "\"");
        m_entries.push_back(std::move(entry));
        return Done{};
    }

    Result<Done> readTrainer(std::string_view message)
    {
        ProtobufReader reader(message);
        while (const auto field = reader.next()) {
            const auto number = static_cast<std::int32_t>(field->value);
            switch (field->number) {
            case 3:
                m_modelType = field->value;
                break;
            case 24:
                m_spacesBehindWords = field->asBool();
                break;
            case 35:
                m_spec.byteFallback = field->asBool();
                break;
            case 40:
                m_unknownId = number;
                break;
            case 41:
                m_bosId = number;
                break;
            case 42:
                m_eosId = number;
                break;
            case 43:
                m_paddingId = number;
                break;
            default:
                break;
            }
        }
        return reader.ok() ? Result<Done>(Done{}) : Result<Done>(bad("trainer_spec is damaged"));
    }

    Result<Done> readNormalizer(std::string_view message)
    {
        ProtobufReader reader(message);
        while (const auto field = reader.next()) {
            switch (field->number) {
            case 2:
                m_characterMap = field->bytes;
                break;
            case 3:
                m_addsPrefix = field->asBool();
                break;
            case 4:
                m_removesExtra = field->asBool();
                break;
            case 5:
                m_escapesSpaces = field->asBool();
                break;
            default:
                break;
            }
        }
        return reader.ok() ? Result<Done>(Done{}) : Result<Done>(bad("normalizer_spec is damaged"));
    }

    Result<Done> checkKind()
    {
        if (m_modelType == 1)
            m_spec.family = TokenizerFamily::Unigram;
        else if (m_modelType == 2)
            m_spec.family = TokenizerFamily::SentencePieceBpe;
        else
            return unsupported(m_modelType == 3   ? "word models are not supported"
                               : m_modelType == 4 ? "character models are not supported"
                                                  : "model_type " + std::to_string(m_modelType) +
                                                        " is not known; Unigram (1) and BPE (2) "
                                                        "are");
        if (m_spacesBehindWords)
            return unsupported("treat_whitespace_as_suffix is not supported");
        if (!m_escapesSpaces)
            return unsupported("escape_whitespaces = false is not supported");
        m_spec.mergesByScore = m_spec.family == TokenizerFamily::SentencePieceBpe;
        m_spec.addsScoresAsFloats = true;
        m_spec.normalizesAddedTokens = false;
        return Done{};
    }

    /// What SentencePiece gives a Unigram model's user-defined pieces and unknown characters.
    void setScores()
    {
        float least = std::numeric_limits<float>::max();
        float most = std::numeric_limits<float>::min();
        for (const VocabularyEntry& entry : m_entries)
            if (entry.kind == TokenKind::Normal) {
                least = std::min(least, static_cast<float>(entry.score));
                most = std::max(most, static_cast<float>(entry.score));
            }
        m_spec.unknownScore = least - kUnknownPenalty;
        if (m_spec.family == TokenizerFamily::Unigram)
            for (VocabularyEntry& entry : m_entries)
                if (entry.kind == TokenKind::UserDefined)
                    entry.score = static_cast<float>(entry.piece.size()) * most - 0.1;
    }

    Result<Done> buildVocabulary()
    {
        setScores();
        addTokensOfConfig();
        Result<Vocabulary> built = Vocabulary::build(std::move(m_entries), m_file.string());
        if (!built)
            return built.error();
        m_spec.vocabulary = *std::move(built);
        findAddedTokens();
        return Done{};
    }

    /// The file's own, behind those of the configuration. BPE's user-defined ones are looked for in
    /// the normalised text, in which the character map has left them alone: white space around them
    /// is still that of one text. Unigram's are pieces like others, only with a score that favours
    /// them.
    void findAddedTokens()
    {
        std::vector<bool> known(static_cast<std::size_t>(m_spec.vocabulary.size()));
        for (const AddedToken& token : m_spec.addedTokens)
            known[static_cast<std::size_t>(token.id.value)] = true;
        for (int i = 0; i < m_spec.vocabulary.size(); ++i) {
            const VocabularyEntry& entry = m_spec.vocabulary[TokenId{i}];
            const bool special =
                entry.kind == TokenKind::Control || entry.kind == TokenKind::Unknown;
            const bool isWhole =
                entry.kind == TokenKind::UserDefined && m_spec.family != TokenizerFamily::Unigram;
            if (!known[static_cast<std::size_t>(i)] && (special || isWhole))
                m_spec.addedTokens.push_back({.id = {i},
                                              .content = entry.piece,
                                              .special = special,
                                              .normalized = !special});
        }
    }

    void addTokensOfConfig()
    {
        for (const AddedToken& token : m_config.addedTokens) {
            const auto index = static_cast<std::size_t>(token.id.value);
            if (index >= m_entries.size())
                m_entries.resize(index + 1);
            VocabularyEntry& entry = m_entries[index];
            if (!entry.piece.empty() && entry.piece != token.content) {
                m_spec.warnings.push_back("added token \"" + printable(token.content) +
                                          "\" is left out: its id has another token");
                continue;
            }
            entry.piece = token.content;
            if (entry.kind != TokenKind::Unknown)
                entry.kind = token.special ? TokenKind::Control : TokenKind::UserDefined;
            m_spec.addedTokens.push_back(token);
        }
    }

    Result<Done> setNormalizer()
    {
        if (!m_characterMap.empty()) {
            Result<CharacterMap> map = CharacterMap::read(m_characterMap, m_file.string());
            if (!map)
                return map.error();
            m_spec.normalizer.addCharacterMap(*std::move(map), userDefinedPieces());
        }
        m_spec.normalizer.addSentencePieceSpaces(m_removesExtra, m_addsPrefix);
        return Done{};
    }

    PieceTrie userDefinedPieces() const
    {
        std::vector<std::pair<std::string_view, TokenId>> pieces;
        for (int i = 0; i < m_spec.vocabulary.size(); ++i)
            if (m_spec.vocabulary[TokenId{i}].kind == TokenKind::UserDefined)
                pieces.emplace_back(m_spec.vocabulary[TokenId{i}].piece, TokenId{i});
        return PieceTrie(std::move(pieces));
    }

    void setRoles()
    {
        const std::array<std::pair<const char*, std::int32_t>, 4> roles = {
            {{"unknown", m_unknownId},
             {"bos", m_bosId},
             {"eos", m_eosId},
             {"padding", m_paddingId}}};
        for (const auto& [role, id] : roles) {
            const TokenId token{id};
            if (!m_spec.vocabulary.contains(token))
                continue;
            const TokenKind kind = m_spec.vocabulary[token].kind;
            if (kind == TokenKind::Control || kind == TokenKind::Unknown)
                m_spec.addRole(role, token);
        }
        // The defaults of Hugging Face's classes; a folder that says otherwise has the last word.
        const bool isT5 = m_config.tokenizerClass.starts_with("T5");
        if (const auto eos = m_spec.role("eos"); eos && isT5)
            m_spec.after.push_back(*eos);
        if (const auto bos = m_spec.role("bos"); bos && !isT5)
            m_spec.before.push_back(*bos);
    }

    const std::filesystem::path& m_file;
    const FolderConfig& m_config;
    TokenizerSpec m_spec;
    std::vector<VocabularyEntry> m_entries;
    // The defaults of the format.
    std::uint64_t m_modelType = 1;
    bool m_spacesBehindWords = false;
    std::int32_t m_unknownId = 0;
    std::int32_t m_bosId = 1;
    std::int32_t m_eosId = 2;
    std::int32_t m_paddingId = -1;
    std::string m_characterMap;
    bool m_addsPrefix = true;
    bool m_removesExtra = true;
    bool m_escapesSpaces = true;
};

} // namespace

Result<TokenizerSpec> readSentencePieceModel(const std::filesystem::path& file,
                                             const FolderConfig& config)
{
    return SentencePieceModelReader(file, config).read();
}

} // namespace engine
