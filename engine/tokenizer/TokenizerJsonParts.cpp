#include "engine/tokenizer/TokenizerJsonParts.h"

#include "engine/io/FileError.h"
#include "engine/tokenizer/Base64.h"
#include "engine/tokenizer/NamedPreTokenizers.h"

#include <array>
#include <optional>
#include <utility>

namespace engine {

namespace {

std::string_view typeOf(JsonValue step)
{
    return step["type"].string().value_or("");
}

std::optional<SplitBehavior> behaviorNamed(std::string_view name)
{
    constexpr std::array<std::pair<std::string_view, SplitBehavior>, 5> behaviors = {
        {{"Removed", SplitBehavior::Removed},
         {"Isolated", SplitBehavior::Isolated},
         {"MergedWithPrevious", SplitBehavior::MergedWithPrevious},
         {"MergedWithNext", SplitBehavior::MergedWithNext},
         {"Contiguous", SplitBehavior::Contiguous}}};
    for (const auto& [known, behavior] : behaviors)
        if (name == known)
            return behavior;
    return std::nullopt;
}

} // namespace

std::vector<JsonValue> elementsOf(JsonValue array)
{
    std::vector<JsonValue> elements;
    elements.reserve(array.size());
    if (array.isArray())
        array.forEachElement([&elements](JsonValue element) { elements.push_back(element); });
    return elements;
}

Error TokenizerJsonParts::bad(std::string_view message) const
{
    return {ErrorCode::BadFormat, m_where + ": " + std::string(message)};
}

Error TokenizerJsonParts::unsupported(std::string_view part, std::string_view type,
                                      std::string_view known) const
{
    return {ErrorCode::UnsupportedFeature, m_where + ": " + std::string(part) + " \"" +
                                               printable(type) + "\" is not supported; " +
                                               std::string(known) + " are"};
}

Result<Done> TokenizerJsonParts::readSequence(JsonValue steps, Part part)
{
    if (!steps.isArray())
        return bad("expected a Sequence to hold an array of steps");
    for (const JsonValue step : elementsOf(steps)) {
        Result<Done> done = Done{};
        switch (part) {
        case Part::Normalizer:
            done = readNormalizer(step);
            break;
        case Part::PreTokenizer:
            done = readPreTokenizer(step);
            break;
        case Part::Decoder:
            done = readDecoder(step);
            break;
        case Part::PostProcessor:
            done = readPostProcessor(step);
            break;
        }
        if (!done)
            return done;
    }
    return Done{};
}

Result<Done> TokenizerJsonParts::readNormalizer(JsonValue step)
{
    if (step.isMissing() || step.isNull())
        return Done{};
    const std::string_view type = typeOf(step);
    Normalizer& normalizer = m_spec.normalizer;
    if (type == "Sequence")
        return readSequence(step["normalizers"], Part::Normalizer);
    if (type == "Replace")
        return readReplace(step);
    if (type == "NFC")
        normalizer.addForm(Normalizer::Form::Nfc);
    else if (type == "NFD")
        normalizer.addForm(Normalizer::Form::Nfd);
    else if (type == "NFKC")
        normalizer.addForm(Normalizer::Form::Nfkc);
    else if (type == "NFKD")
        normalizer.addForm(Normalizer::Form::Nfkd);
    else if (type == "Lowercase")
        normalizer.addLowercase();
    else if (type == "StripAccents")
        normalizer.addStripAccents();
    else if (type == "Precompiled")
        return readPrecompiled(step);
    else if (type == "Prepend")
        normalizer.addPrepend(std::string(step["prepend"].string().value_or("")));
    else if (type == "Strip")
        normalizer.addStrip(step["strip_left"].boolean().value_or(true),
                            step["strip_right"].boolean().value_or(true));
    else
        return unsupported("normalizer", type,
                           "Sequence, NFC, NFD, NFKC, NFKD, Lowercase, StripAccents, Prepend, "
                           "Replace, Strip and Precompiled");
    return Done{};
}

Result<Done> TokenizerJsonParts::readPrecompiled(JsonValue step)
{
    const JsonValue map = step["precompiled_charsmap"];
    if (map.isNull() || map.string() == "") // a model without one
        return Done{};
    const auto bytes = fromBase64(map.string().value_or("?"));
    if (!bytes)
        return bad("normalizer Precompiled: expected a precompiled_charsmap in base64");
    Result<CharacterMap> read = CharacterMap::read(*bytes, m_where + ": normalizer Precompiled");
    if (!read)
        return read.error();
    m_spec.normalizer.addCharacterMap(*std::move(read));
    return Done{};
}

Result<Done> TokenizerJsonParts::readReplace(JsonValue step)
{
    const auto content = step["content"].string();
    const auto literal = step["pattern"]["String"].string();
    const auto pattern = step["pattern"]["Regex"].string();
    if (!content || (!literal && !pattern))
        return bad("normalizer Replace: expected a pattern (String or Regex) and a content");
    if (literal) {
        m_spec.normalizer.addReplace(std::string(*literal), std::string(*content));
        return Done{};
    }
    Result<Regex> regex = Regex::compile(*pattern, m_where + ": normalizer Replace");
    if (!regex)
        return regex.error();
    m_spec.normalizer.addReplace(*std::move(regex), std::string(*content));
    return Done{};
}

Result<Done> TokenizerJsonParts::readPreTokenizer(JsonValue step)
{
    if (step.isMissing() || step.isNull())
        return Done{};
    const std::string_view type = typeOf(step);
    if (type == "Sequence")
        return readSequence(step["pretokenizers"], Part::PreTokenizer);
    if (m_splitsBytes)
        return Error{ErrorCode::UnsupportedFeature,
                     m_where + ": pre_tokenizer \"" + printable(type) +
                         "\" after ByteLevel is not supported; ByteLevel as the last step is"};
    if (type == "ByteLevel")
        return readByteLevel(step);
    if (type == "Split")
        return readSplit(step);
    if (type == "Digits")
        return addSplit(R"(\p{N})", step["individual_digits"].boolean().value_or(false)
                                        ? SplitBehavior::Isolated
                                        : SplitBehavior::Contiguous);
    if (type == "Punctuation") {
        const auto behavior = behaviorNamed(step["behavior"].string().value_or("Isolated"));
        return behavior ? addSplit(R"([\p{P}!-/:-@\[-`{-~])", *behavior)
                        : Result<Done>(bad("pre_tokenizer Punctuation: unknown behavior"));
    }
    if (type == "Whitespace")
        // Its \w has the joiners too, unlike Oniguruma's: it is another library's.
        return addSplit(R"([\w\x{200C}\x{200D}]+|[^\w\s\x{200C}\x{200D}]+)", SplitBehavior::Removed,
                        true);
    if (type == "WhitespaceSplit")
        return addSplit(R"(\s)", SplitBehavior::Removed);
    if (type == "Metaspace")
        return readMetaspace(step);
    return unsupported("pre_tokenizer", type,
                       "Sequence, ByteLevel, Split, Digits, Punctuation, Whitespace, "
                       "WhitespaceSplit and Metaspace");
}

Result<Done> TokenizerJsonParts::addSplit(std::string_view pattern, SplitBehavior behavior,
                                          bool invert)
{
    Result<Regex> regex = Regex::compile(pattern, m_where + ": pre_tokenizer");
    if (!regex)
        return regex.error();
    m_spec.preTokenizer.addSplit(*std::move(regex), behavior, invert);
    return Done{};
}

Result<Done> TokenizerJsonParts::readByteLevel(JsonValue step)
{
    m_splitsBytes = true;
    if (step["add_prefix_space"].boolean().value_or(true))
        m_spec.preTokenizer.addPrefixSpace();
    if (step["use_regex"].boolean().value_or(true))
        return addSplit(gpt2SplitPattern(), SplitBehavior::Isolated);
    return Done{};
}

Result<Done> TokenizerJsonParts::readSplit(JsonValue step)
{
    const auto behavior = behaviorNamed(step["behavior"].string().value_or(""));
    if (!behavior)
        return bad("pre_tokenizer Split: expected a behavior (Removed, Isolated, "
                   "MergedWithPrevious, MergedWithNext or Contiguous), found \"" +
                   printable(step["behavior"].string().value_or("")) + "\"");
    const bool invert = step["invert"].boolean().value_or(false);
    if (const auto pattern = step["pattern"]["Regex"].string())
        return addSplit(*pattern, *behavior, invert);
    const auto literal = step["pattern"]["String"].string();
    if (!literal)
        return bad("pre_tokenizer Split: expected a pattern (String or Regex)");
    m_spec.preTokenizer.addSplit(std::string(*literal), *behavior, invert);
    return Done{};
}

Result<Done> TokenizerJsonParts::readMetaspace(JsonValue step)
{
    // Files from before "prepend_scheme" say "add_prefix_space".
    const bool prepends = step["add_prefix_space"].boolean().value_or(true);
    const std::string_view scheme =
        step["prepend_scheme"].string().value_or(prepends ? "always" : "never");
    auto prepend = PreTokenizer::PrependScheme::Always;
    if (scheme == "first")
        prepend = PreTokenizer::PrependScheme::First;
    else if (scheme == "never")
        prepend = PreTokenizer::PrependScheme::Never;
    else if (scheme != "always")
        return bad("pre_tokenizer Metaspace: unknown prepend_scheme");
    m_spec.preTokenizer.addMetaspace(std::string(step["replacement"].string().value_or(kSpaceMark)),
                                     prepend, step["split"].boolean().value_or(true));
    return Done{};
}

Result<Done> TokenizerJsonParts::readDecoder(JsonValue step)
{
    if (step.isMissing() || step.isNull())
        return Done{};
    const std::string_view type = typeOf(step);
    if (type == "Sequence")
        return readSequence(step["decoders"], Part::Decoder);
    if (type == "Replace")
        return readReplaceDecoder(step);
    if (type == "Strip")
        return readStripDecoder(step);
    if (type == "Metaspace") {
        const bool prepends = step["add_prefix_space"].boolean().value_or(true) &&
                              step["prepend_scheme"].string().value_or("always") != "never";
        m_spec.replacements.emplace_back(step["replacement"].string().value_or(kSpaceMark), " ");
        m_spec.leadingSpaces = prepends ? 1 : 0;
        return Done{};
    }
    if (type == "ByteLevel") {
        m_decodesBytes = true;
        return Done{};
    }
    // Byte tokens always decode to their byte here, and pieces are always put together.
    if (type == "ByteFallback" || type == "Fuse")
        return Done{};
    return unsupported("decoder", type,
                       "Sequence, ByteLevel, Replace, ByteFallback, Fuse, Strip and Metaspace");
}

Result<Done> TokenizerJsonParts::readReplaceDecoder(JsonValue step)
{
    const auto content = step["content"].string();
    const auto literal = step["pattern"]["String"].string();
    if (!content || !literal || literal->empty())
        return bad("decoder Replace: expected a String pattern and a content");
    m_spec.replacements.emplace_back(*literal, *content);
    return Done{};
}

Result<Done> TokenizerJsonParts::readStripDecoder(JsonValue step)
{
    const std::int64_t start = step["start"].integer().value_or(0);
    if (step["content"].string() != " " || start < 0 || start > 1 ||
        step["stop"].integer().value_or(0) != 0)
        return Error{ErrorCode::UnsupportedFeature,
                     m_where + ": decoder Strip is supported for one space at the start only"};
    m_spec.leadingSpaces = static_cast<std::size_t>(start);
    return Done{};
}

Result<Done> TokenizerJsonParts::readPostProcessor(JsonValue step)
{
    if (step.isMissing() || step.isNull())
        return Done{};
    const std::string_view type = typeOf(step);
    if (type == "Sequence")
        return readSequence(step["processors"], Part::PostProcessor);
    if (type == "TemplateProcessing")
        return readTemplate(step);
    if (type == "RobertaProcessing" || type == "BertProcessing")
        return readClsSep(step);
    if (type == "ByteLevel") // trims offsets, which are not used here
        return Done{};
    return unsupported("post_processor", type,
                       "Sequence, TemplateProcessing, RobertaProcessing, BertProcessing and "
                       "ByteLevel");
}

Result<Done> TokenizerJsonParts::putToken(std::int64_t id, std::vector<TokenId>& ids)
{
    if (id < 0 || id >= m_spec.vocabulary.size())
        return bad("post_processor: expected an id of the vocabulary, found " + std::to_string(id));
    ids.push_back({static_cast<std::int32_t>(id)});
    return Done{};
}

Result<Done> TokenizerJsonParts::readTemplate(JsonValue step)
{
    if (!step["single"].isArray())
        return bad("post_processor TemplateProcessing: expected an array \"single\"");
    bool behindText = false;
    for (const JsonValue item : elementsOf(step["single"])) {
        if (!item["Sequence"].isMissing()) {
            behindText = true;
            continue;
        }
        const auto name = item["SpecialToken"]["id"].string();
        const JsonValue ids = name ? step["special_tokens"][*name]["ids"] : JsonValue();
        if (!ids.isArray())
            return bad("post_processor TemplateProcessing: expected a Sequence or a SpecialToken "
                       "with ids");
        for (const JsonValue id : elementsOf(ids))
            if (const auto done =
                    putToken(id.integer().value_or(-1), behindText ? m_spec.after : m_spec.before);
                !done)
                return done;
    }
    return Done{};
}

Result<Done> TokenizerJsonParts::readClsSep(JsonValue step)
{
    const auto idOf = [&](std::string_view name) {
        const std::vector<JsonValue> pair = elementsOf(step[name]);
        return pair.size() == 2 ? pair[1].integer().value_or(-1) : -1;
    };
    if (const auto done = putToken(idOf("cls"), m_spec.before); !done)
        return done;
    return putToken(idOf("sep"), m_spec.after);
}

} // namespace engine
