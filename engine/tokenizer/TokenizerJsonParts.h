#pragma once

#include "engine/api/Error.h"
#include "engine/io/Json.h"
#include "engine/tokenizer/TokenizerSpec.h"

#include <string>
#include <vector>

namespace engine {

/// Reads the steps that tokenizer.json puts around its model into a specification.
/// All errors: UnsupportedFeature for a step that is not known, by name with those that are;
/// BadFormat for one without what it needs. `where` begins the messages: the file's name.
class TokenizerJsonParts
{
public:
    TokenizerJsonParts(TokenizerSpec& spec, std::string where)
        : m_spec(spec), m_where(std::move(where))
    {}

    Result<Done> readNormalizer(JsonValue step);
    Result<Done> readPreTokenizer(JsonValue step);
    Result<Done> readDecoder(JsonValue step);
    /// After the vocabulary is there.
    Result<Done> readPostProcessor(JsonValue step);

    /// Was there a step that turns bytes into the byte alphabet, or back?
    bool splitsBytes() const { return m_splitsBytes; }
    bool decodesBytes() const { return m_decodesBytes; }

private:
    enum class Part
    {
        Normalizer,
        PreTokenizer,
        Decoder,
        PostProcessor,
    };

    Result<Done> readSequence(JsonValue steps, Part part);
    Result<Done> readReplace(JsonValue step);
    Result<Done> readPrecompiled(JsonValue step);
    Result<Done> readByteLevel(JsonValue step);
    Result<Done> readSplit(JsonValue step);
    Result<Done> readMetaspace(JsonValue step);
    Result<Done> addSplit(std::string_view pattern, SplitBehavior behavior, bool invert = false);
    Result<Done> readReplaceDecoder(JsonValue step);
    Result<Done> readStripDecoder(JsonValue step);
    Result<Done> readTemplate(JsonValue step);
    Result<Done> readClsSep(JsonValue step);
    Result<Done> putToken(std::int64_t id, std::vector<TokenId>& ids);
    Error unsupported(std::string_view part, std::string_view type, std::string_view known) const;
    Error bad(std::string_view message) const;

    TokenizerSpec& m_spec;
    std::string m_where;
    bool m_splitsBytes = false;
    bool m_decodesBytes = false;
};

/// The elements of an array, or the values of none.
std::vector<JsonValue> elementsOf(JsonValue array);

} // namespace engine
