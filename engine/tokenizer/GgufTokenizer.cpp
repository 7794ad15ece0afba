#include "engine/tokenizer/GgufTokenizer.h"

#include "engine/io/FileError.h"
#include "engine/tokenizer/NamedPreTokenizers.h"
#include "engine/tokenizer/SentencePieceModel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

namespace engine {

namespace {

class GgufTokenizerReader
{
public:
    explicit GgufTokenizerReader(const GgufFile& file) : m_file(file) {}

    Result<TokenizerSpec> read()
    {
        const auto model = m_file.string("tokenizer.ggml.model");
        if (!model)
            return error(ErrorCode::MissingTokenizer,
                         "has no tokenizer (metadata tokenizer.ggml.model)");
        if (*model == "gpt2")
            m_spec.family = TokenizerFamily::ByteLevelBpe;
        else if (*model == "llama")
            m_spec.family = TokenizerFamily::SentencePieceBpe;
        else if (*model == "t5")
            m_spec.family = TokenizerFamily::Unigram;
        else
            return error(ErrorCode::UnsupportedFeature,
                         "tokenizer \"" + printable(*model) +
                             "\" is not supported; \"gpt2\" (byte-level BPE), \"llama\" "
                             "(SentencePiece BPE) and \"t5\" (Unigram) are");
        if (const auto done = readVocabulary(); !done)
            return done.error();
        if (const auto done = readFamily(); !done)
            return done.error();
        if (const auto done = readRoles(); !done)
            return done.error();
        findAddedTokens();
        applyRules();
        findStopTokens(m_spec);
        m_spec.chatTemplate = m_file.string("tokenizer.chat_template").value_or("");
        return std::move(m_spec);
    }

private:
    Error error(ErrorCode code, std::string_view message) const
    {
        return fileError(code, m_file.path(), message);
    }

    Result<Done> readVocabulary()
    {
        const GgufArray* array = m_file.array("tokenizer.ggml.tokens");
        const auto* tokens = array ? array->strings() : nullptr;
        if (!tokens || tokens->empty())
            return error(ErrorCode::MissingTokenizer,
                         "has no vocabulary (metadata tokenizer.ggml.tokens)");
        if (tokens->size() > static_cast<std::size_t>(Vocabulary::kMaximumSize))
            return error(ErrorCode::BadFormat, "tokenizer.ggml.tokens: expected at most " +
                                                   std::to_string(Vocabulary::kMaximumSize) +
                                                   " tokens, found " +
                                                   std::to_string(tokens->size()));
        std::vector<VocabularyEntry> entries(tokens->size());
        for (std::size_t i = 0; i < entries.size(); ++i)
            entries[i] = {std::string((*tokens)[i]), TokenKind::Normal, 0};
        if (const auto done = readKinds(entries); !done)
            return done;
        if (const auto done = readScores(entries); !done)
            return done;
        Result<Vocabulary> built = Vocabulary::build(std::move(entries), m_file.path().string());
        if (!built)
            return built.error();
        m_spec.vocabulary = *std::move(built);
        return Done{};
    }

    Result<Done> wrongLength(const char* key, std::size_t expected, std::size_t found) const
    {
        return error(ErrorCode::BadFormat,
                     std::string(key) + ": expected " + std::to_string(expected) +
                         " values, one a token, found " + std::to_string(found));
    }

    Result<Done> readKinds(std::vector<VocabularyEntry>& entries) const
    {
        const GgufArray* array = m_file.array("tokenizer.ggml.token_type");
        if (array && !array->integers())
            return error(ErrorCode::BadFormat, "tokenizer.ggml.token_type: expected integers");
        if (array && array->size() < entries.size())
            return wrongLength("tokenizer.ggml.token_type", entries.size(), array->size());
        for (std::size_t i = 0; i < entries.size(); ++i) {
            VocabularyEntry& entry = entries[i];
            if (array)
                entry.kind = tokenKindOfType(static_cast<std::uint64_t>((*array->integers())[i]));
            else if (byteOfPiece(entry.piece) && m_spec.family == TokenizerFamily::SentencePieceBpe)
                entry.kind = TokenKind::Byte;
            if (entry.piece.empty())
                entry.kind = TokenKind::Unused;
            // Many files call such tokens normal, and text could then end the user's turn.
            else if ((entry.kind == TokenKind::Normal || entry.kind == TokenKind::UserDefined) &&
                     isWellKnownSpecial(entry.piece))
                entry.kind = TokenKind::Control;
        }
        return Done{};
    }

