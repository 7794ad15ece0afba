#include "engine/tokenizer/NamedPreTokenizers.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <span>
#include <string>

namespace engine {

namespace {

constexpr std::string_view kGpt2 =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

// Llama 3 (AI@Meta 2024) and Qwen 2 (arXiv:2407.10671) differ in how many digits make a word.
constexpr std::string_view kLlama3 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kQwen2 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kQwen35 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kMiniCpm5 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}+| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kSeedCoder =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kBailing =
    R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+)";
constexpr std::string_view kExaoneMoe =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+)";
// Runs of spaces are cut into powers of two.
constexpr std::string_view kJais2 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+)"
    R"(|\s{512}(?!\S)|\s{256}(?!\S)|\s{128}(?!\S)|\s{64}(?!\S)|\s{32}(?!\S)|\s{16}(?!\S)|\s{8}(?!\S)|\s{4}(?!\S)|\s{1,2}(?!\S)|\s{1})";

// Words are also cut where small letters are followed by capitals. [^\P{L}a-z] are the letters
// other than a to z, so that a letter outside ASCII is both, as llama.cpp has it.
constexpr std::string_view kTekken =
    R"([^\r\n\p{L}\p{N}]?[^\P{L}a-z]*[^\P{L}A-Z]+|[^\r\n\p{L}\p{N}]?[^\P{L}a-z]+[^\P{L}A-Z]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kGpt4o =
    R"([^\r\n\p{L}\p{N}]?[^\P{L}a-z]*[^\P{L}A-Z]+(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?|[^\r\n\p{L}\p{N}]?[^\P{L}a-z]+[^\P{L}A-Z]*(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

constexpr std::string_view kDeepSeek3 =
    R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
// The letters with a case, as of the Unicode version that the model's makers had.
constexpr std::string_view kDeepSeekLetters =
    "\\s?["
    "A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯ"
    "Ա-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅ"
    "Ὀ-Ὅὐ-ὗὙὛὝὟ-ώᾀ-ᾴᾶ-ᾼιῂ-ῄῆ-ῌῐ-ΐῖ-Ίῠ-Ῥ"
    "ῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤΩℨK-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃ"
    "ↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿﬀ-ﬆ"
    "ﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃"
    "]+";

constexpr std::string_view kDigit = R"(\p{N})";
constexpr std::string_view kLineEnd = R"([\r\n])";
// The range from U+0800 holds white space (U+2029, U+3000), which llama.cpp sees as such only.
constexpr std::string_view kHanToHangul = "(?:(?!\\s)[一-龥ࠀ-一가-퟿])+";
constexpr std::string_view kNotPunctuated = " ?[^(\\s|.,!?…。，、।۔،)]+";

/// One rule: its patterns, each splitting what the ones before left, and all names it goes by.
struct Rule
{
    std::span<const std::string_view> names;
    std::span<const std::string_view> patterns;
    bool ignoresMerges = false;
    bool addsBos = false;
};

template <std::size_t size>
using Texts = std::array<std::string_view, size>;

constexpr Texts<17> kGpt2Names = {
    "gpt-2",           "gpt2",        "phi-2",   "mpt",        "olmo",       "jais",     "trillion",
    "granite-docling", "jina-es",     "jina-de", "jina-v2-es", "jina-v2-de", "gigachat", "a.x-4.0",
    "mellum",          "modern-bert", "exaone4"};
constexpr Texts<1> kGpt2Patterns = {kGpt2};
constexpr Texts<9> kLlama3Names = {"llama-bpe", "llama3",   "llama-v3", "falcon3",     "falcon-h1",
                                   "pixtral",   "midm-2.0", "lfm2",     "jina-v5-nano"};
constexpr Texts<4> kDbrxNames = {"dbrx", "smaug-bpe", "glm4", "chatglm-bpe"};
constexpr Texts<1> kLlama3Patterns = {kLlama3};
constexpr Texts<9> kQwen2Names = {"qwen2", "deepseek-r1-qwen", "stablelm2", "hunyuan", "solar-open",
                                  "kormo", "f2llmv2",          "megrez",    "grok-2"};
constexpr Texts<1> kQwen2Patterns = {kQwen2};
constexpr Texts<1> kQwen35Names = {"qwen35"};
constexpr Texts<1> kQwen35Patterns = {kQwen35};
constexpr Texts<8> kSmolLmNames = {"smollm",    "starcoder", "refact",     "command-r",
                                   "codeshell", "exaone",    "minerva-7b", "mellum2"};
constexpr Texts<2> kSmolLmPatterns = {kDigit, kGpt2};
constexpr Texts<1> kTekkenNames = {"tekken"};
constexpr Texts<1> kTekkenPatterns = {kTekken};
constexpr Texts<6> kGpt4oNames = {"gpt-4o", "o200k", "llama4", "kanana2", "talkie", "minimax-m2"};
constexpr Texts<1> kGpt4oPatterns = {kGpt4o};
constexpr Texts<1> kDeepSeekLlmNames = {"deepseek-llm"};
constexpr Texts<6> kDeepSeekLlmPatterns = {
    kLineEnd,  kDeepSeekLetters, "\\s?[!-/:-~！-／：-～‘-‟、-。]+",
    R"(\s+$)", kHanToHangul,     R"(\p{N}+)"};
