#include "engine/generation/TraceDiffSentence.h"

#include "engine/generation/SettingDifferences.h"
#include "engine/generation/StepCompare.h"
#include "engine/generation/TraceNames.h"
#include "engine/tokenizer/Utf8.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

namespace engine {

namespace {

std::string shown(double value, int digits)
{
    char text[64];
    const auto end =
        std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits);
    return {text, end.ptr};
}

/// Two numbers with as few digits as tell them apart, four at least.
std::pair<std::string, std::string> shownApart(double a, double b)
{
    constexpr int enoughForAnyDouble = 17;
    int digits = 4;
    while (digits < enoughForAnyDouble && a != b && shown(a, digits) == shown(b, digits))
        ++digits;
    return {shown(a, digits), shown(b, digits)};
}

std::string shownExactly(double value)
{
    char text[64];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string number(std::size_t count, const char* noun)
{
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string joined(const std::vector<std::string>& parts)
{
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : (i + 1 == parts.size() ? " and " : ", ")) + parts[i];
    return text;
}

/// "NAME A and B" for each setting that differs.
std::string listed(const std::vector<SettingDifference>& differences)
{
    std::string text;
    for (const SettingDifference& setting : differences)
        text += (text.empty() ? "" : "; ") + setting.name + " " + setting.a + " and " + setting.b;
    return text;
}

std::string contextSettings(const Run& a, const Run& b)
{
    return listed(settingDifferences(a.settings, b.settings, SettingKind::Context));
}

/// Without the seed, which decides only the draw.
std::string chainSettings(const Step& a, const Step& b)
{
    RunConfig first;
    RunConfig second;
    first.sampling = a.sampling;
    second.sampling = b.sampling;
    return listed(settingDifferences(first, second, SettingKind::Chain));
}

std::string settingsText(const Run& a, const Run& b)
{
    const auto [first, second] = comparedSettings(a, b);
    const std::string text = listed(settingDifferences(first, second));
    return text.empty() ? "changed during the run" : text;
}

/// "model A and B", by whatever tells them apart.
std::string modelDifferences(const ModelInfo& a, const ModelInfo& b)
{
    const auto described = [](const ModelInfo& model) {
        return model.name + (model.quantization.empty() ? "" : " " + model.quantization);
    };
    if (described(a) != described(b))
        return described(a) + " and " + described(b);
    return a.sha256.substr(0, 8) + "… and " + b.sha256.substr(0, 8) + "…";
}

std::string tokenizerDifferences(const TokenizerInfo& a, const TokenizerInfo& b)
{
    const auto described = [](const TokenizerInfo& tokenizer) {
        return tokenizer.kind + " of " + std::to_string(tokenizer.vocabularySize);
    };
    if (described(a) != described(b))
        return described(a) + " and " + described(b);
    return a.sha256.substr(0, 8) + "… and " + b.sha256.substr(0, 8) + "…";
}

/// "the settings (seed 1 and 2) and the model (…)"; empty where all inputs are the same.
std::string differingInputs(const Run& a, const Run& b, const TraceDiff& diff)
{
    std::vector<std::string> parts;
    if (!diff.sameContext)
        parts.push_back("the context");
    if (!diff.sameSettings)
        parts.push_back("the settings (" + settingsText(a, b) + ")");
    if (!diff.sameModel)
        parts.push_back("the model (" + modelDifferences(a.model, b.model) + ")");
    if (!diff.sameTokenizer)
        parts.push_back("the tokenizer (" + tokenizerDifferences(a.tokenizer, b.tokenizer) + ")");
    return joined(parts);
}

std::string outcome(const Step& a, const Step& b)
{
    return ", so the first picks " + quoted(pickedPiece(a)) + " and the second " +
           quoted(pickedPiece(b));
}

std::string idsSentence(const Run& a, const Run& b, const TraceDiff& diff)
{
    const auto& x = a.context.tokens;
    const auto& y = b.context.tokens;
    std::size_t at = 0;
    while (at < x.size() && at < y.size() && x[at].piece.id == y[at].piece.id)
        ++at;
    std::string text = "they start from different contexts";
    const auto token = [](const ContextToken& one) {
        return quoted(one.piece) + " (id " + std::to_string(one.piece.id.value) + ")";
    };
    if (at < x.size() && at < y.size())
        text += ": at position " + std::to_string(at) + " the first has " + token(x[at]) +
                " and the second " + token(y[at]);
    else
        text += ": the first " + number(at, "token") + (at == 1 ? " is" : " are") +
                " the same, but the first run reads " + std::to_string(x.size()) +
                " and the second " + std::to_string(y.size());
    const std::string settings = contextSettings(a, b);
    if (!a.context.text.empty() && a.context.text == b.context.text) {
        if (!diff.sameTokenizer)
            text += ", although the text is the same, because the tokenizers differ (" +
                    tokenizerDifferences(a.tokenizer, b.tokenizer) + ")";
        else if (!settings.empty())
            text +=
                ", although the text is the same, because the settings differ (" + settings + ")";
    }
    return text;
}

/// A candidate of both whose score differs, as an example: the first's pick where that will do.
std::string scoreExample(const Step& a, const Step& b)
{
    std::vector<TokenId> ids = {a.picked, b.picked};
    for (const Candidate& candidate : a.candidates)
        ids.push_back(candidate.piece.id);
    for (const TokenId id : ids) {
        const Candidate* x = a.find(id);
        const Candidate* y = b.find(id);
        if (x == nullptr || y == nullptr || x->logit == y->logit)
            continue;
        const auto [first, second] = shownApart(x->logit, y->logit);
        return " (" + quoted(x->piece) + " has " + first + " and " + second + ")";
    }
    return "";
}

std::string logitsCause(const Run& a, const Run& b, const TraceDiff& diff)
{
    if (!diff.sameModel)
        return "because the models differ (" + modelDifferences(a.model, b.model) + ")";
    std::string text = "although model and context are the same: another machine or another "
                       "version of the program may compute them otherwise";
    if (a.program != b.program)
        text += " (" + a.program + " and " + b.program + ")";
    return text;
}

std::string logitsSentence(const Run& a, const Run& b, const TraceDiff& diff)
{
    const auto at = static_cast<std::size_t>(diff.parted->step);
    const auto first = firstStepWhere(a, b, logitsDiffer);
    std::string text = "both have read the same ids, but the scores differ";
    if (first && *first < at)
        text += ", as they have since step " + std::to_string(*first);
    return text + scoreExample(a.steps[at], b.steps[at]) + ", " + logitsCause(a, b, diff) +
           outcome(a.steps[at], b.steps[at]);
}

std::string probabilityExample(const Step& a, const Step& b)
{
    for (const TokenId id : {a.picked, b.picked}) {
        const Candidate* x = a.find(id);
        const Candidate* y = b.find(id);
        if (x == nullptr || y == nullptr || x->finalProbability == y->finalProbability)
            continue;
        const auto [first, second] = shownApart(x->finalProbability, y->finalProbability);
        return ": " + quoted(x->piece) + " has " + first + " and " + second;
    }
    return "";
}

std::string chainSentence(const Step& a, const Step& b)
{
    const std::string settings = chainSettings(a, b);
    std::string text =
        "the scores are the same, but the decoding settings differ (" + settings + ")";
    if (settings.empty())
        text = "the scores are the same and so are the settings, but the probabilities that the "
               "chain left differ";
    if (a.rule != b.rule) {
        const auto rule = [](const Step& step) {
            return step.rule == DecodingRule::Greedy
                       ? std::string("takes the largest score")
                       : "draws" + (step.draw ? " (u = " + shown(step.draw->u, 4) + ")" : "");
        };
        text += ": the first " + rule(a) + " and the second " + rule(b);
    } else {
        text += probabilityExample(a, b);
    }
    return text + outcome(a, b);
}

std::string forcedSentence(const Step& a, const Step& b)
{
    const auto one = [](const char* run, const Step& step) {
        return std::string("in the ") + run + " run " + quoted(pickedPiece(step)) +
               " was put in by hand";
    };
    std::vector<std::string> parts;
    if (a.forced)
        parts.push_back(one("first", a));
    if (b.forced)
        parts.push_back(one("second", b));
    return "the scores and the probabilities are the same, but " + joined(parts) + outcome(a, b);
}

std::string drawSentence(const Step& a, const Step& b)
{
    if (a.forced || b.forced)
        return forcedSentence(a, b);
    std::string text = "the scores are the same and so are the probabilities";
    if (!a.stages.empty()) {
        const StageTrace& last = a.stages.back();
        text += " after " + std::string(name(last.stage)) + " " + shownExactly(last.value);
    }
    if (!a.draw || !b.draw || a.draw->u == b.draw->u)
        return text + ", but not the choice among them" + outcome(a, b);
    const auto [first, second] = shownApart(a.draw->u, b.draw->u);
    text += ", but the draws differ (u = " + first + " with seed " +
            std::to_string(a.sampling.seed) + ", u = " + second + " with seed " +
            std::to_string(b.sampling.seed) + ")";
    return text + outcome(a, b);
}

std::string textSentence(const Run& a, const Run& b, const TraceDiff& diff)
{
    const auto at = static_cast<std::size_t>(diff.parted->step);
    const TokenPiece x = pickedPiece(a.steps[at]);
    const TokenPiece y = pickedPiece(b.steps[at]);
    std::string text = "both pick token " + std::to_string(x.id.value) + ", but it stands for " +
                       quoted(x) + " in the first run and for " + quoted(y) + " in the second";
    if (!diff.sameTokenizer)
        text += ", because the tokenizers differ (" +
                tokenizerDifferences(a.tokenizer, b.tokenizer) + ")";
    return text;
}

std::string partingSentence(const Run& a, const Run& b, const TraceDiff& diff)
{
    const auto at = static_cast<std::size_t>(diff.parted->step);
    const std::string begin = "The runs part at step " + std::to_string(at) + ": ";
    switch (diff.parted->stage) {
    case DiffStage::Ids:
        return begin + idsSentence(a, b, diff) + ".";
    case DiffStage::Logits:
        return begin + logitsSentence(a, b, diff) + ".";
    case DiffStage::Chain:
        return begin + chainSentence(a.steps[at], b.steps[at]) + ".";
    case DiffStage::Draw:
        return begin + drawSentence(a.steps[at], b.steps[at]) + ".";
    case DiffStage::Text:
        return begin + textSentence(a, b, diff) + ".";
    }
    return begin;
}

/// What differs although the tokens do not.
std::string hiddenDifference(const Run& a, const Run& b)
{
    if (const auto at = firstStepWhere(a, b, logitsDiffer))
        return "the scores differ from step " + std::to_string(*at) + " on";
    if (const auto at = firstStepWhere(a, b, probabilitiesDiffer))
        return "the probabilities differ from step " + std::to_string(*at) + " on";
    const auto draws = [](const Step& x, const Step& y) { return x.draw != y.draw; };
    if (const auto at = firstStepWhere(a, b, draws))
        return "the draws differ from step " + std::to_string(*at) + " on";
    if (a.settings.topCandidates != b.settings.topCandidates)
        return "they list different numbers of candidates (" +
               std::to_string(a.settings.topCandidates) + " and " +
               std::to_string(b.settings.topCandidates) + ")";
    return "";
}

std::string ending(const Run& run)
{
    return run.stop ? "ends (" + std::string(name(*run.stop)) + ")" : "was left there";
}

std::string togetherSentence(const Run& a, const Run& b, const TraceDiff& diff)
{
    const std::size_t common = std::min(a.steps.size(), b.steps.size());
    const bool prefix = a.steps.size() != b.steps.size();
    std::string text;
    if (prefix) {
        const bool firstIsShorter = a.steps.size() < b.steps.size();
        const Run& shorter = firstIsShorter ? a : b;
        const std::size_t more = std::max(a.steps.size(), b.steps.size()) - common;
        text = "The runs never part as far as both go: they pick the same " +
               number(common, "token") + ", then the " + (firstIsShorter ? "first " : "second ") +
               ending(shorter) + " and the other goes on for " + number(more, "more step");
    } else {
        text = "The runs never part: they pick the same " + number(common, "token");
        if (a.stop != b.stop)
            text += ", but the first " + ending(a) + " and the second " + ending(b);
    }
    const std::string inputs = differingInputs(a, b, diff);
    const std::string hidden = hiddenDifference(a, b);
    if (!inputs.empty())
        text += (prefix ? "; they differ in " : ", although they differ in ") + inputs;
    if (!hidden.empty())
        text += (inputs.empty() ? ", but " : ", and ") + hidden;
    return text + ".";
}

/// Settings compared although nobody stated them are not to pass for facts.
std::string unstatedSentence(const char* trace, const Run& run)
{
    if (run.unstatedSettings.empty())
        return "";
    return std::string(" The ") + trace + " trace does not give " + joined(run.unstatedSettings) +
           ", taken to be at the default" + (run.unstatedSettings.size() == 1 ? "." : "s.");
}

} // namespace

std::string quoted(const TokenPiece& piece)
{
    if (piece.bytes.empty())
        return "token " + std::to_string(piece.id.value);
    if (firstInvalidByte(piece.bytes)) {
        std::string bytes = toHex(piece.bytes);
        std::transform(bytes.begin(), bytes.end(), bytes.begin(),
                       [](char c) { return c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c; });
        std::string text;
        for (std::size_t i = 0; i < bytes.size(); i += 2)
            text += (i == 0 ? "" : " ") + bytes.substr(i, 2);
        return "⟨" + text + "⟩";
    }
    std::string text;
    for (const char c : piece.bytes) {
        constexpr char deleteCharacter = 0x7F;
        if (c == '\n')
            text += "\\n";
        else if (c == '\t')
            text += "\\t";
        else if (c == '\r')
            text += "\\r";
        else if ((c >= 0 && c < ' ') || c == deleteCharacter)
            text += "\\x" + toHex(std::string_view(&c, 1));
        else
            text += c;
    }
    return "'" + text + "'";
}

std::string diffSentence(const Run& a, const Run& b, const TraceDiff& diff)
{
    std::string text;
    if (diff.same)
        text = "The runs are the same: " + number(a.steps.size(), "step") +
               ", and every value but the timings is equal.";
    else
        text = diff.parted ? partingSentence(a, b, diff) : togetherSentence(a, b, diff);
    return text + unstatedSentence("first", a) + unstatedSentence("second", b);
}

} // namespace engine