    Result<Done> readScores(std::vector<VocabularyEntry>& entries) const
    {
        const GgufArray* array = m_file.array("tokenizer.ggml.scores");
        if (!array)
            return Done{};
        if (array->size() < entries.size())
            return wrongLength("tokenizer.ggml.scores", entries.size(), array->size());
        for (std::size_t i = 0; i < entries.size(); ++i) {
            if (const auto* numbers = array->numbers())
                entries[i].score = (*numbers)[i];
            else if (const auto* integers = array->integers())
                entries[i].score = static_cast<double>((*integers)[i]);
            if (std::isnan(entries[i].score))
                return error(ErrorCode::NotFinite, "tokenizer.ggml.scores: the score of token " +
                                                       std::to_string(i) + " is no number");
        }
        return Done{};
    }

    Result<Done> readFamily()
    {
        switch (m_spec.family) {
        case TokenizerFamily::ByteLevelBpe:
            return readByteLevel();
        case TokenizerFamily::SentencePieceBpe:
            return readSentencePiece();
        case TokenizerFamily::Unigram:
            return readUnigram();
        }
        return Done{};
    }

    Result<Done> readUnigram()
    {
        constexpr double kUnknownPenalty = 10; // as SentencePiece has it
        m_spec.fuseUnknown = true;
        double least = 0;
        for (int i = 0; i < m_spec.vocabulary.size(); ++i)
            if (m_spec.vocabulary[TokenId{i}].kind == TokenKind::Normal)
                least = std::min(least, m_spec.vocabulary[TokenId{i}].score);
        m_spec.unknownScore = least - kUnknownPenalty;
        if (const auto done = readCharacterMap(); !done)
            return done;
        const bool addsPrefix = m_file.boolean("tokenizer.ggml.add_space_prefix").value_or(false);
        m_spec.normalizer.addSentencePieceSpaces(
            m_file.boolean("tokenizer.ggml.remove_extra_whitespaces").value_or(false), addsPrefix);
        m_spec.startsBehindSpecial = true;
        m_spec.leadingSpaces = addsPrefix ? 1 : 0;
        m_spec.replacements.emplace_back(kSpaceMark, " ");
        m_addsEos = true;
        return Done{};
    }

    Result<Done> readCharacterMap()
    {
        constexpr const char* key = "tokenizer.ggml.precompiled_charsmap";
        const GgufArray* array = m_file.array(key);
        if (!array || array->size() == 0)
            return Done{};
        if (!array->integers())
            return error(ErrorCode::BadFormat, std::string(key) + ": expected bytes");
        std::string bytes;
        bytes.reserve(array->size());
        for (const std::int64_t byte : *array->integers())
            bytes += static_cast<char>(byte);
        Result<CharacterMap> map = CharacterMap::read(bytes, m_file.path().string() + ": " + key);
        if (!map)
            return map.error();
        m_spec.normalizer.addCharacterMap(*std::move(map), PieceTrie());
        return Done{};
    }

    Result<Done> readSentencePiece()
    {
        m_spec.mergesByScore = true;
        m_spec.byteFallback = true;
        m_spec.fuseUnknown = true;
        if (m_file.boolean("tokenizer.ggml.add_space_prefix").value_or(true)) {
            m_spec.normalizer.addPrepend(std::string(kSpaceMark));
            m_spec.leadingSpaces = 1;
        }
        m_spec.normalizer.addReplace(" ", std::string(kSpaceMark));
        m_spec.replacements.emplace_back(kSpaceMark, " ");
        m_addsBos = true;
        return Done{};
    }

    Result<Done> readByteLevel()
    {
        const std::string_view name = m_file.string("tokenizer.ggml.pre").value_or("");
        NamedPreTokenizer named = preTokenizerByName(name.empty() ? "default" : name);
        if (name.empty())
            m_spec.warnings.push_back("the file does not name its split rule (tokenizer.ggml.pre); "
                                      "the default rule is used, which may split words otherwise "
                                      "than the model learned");
        else if (!named.known)
            m_spec.warnings.push_back("the split rule \"" + printable(name) +
                                      "\" (tokenizer.ggml.pre) is not known; the default rule is "
                                      "used, which may split words otherwise than the model "
                                      "learned");
        m_spec.preTokenizer = std::move(named.rules);
        m_spec.ignoreMerges = named.ignoresMerges;
        m_addsBos = named.addsBos;

        const GgufArray* array = m_file.array("tokenizer.ggml.merges");
        const auto* merges = array ? array->strings() : nullptr;
        if (!merges)
            return error(ErrorCode::BadFormat,
                         "expected the merges of byte-level BPE (metadata tokenizer.ggml.merges)");
        m_spec.merges.reserve(merges->size());
        const std::string where = m_file.path().string() + ": tokenizer.ggml.merges";
        for (const std::string_view line : *merges) {
            const Result<Merge> merge = parseMerge(line, m_spec.vocabulary, where);
            if (!merge)
                return merge.error();
            m_spec.merges.push_back(*merge);
        }
        return Done{};
    }