constexpr Texts<1> kDeepSeekCoderNames = {"deepseek-coder"};
constexpr Texts<5> kDeepSeekCoderPatterns = {kLineEnd, R"(\s?\p{L}+)", R"(\s?\p{P}+)", kHanToHangul,
                                             kDigit};
constexpr Texts<3> kDeepSeek3Names = {"deepseek-v3", "hunyuan-dense", "joyai-llm"};
constexpr Texts<3> kDeepSeek3Patterns = {R"(\p{N}{1,3})", "[一-龥぀-ゟ゠-ヿ]+", kDeepSeek3};
constexpr Texts<1> kFalconNames = {"falcon"};
constexpr Texts<3> kFalconPatterns = {R"([\p{P}\$\+<=>\^~\|`]+)", kGpt2, "[0-9][0-9][0-9]"};
constexpr Texts<3> kBloomNames = {"bloom", "poro-chat", "gpt3-finnish"};
constexpr Texts<1> kBloomPatterns = {kNotPunctuated};
constexpr Texts<1> kVikingNames = {"viking"};
constexpr Texts<2> kVikingPatterns = {kNotPunctuated, kDigit};
constexpr Texts<1> kJais2Names = {"jais-2"};
constexpr Texts<1> kJais2Patterns = {kJais2};
constexpr Texts<1> kMiniCpm5Names = {"minicpm5"};
constexpr Texts<2> kMiniCpm5Patterns = {R"(\p{N}{1,3})", kMiniCpm5};
constexpr Texts<1> kSeedCoderNames = {"seed-coder"};
constexpr Texts<1> kSeedCoderPatterns = {kSeedCoder};
constexpr Texts<3> kBailingNames = {"bailingmoe", "bailingmoe2", "llada-moe"};
constexpr Texts<1> kBailingPatterns = {kBailing};
constexpr Texts<1> kExaoneMoeNames = {"exaone-moe"};
constexpr Texts<1> kExaoneMoePatterns = {kExaoneMoe};
constexpr Texts<1> kDefaultNames = {"default"};
constexpr Texts<4> kDefaultPatterns = {R"([\p{P}\$\+<=>\^~\|]+)", kGpt2, R"(\p{N}+)",
                                       "[0-9][0-9][0-9]"};

constexpr std::array kRules = {
    Rule{kDefaultNames, kDefaultPatterns},
    Rule{kGpt2Names, kGpt2Patterns},
    Rule{kLlama3Names, kLlama3Patterns, true, true},
    Rule{kDbrxNames, kLlama3Patterns},
    Rule{kQwen2Names, kQwen2Patterns},
    Rule{kQwen35Names, kQwen35Patterns},
    Rule{kSmolLmNames, kSmolLmPatterns},
    Rule{kTekkenNames, kTekkenPatterns, true, true},
    Rule{kGpt4oNames, kGpt4oPatterns},
    Rule{kDeepSeekLlmNames, kDeepSeekLlmPatterns},
    Rule{kDeepSeekCoderNames, kDeepSeekCoderPatterns},
    Rule{kDeepSeek3Names, kDeepSeek3Patterns},
    Rule{kFalconNames, kFalconPatterns},
    Rule{kBloomNames, kBloomPatterns},
    Rule{kVikingNames, kVikingPatterns},
    Rule{kJais2Names, kJais2Patterns},
    Rule{kMiniCpm5Names, kMiniCpm5Patterns, true},
    Rule{kSeedCoderNames, kSeedCoderPatterns},
    Rule{kBailingNames, kBailingPatterns},
    Rule{kExaoneMoeNames, kExaoneMoePatterns},
};

bool isNamed(const Rule& rule, std::string_view name)
{
    return std::find(rule.names.begin(), rule.names.end(), name) != rule.names.end();
}

} // namespace

std::string_view gpt2SplitPattern()
{
    return kGpt2;
}

NamedPreTokenizer preTokenizerByName(std::string_view name)
{
    const auto found = std::find_if(kRules.begin(), kRules.end(),
                                    [&](const Rule& rule) { return isNamed(rule, name); });
    const bool known = found != kRules.end();
    const Rule& rule = known ? *found : kRules.front();
    NamedPreTokenizer named;
    named.known = known;
    named.ignoresMerges = rule.ignoresMerges;
    named.addsBos = rule.addsBos;
    for (const std::string_view pattern : rule.patterns) {
        Result<Regex> regex = Regex::compile(pattern, "built-in split rule");
        assert(regex);
        named.rules.addSplit(*std::move(regex), SplitBehavior::Isolated);
    }
    return named;
}

} // namespace engine
