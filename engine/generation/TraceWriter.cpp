#include "engine/generation/TraceFile.h"
#include "engine/generation/TraceNames.h"
#include "engine/tokenizer/Utf8.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace engine {

namespace {

using Json = nlohmann::ordered_json;

/// One line. Strings are made valid UTF-8 before they get here, but for names out of model files,
/// which the dump replaces in the same way.
std::string line(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json nameOrNull(const std::optional<SamplingStage>& stage)
{
    return stage ? Json(name(*stage)) : Json(nullptr);
}

Json pieceJson(const TokenPiece& piece)
{
    return {
        {"id", piece.id.value}, {"text", toValidUtf8(piece.bytes)}, {"bytes", toHex(piece.bytes)}};
}

Json contextJson(const StartingContext& context)
{
    Json ids = Json::array();
    Json tokens = Json::array();
    for (const ContextToken& token : context.tokens) {
        ids.push_back(token.piece.id.value);
        Json entry = pieceJson(token.piece);
        entry["origin"] = name(token.origin);
        entry["kind"] = name(token.piece.kind);
        tokens.push_back(std::move(entry));
    }
    return {{"text", context.text},
            {"ids", std::move(ids)},
            {"sha256", context.sha256},
            {"tokens", std::move(tokens)}};
}

Json samplingJson(const SamplingConfig& sampling)
{
    return {{"decoding", name(sampling.rule)},
            {"temperature", sampling.temperature},
            {"top_k", sampling.topK},
            {"top_p", sampling.topP},
            {"min_p", sampling.minP},
            {"repetition_penalty", sampling.repetitionPenalty},
            {"order", orderText(sampling.order)},
            {"seed", sampling.seed}};
}

Json settingsJson(const RunConfig& settings)
{
    Json json = {{"max_new_tokens", settings.maxNewTokens}};
    json.update(samplingJson(settings.sampling));
    json["stop"] = settings.stopTexts;
    json["ignore_stop_tokens"] = settings.ignoreStopTokens;
    json["add_special_tokens"] =
        settings.addSpecialTokens ? Json(*settings.addSpecialTokens) : Json(nullptr);
    json["parse_special"] = settings.parseSpecial;
    json["chat"] = settings.chat;
    json["top"] = settings.topCandidates;
    return json;
}

Json modelJson(const ModelInfo& model)
{
    // Not the path: it says more about the writer's machine than about the run.
    return {{"name", model.name},
            {"architecture", model.architecture},
            {"parameters", model.parameters},
            {"quantization", model.quantization},
            {"vocabulary", model.vocabularySize},
            {"context_length", model.contextLength},
            {"sha256", model.sha256},
            {"bits_per_weight", model.bitsPerWeight},
            {"tensor_types", Json(model.tensorTypes)},
            {"layers", model.layers},
            {"width", model.width},
            {"heads", model.heads},
            {"kv_heads", model.kvHeads}};
}

Json tokenizerJson(const TokenizerInfo& tokenizer)
{
    Json special = Json::array();
    for (const NamedToken& token : tokenizer.specialTokens) {
        Json entry = {{"role", token.role}};
        entry.update(pieceJson(token.piece));
        entry["kind"] = name(token.piece.kind);
        special.push_back(std::move(entry));
    }
    return {{"kind", tokenizer.kind},
            {"vocabulary", tokenizer.vocabularySize},
            {"sha256", tokenizer.sha256},
            {"adds_bos", tokenizer.addsBos},
            {"adds_eos", tokenizer.addsEos},
            {"special_tokens", std::move(special)},
            {"chat_template", tokenizer.chatTemplate},
            {"warnings", tokenizer.warnings}};
}

Json inputsJson(const Run& run)
{
    return {{"context", contextJson(run.context)},
            {"settings", settingsJson(run.settings)},
            {"model", modelJson(run.model)},
            {"tokenizer", tokenizerJson(run.tokenizer)}};
}

/// Score and score after are alike but where a stage alters scores.
Json pathJson(const std::vector<CandidateAtStage>& path)
{
    Json json = Json::array();
    for (const CandidateAtStage& seen : path) {
        Json entry = {{"stage", name(seen.stage)},
                      {"score", seen.scoreBefore},
                      {"probability", seen.probability},
                      {"rank", seen.rank},
                      {"mass_before", seen.massBefore}};
        if (seen.scoreAfter != seen.scoreBefore)
            entry["score_after"] = seen.scoreAfter;
        json.push_back(std::move(entry));
    }
    return json;
}

Json candidatesJson(const std::vector<Candidate>& all)
{
    Json candidates = Json::array();
    for (const Candidate& candidate : all) {
        Json entry = pieceJson(candidate.piece);
        entry["logit"] = static_cast<double>(candidate.logit);
        entry["probability"] = candidate.probability;
        entry["final_probability"] = candidate.finalProbability;
        entry["rank"] = candidate.rank;
        entry["removed_by"] = nameOrNull(candidate.removedBy);
        entry["kind"] = name(candidate.piece.kind);
        if (!candidate.path.empty())
            entry["path"] = pathJson(candidate.path);
        candidates.push_back(std::move(entry));
    }
    return candidates;
}

Json stagesJson(const Step& step)
{
    Json stages = Json::array();
    for (const StageTrace& stage : step.stages) {
        Json entry = {{"name", name(stage.stage)},
                      {"value", stage.value},
                      {"before", stage.before},
                      {"after", stage.after},
                      {"removed_probability", stage.removedProbability},
                      {"changed", stage.changed}};
        if (stage.largestProbability > 0) // else a trace that did not tell was read
            entry["largest_probability"] = stage.largestProbability;
        stages.push_back(std::move(entry));
    }
    return stages;
}

double milliseconds(std::chrono::microseconds time)
{
    return static_cast<double>(time.count()) / 1000.0;
}

Json stepJson(const Step& step, const SamplingConfig* ofRun)
{
    Json json = {{"index", step.index},
                 {"context_length", step.contextLength},
                 {"entropy_bits", step.entropyBits},
                 {"logsumexp", step.logSumExp},
                 {"candidates", candidatesJson(step.candidates)},
                 {"argmax", step.argmax.value},
                 {"picked", step.picked.value},
                 {"rule", name(step.rule)}};
    json["draw"] = nullptr;
    if (step.draw)
        json["draw"] = {{"u", step.draw->u}, {"low", step.draw->low}, {"high", step.draw->high}};
    if (step.draw && step.draw->attempt > 0)
        json["draw"]["attempt"] = step.draw->attempt;
    json["logits_sha256"] = step.logitsSha256;
    json["milliseconds"] = {{"forward", milliseconds(step.timings.forward)},
                            {"decode", milliseconds(step.timings.decode)}};
    if (step.forced) {
        json["forced"] = true;
        json["rule_choice"] = step.ruleChoice.value;
    }
    json["stages"] = stagesJson(step);
    if (!step.watched.empty())
        json["watched"] = candidatesJson(step.watched);
    json["kept"] = step.keptCount;
    json["others"] = {{"count", step.others.count},
                      {"probability", step.others.probability},
                      {"final_probability", step.others.finalProbability}};
    json["min_logit"] = static_cast<double>(step.minLogit);
    json["max_logit"] = static_cast<double>(step.maxLogit);
    json["logit_sample"] = step.logitSample;
    if (ofRun != nullptr && step.sampling != *ofRun)
        json["settings"] = samplingJson(step.sampling);
    return json;
}

Json stopJson(const Run& run)
{
    return run.stop ? Json{{"reason", name(*run.stop)}} : Json(nullptr);
}

Json outputJson(const Run& run)
{
    Json ids = Json::array();
    for (const TokenPiece& piece : run.output)
        ids.push_back(piece.id.value);
    return {{"ids", std::move(ids)},
            {"text", toValidUtf8(run.outputBytes)},
            {"bytes", toHex(run.outputBytes)}};
}

Json headerJson(const Run& run)
{
    return {{"format", traceFormat},
            {"version", traceVersion},
            {"program", run.program},
            {"inputs", inputsJson(run)}};
}

} // namespace

std::string traceJson(const Run& run)
{
    // A line for each part and each step: to be read, compared and cut by ordinary text tools.
    std::string text = "{\n\"format\": " + line(traceFormat) +
                       ", \"version\": " + std::to_string(traceVersion) +
                       ", \"program\": " + line(run.program) + ",\n\"inputs\": {\n";
    const Json inputs = inputsJson(run);
    for (auto part = inputs.begin(); part != inputs.end(); ++part)
        text +=
            (part == inputs.begin() ? "" : ",\n") + line(part.key()) + ": " + line(part.value());
    text += "\n},\n\"steps\": [";
    for (std::size_t i = 0; i < run.steps.size(); ++i)
        text += (i == 0 ? "\n" : ",\n") + traceStepLine(run.steps[i], &run.settings.sampling);
    text += "\n],\n\"stop\": " + line(stopJson(run)) + ",\n\"output\": " + line(outputJson(run)) +
            "\n}\n";
    return text;
}

std::string traceHeaderLine(const Run& run)
{
    return line(headerJson(run));
}

std::string traceStepLine(const Step& step, const SamplingConfig* ofRun)
{
    return line(stepJson(step, ofRun));
}

std::string traceEndLine(const Run& run)
{
    return line({{"stop", stopJson(run)}, {"output", outputJson(run)}});
}

} // namespace engine
