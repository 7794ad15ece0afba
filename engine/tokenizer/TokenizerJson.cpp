#include "engine/tokenizer/TokenizerJson.h"

#include "engine/io/FileError.h"
#include "engine/tokenizer/TokenizerJsonParts.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

namespace engine {

namespace {

/// Reads one file; the members are filled in the order of the functions of `read`.
class TokenizerJsonReader
{
public:
    TokenizerJsonReader(const std::filesystem::path& file, const FolderConfig& config)
        : m_file(file), m_config(config), m_parts(m_spec, file.string())
    {}

    Result<TokenizerSpec> read()
    {
        const auto document = JsonDocument::read(m_file);
        if (!document)
            return document.error();
        const JsonValue root = document->root();
        if (!root.isObject())
            return bad("expected an object");
        const JsonValue model = root["model"];
        Result<Done> done = checkModel(model);
        if (done)
            done = m_parts.readNormalizer(root["normalizer"]);
        if (done)
            done = m_parts.readPreTokenizer(root["pre_tokenizer"]);
        if (done)
            done = m_parts.readDecoder(root["decoder"]);
        if (done)
            done = chooseFamily();
        if (done)
            done = readAddedTokens(root["added_tokens"]);
        if (done)
            done = readVocabulary(model);
        if (done && m_spec.family != TokenizerFamily::Unigram)
            done = readMerges(model["merges"]);
        if (done)
            done = m_parts.readPostProcessor(root["post_processor"]);
        if (!done)
            return done.error();
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

    Result<Done> checkModel(JsonValue model)
    {
        if (!model.isObject())
            return bad("expected an object \"model\"");
        // Files from before the type was written are told by their merges.
        const std::string_view type =
            model["type"].string().value_or(model["merges"].isArray() ? "BPE" : "");
        m_isUnigram = type == "Unigram";
        if (type != "BPE" && !m_isUnigram)
            return unsupported("model \"" + printable(type) +
                               "\" is not supported; BPE and Unigram are");
        for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"})
            if (!model[key].string().value_or("").empty())
                return unsupported("model BPE with " + std::string(key) +
                                   " is not supported; byte-level and SentencePiece BPE are");
        if (model["dropout"].number().value_or(0) > 0)
            m_spec.warnings.push_back("the tokenizer's dropout, a rule for training, is left out");
        m_spec.ignoreMerges = model["ignore_merges"].boolean().value_or(false);
        m_spec.fuseUnknown = m_isUnigram || model["fuse_unk"].boolean().value_or(false);
        m_spec.byteFallback = model["byte_fallback"].boolean().value_or(false);
        return Done{};
    }

    Result<Done> chooseFamily()
    {
        if (m_isUnigram && m_parts.splitsBytes())
            return unsupported("a Unigram model behind a ByteLevel pre_tokenizer is not supported");
        if (m_isUnigram)
            m_spec.family = TokenizerFamily::Unigram;
        else if (m_parts.splitsBytes())
            m_spec.family = TokenizerFamily::ByteLevelBpe;
        else if (m_spec.byteFallback || !m_spec.replacements.empty())
            m_spec.family = TokenizerFamily::SentencePieceBpe;
        else
            return unsupported("a BPE model without a ByteLevel pre_tokenizer, byte_fallback or "
                               "a decoder for spaces is not supported; byte-level and "
                               "SentencePiece BPE are");
        return Done{};
    }

    Result<Done> readAddedTokens(JsonValue tokens)
    {
        if (!tokens.isMissing() && !tokens.isNull() && !tokens.isArray())
            return bad("expected an array \"added_tokens\"");
        for (const JsonValue value : elementsOf(tokens)) {
            auto token = addedTokenFrom(value, value["id"].integer().value_or(-1));
            if (!token)
                return bad("added_tokens: expected each to have a content and an id from 0 to " +
                           std::to_string(Vocabulary::kMaximumSize - 1));
            m_spec.addedTokens.push_back(*std::move(token));
        }
        return Done{};
    }

    Result<Done> readVocabulary(JsonValue model)
    {
        VocabularyBuilder builder(m_file.string());
        Result<Done> done = m_isUnigram ? addScoredPieces(model["vocab"], builder)
                                        : addPieces(model["vocab"], builder);
        for (const AddedToken& token : m_spec.addedTokens)
            if (done)
                done = builder.add(token.id.value, token.content,
                                   token.special ? TokenKind::Control : TokenKind::UserDefined);
        if (!done)
            return done;
        addTokensOfConfig(builder);
        Result<Vocabulary> built = std::move(builder).build();
        if (!built)
            return built.error();
        m_spec.vocabulary = *std::move(built);
        return m_isUnigram ? readUnknownId(model["unk_id"]) : readUnknown(model["unk_token"]);
    }

    TokenKind kindOf(std::string_view piece) const
    {
        return m_spec.byteFallback && byteOfPiece(piece) ? TokenKind::Byte : TokenKind::Normal;
    }

    Result<Done> addPieces(JsonValue vocabulary, VocabularyBuilder& builder) const
    {
        if (!vocabulary.isObject() || vocabulary.size() == 0)
            return bad("model: expected an object \"vocab\" that is not empty");
        Result<Done> done = Done{};
        vocabulary.forEachMember([&](std::string_view piece, JsonValue id) {
            if (done)
                done = builder.add(id.integer().value_or(-1), piece, kindOf(piece));
        });
        return done;
    }

    /// Unigram: [["piece", score], ...] in the order of ids.
    Result<Done> addScoredPieces(JsonValue vocabulary, VocabularyBuilder& builder)
    {
        constexpr double kUnknownPenalty = 10; // as SentencePiece has it
        if (!vocabulary.isArray() || vocabulary.size() == 0)
            return bad("model: expected an array \"vocab\" that is not empty");
        Result<Done> done = Done{};
        std::int64_t id = 0;
        double least = std::numeric_limits<double>::infinity();
        vocabulary.forEachElement([&](JsonValue entry) {
            if (!done)
                return;
            const std::vector<JsonValue> pair = elementsOf(entry);
            const auto piece = pair.size() == 2 ? pair[0].string() : std::nullopt;
            if (!piece || !pair[1].isNumber()) {
                done = bad("model: vocab: entry " + std::to_string(id) +
                           ": expected [\"piece\", score]");
                return;
            }
            const double score = pair[1].number().value_or(0);
            done = builder.add(id, *piece, kindOf(*piece), score);
            least = std::min(least, score);
            ++id;
        });
        m_spec.unknownScore = least - kUnknownPenalty;
        return done;
    }

    void addTokensOfConfig(VocabularyBuilder& builder)
    {
        std::unordered_set<std::string_view> known;
        for (const AddedToken& token : m_spec.addedTokens)
            known.insert(token.content);
        std::vector<AddedToken> more;
        for (const AddedToken& token : m_config.addedTokens) {
            if (known.contains(token.content))
                continue;
            if (builder.add(token.id.value, token.content,
                            token.special ? TokenKind::Control : TokenKind::UserDefined))
                more.push_back(token);
            else
                m_spec.warnings.push_back("added token \"" + printable(token.content) +
                                          "\" is left out: its id has another token");
        }
        m_spec.addedTokens.insert(m_spec.addedTokens.end(), more.begin(), more.end());
    }

    Result<Done> readUnknownId(JsonValue value)
    {
        if (value.isMissing() || value.isNull())
            return Done{};
        const std::int64_t id = value.integer().value_or(-1);
        if (id < 0 || id >= m_spec.vocabulary.size())
            return bad("model: unk_id: expected an id of the vocabulary");
        setUnknown({static_cast<std::int32_t>(id)});
        return Done{};
    }

    void setUnknown(TokenId id)
    {
        m_spec.unknown = id;
        m_spec.addRole("unknown", id);
        m_spec.makeSpecial(id);
        m_spec.vocabulary.setKind(id, TokenKind::Unknown);
    }

    Result<Done> readUnknown(JsonValue value)
    {
        const auto piece = value.string();
        if (!piece)
            return Done{};
        const auto id = m_spec.vocabulary.find(*piece);
        if (!id)
            return bad("model: the unk_token \"" + printable(*piece) +
                       "\" is not in the vocabulary");
        setUnknown(*id);
        return Done{};
    }

    Result<Done> readMerges(JsonValue merges)
    {
        if (!merges.isArray())
            return bad("model: expected an array \"merges\"");
        m_spec.merges.reserve(merges.size());
        const std::string where = m_file.string();
        Result<Done> done = Done{};
        merges.forEachElement([&](JsonValue value) {
            if (!done)
                return;
            const Result<Merge> merge = readMerge(value, where);
            if (merge)
                m_spec.merges.push_back(*merge);
            else
                done = merge.error();
        });
        return done;
    }

    Result<Merge> readMerge(JsonValue value, const std::string& where) const
    {
        if (const auto line = value.string())
            return parseMerge(*line, m_spec.vocabulary, where);
        const std::vector<JsonValue> pair = elementsOf(value);
        const auto left = pair.size() == 2 ? pair[0].string() : std::nullopt;
        const auto right = pair.size() == 2 ? pair[1].string() : std::nullopt;
        if (!left || !right)
            return bad("model: expected each merge as \"a b\" or [\"a\", \"b\"]");
        return findMerge(*left, *right, m_spec.vocabulary, where);
    }

    const std::filesystem::path& m_file;
    const FolderConfig& m_config;
    TokenizerSpec m_spec;
    TokenizerJsonParts m_parts;
    bool m_isUnigram = false;
};

} // namespace

std::optional<AddedToken> addedTokenFrom(JsonValue value, std::int64_t id)
{
    const auto content = value["content"].string();
    if (!content || id < 0 || id >= Vocabulary::kMaximumSize)
        return std::nullopt;
    const auto flag = [&](const char* key) { return value[key].boolean().value_or(false); };
    return AddedToken{.id = {static_cast<std::int32_t>(id)},
                      .content = std::string(*content),
                      .special = flag("special"),
                      .singleWord = flag("single_word"),
                      .leftStrip = flag("lstrip"),
                      .rightStrip = flag("rstrip"),
                      .normalized = flag("normalized")};
}

Result<TokenizerSpec> readTokenizerJson(const std::filesystem::path& file,
                                        const FolderConfig& config)
{
    return TokenizerJsonReader(file, config).read();
}

} // namespace engine