    Result<Done> readRoles()
    {
        constexpr std::array<std::pair<const char*, const char*>, 9> keys = {
            {{"bos_token_id", "bos"},
             {"eos_token_id", "eos"},
             {"eot_token_id", "eot"},
             {"eom_token_id", "eom"},
             {"unknown_token_id", "unknown"},
             {"padding_token_id", "padding"},
             {"seperator_token_id", "separator"}, // as the format spells it
             {"cls_token_id", "class"},
             {"mask_token_id", "mask"}}};
        for (const auto& [key, role] : keys) {
            const auto id = m_file.integer(std::string("tokenizer.ggml.") + key);
            if (!id)
                continue;
            if (*id < 0 || *id >= m_spec.vocabulary.size()) {
                m_spec.warnings.push_back("the " + std::string(role) + " token " +
                                          std::to_string(*id) + " is not in the vocabulary");
                continue;
            }
            m_spec.addRole(role, {static_cast<std::int32_t>(*id)});
        }
        using Default = std::pair<const char*, std::int32_t>;
        constexpr std::array<Default, 3> bpe = {{{"bos", 1}, {"eos", 2}, {"unknown", 0}}};
        constexpr std::array<Default, 2> unigram = {{{"eos", 1}, {"unknown", 2}}};
        const auto setDefaults = [&](std::span<const Default> defaults) {
            for (const auto& [role, id] : defaults)
                if (!m_file.integer(std::string("tokenizer.ggml.") + role + "_token_id") &&
                    id < m_spec.vocabulary.size())
                    m_spec.addRole(role, {id});
            m_spec.unknown = m_spec.role("unknown");
        };
        if (m_spec.family == TokenizerFamily::SentencePieceBpe)
            setDefaults(bpe);
        else if (m_spec.family == TokenizerFamily::Unigram)
            setDefaults(unigram);
        for (const char* role : {"bos", "eos", "eot", "eom"})
            if (const auto id = m_spec.role(role);
                id && m_spec.vocabulary[*id].kind == TokenKind::Normal)
                m_spec.vocabulary.setKind(*id, TokenKind::Control);
        return Done{};
    }

    void findAddedTokens()
    {
        // Phi-3's special tokens take the white space behind them, which its GGUF files do not say.
        std::string name(m_file.string("general.name").value_or(""));
        std::transform(name.begin(), name.end(), name.begin(), [](char c) {
            return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        });
        const bool isPhi3 =
            name.find("phi-3") != std::string::npos || name.find("phi3") != std::string::npos;
        for (int i = 0; i < m_spec.vocabulary.size(); ++i) {
            const VocabularyEntry& entry = m_spec.vocabulary[TokenId{i}];
            const bool special =
                entry.kind == TokenKind::Control || entry.kind == TokenKind::Unknown;
            if (!special && entry.kind != TokenKind::UserDefined)
                continue;
            const bool strips = isPhi3 && entry.piece != "<unk>" && entry.piece != "<s>" &&
                                entry.piece != "<|endoftext|>";
            m_spec.addedTokens.push_back(
                {.id = {i}, .content = entry.piece, .special = special, .rightStrip = strips});
        }
    }

    void applyRules()
    {
        const auto apply = [this](bool adds, const char* role, std::vector<TokenId>& ids) {
            const auto id = m_spec.role(role);
            if (adds && id)
                ids.push_back(*id);
            else if (adds)
                m_spec.warnings.push_back("the file says that " + std::string(role) +
                                          " is added, but has no " + role + " token");
        };
        apply(m_file.boolean("tokenizer.ggml.add_bos_token").value_or(m_addsBos), "bos",
              m_spec.before);
        apply(m_file.boolean("tokenizer.ggml.add_eos_token").value_or(m_addsEos), "eos",
              m_spec.after);
    }

    const GgufFile& m_file;
    TokenizerSpec m_spec;
    bool m_addsBos = false;
    bool m_addsEos = false;
};

} // namespace

Result<TokenizerSpec> readGgufTokenizer(const GgufFile& file)
{
    return GgufTokenizerReader(file).read();
}

} // namespace engine
