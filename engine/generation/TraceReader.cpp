#include "engine/decoding/SettingsCheck.h"
#include "engine/generation/TraceFields.h"
#include "engine/generation/TraceFile.h"
#include "engine/generation/TraceNames.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace engine {

namespace {

using Json = TraceField::Json;

constexpr std::int64_t largestId = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t largestCount = std::numeric_limits<std::int64_t>::max();

/// Finds where a text stops being JSON, and refuses one nested so deep that it can be no trace,
/// before anything is built from it.
class JsonCheck : public nlohmann::json_sax<Json>
{
public:
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool key(string_t&) override { return true; }
    bool start_object(std::size_t) override { return enter(); }
    bool end_object() override { return leave(); }
    bool start_array(std::size_t) override { return enter(); }
    bool end_array() override { return leave(); }
    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception& error) override
    {
        constexpr int numberOverflow = 406;
        fault = error.id == numberOverflow ? "holds a number too large for a double, near byte "
                                           : "is not JSON: it stops making sense near byte ";
        fault += std::to_string(position);
        return false;
    }

    std::string fault;

private:
    bool enter()
    {
        constexpr int deepest = 32;
        if (++m_depth <= deepest)
            return true;
        fault = "is nested more than " + std::to_string(deepest) + " deep, so it is no trace";
        return false;
    }
    bool leave()
    {
        --m_depth;
        return true;
    }

    int m_depth = 0;
};

Result<Json> parseJson(std::string_view text, const std::string& name)
{
    JsonCheck check;
    if (!Json::sax_parse(text.begin(), text.end(), &check))
        return Error{ErrorCode::BadFormat, name + ": " + check.fault};
    return Json::parse(text.begin(), text.end(), nullptr, false);
}

template <typename Values>
typename Values::value_type choice(const TraceField& field, const Values& values,
                                   typename Values::value_type otherwise)
{
    if (field.isMissing())
        return otherwise;
    if (const auto value = valueNamed(field.string(), values))
        return *value;
    std::string expected = "one of";
    for (const auto value : values)
        expected += " \"" + std::string(name(value)) + "\"";
    field.fail(expected);
    return otherwise;
}

TokenId tokenId(const TraceField& field)
{
    return TokenId{static_cast<std::int32_t>(field.required().integer(0, largestId, -1))};
}

TokenPiece piece(const TraceField& field)
{
    TokenPiece result;
    result.id = tokenId(field["id"]);
    result.bytes = field["bytes"].hexBytes(field["text"].string());
    result.kind = choice(field["kind"], allTokenKinds, TokenKind::Normal);
    return result;
}

StartingContext context(const TraceField& field)
{
    StartingContext result;
    result.text = field["text"].string();
    result.sha256 = field["sha256"].sha256();
    const auto ids = field["ids"].required().elements();
    const auto tokens = field["tokens"].elements();
    for (std::size_t i = 0; i < ids.size(); ++i) {
        ContextToken token;
        token.piece.id = tokenId(ids[i]);
        if (i < tokens.size()) {
            const TokenId id = token.piece.id;
            token.piece = piece(tokens[i]);
            token.origin = choice(tokens[i]["origin"], allTokenOrigins, TokenOrigin::Prompt);
            if (token.piece.id != id)
                tokens[i]["id"].fail("the id in \"ids\", " + std::to_string(id.value));
        }
        result.tokens.push_back(std::move(token));
    }
    if (!tokens.empty() && tokens.size() != ids.size())
        field["tokens"].fail("as many elements as \"ids\" has, " + std::to_string(ids.size()));
    return result;
}

std::vector<SamplingStage> order(const TraceField& field)
{
    if (field.isMissing())
        return SamplingConfig().order;
    std::vector<SamplingStage> result;
    const std::string text = field.string();
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const auto stage = valueNamed(text.substr(begin, end - begin), allSamplingStages);
        if (!stage || *stage == SamplingStage::UnnamedIds) {
            field.fail("names of stages, comma-separated");
            break;
        }
        result.push_back(*stage);
        begin = end + 1;
    }
    return result;
}

SamplingConfig sampling(const TraceField& field, const SamplingConfig& otherwise)
{
    SamplingConfig result = otherwise;
    result.rule = choice(field["decoding"], allDecodingRules, otherwise.rule);
    result.temperature = field["temperature"].number(otherwise.temperature);
    result.topK = field["top_k"].integer(0, largestCount, otherwise.topK);
    result.topP = field["top_p"].number(otherwise.topP);
    result.minP = field["min_p"].number(otherwise.minP);
    result.repetitionPenalty = field["repetition_penalty"].number(otherwise.repetitionPenalty);
    if (!field["order"].isMissing())
        result.order = order(field["order"]);
    result.seed = field["seed"].unsigned64(otherwise.seed);
    if (const auto valid = validate(result); !valid)
        field.fail(ErrorCode::BadFormat, valid.error().message);
    return result;
}

RunConfig settings(const TraceField& field)
{
    RunConfig result;
    result.sampling = sampling(field, SamplingConfig());
    result.maxNewTokens = field["max_new_tokens"].count(result.maxNewTokens);
    for (const TraceField& text : field["stop"].elements())
        result.stopTexts.push_back(text.string());
    result.ignoreStopTokens = field["ignore_stop_tokens"].boolean(false);
    if (!field["add_special_tokens"].isMissing())
        result.addSpecialTokens = field["add_special_tokens"].boolean(false);
    result.parseSpecial = field["parse_special"].boolean(false);
    result.chat = field["chat"].boolean(false);
    result.topCandidates = field["top"].count(result.topCandidates);
    if (const auto valid = validate(result); !valid)
        field.fail(ErrorCode::BadFormat, valid.error().message);
    return result;
}

/// Not the stop texts nor add_special_tokens: nothing is what they are as a rule.
std::vector<std::string> unstatedSettings(const TraceField& field)
{
    std::vector<std::string> names;
    for (const char* key :
         {"decoding", "temperature", "top_k", "top_p", "min_p", "repetition_penalty", "order",
          "seed", "max_new_tokens", "ignore_stop_tokens", "parse_special", "chat"})
        if (field[key].isMissing())
            names.emplace_back(key);
    return names;
}

ModelInfo model(const TraceField& field)
{
    ModelInfo result;
    result.name = field["name"].string();
    result.architecture = field["architecture"].string();
    result.parameters = field["parameters"].integer(0, largestCount);
    result.quantization = field["quantization"].string();
    result.vocabularySize = field["vocabulary"].count();
    result.contextLength = field["context_length"].count();
    result.sha256 = field["sha256"].sha256();
    result.bitsPerWeight = field["bits_per_weight"].number();
    const TraceField types = field["tensor_types"];
    for (const std::string& type : types.keys())
        result.tensorTypes[type] = types[type.c_str()].count();
    result.layers = field["layers"].count();
    result.width = field["width"].count();
    result.heads = field["heads"].count();
    result.kvHeads = field["kv_heads"].count();
    return result;
}

TokenizerInfo tokenizer(const TraceField& field)
{
    TokenizerInfo result;
    result.kind = field["kind"].string();
    result.vocabularySize = field["vocabulary"].count();
    result.sha256 = field["sha256"].sha256();
    result.addsBos = field["adds_bos"].boolean(false);
    result.addsEos = field["adds_eos"].boolean(false);
    for (const TraceField& token : field["special_tokens"].elements())
        result.specialTokens.push_back({token["role"].string(), piece(token)});
    result.chatTemplate = field["chat_template"].string();
    for (const TraceField& warning : field["warnings"].elements())
        result.warnings.push_back(warning.string());
    return result;
}

std::vector<CandidateAtStage> path(const TraceField& field)
{
    std::vector<CandidateAtStage> result;
    for (const TraceField& entry : field.elements()) {
        CandidateAtStage seen;
        seen.stage =
            choice(entry["stage"].required(), allSamplingStages, SamplingStage::Temperature);
        seen.scoreBefore = entry["score"].required().number();
        seen.scoreAfter = entry["score_after"].number(seen.scoreBefore);
        seen.probability = entry["probability"].required().probability();
        seen.rank = entry["rank"].required().integer(1, largestId, 1);
        seen.massBefore = entry["mass_before"].required().probability();
        result.push_back(seen);
    }
    return result;
}

std::vector<Candidate> candidates(const TraceField& field)
{
    std::vector<Candidate> result;
    std::vector<TokenId> seen;
    for (const TraceField& entry : field.elements()) {
        Candidate candidate;
        candidate.piece = piece(entry);
        candidate.logit = entry["logit"].required().singleNumber();
        candidate.probability = entry["probability"].required().probability();
        candidate.finalProbability = entry["final_probability"].required().probability();
        candidate.rank = static_cast<int>(entry["rank"].required().integer(1, largestId, 1));
        if (const TraceField removed = entry["removed_by"]; !removed.isMissing())
            candidate.removedBy = choice(removed, allSamplingStages, SamplingStage::TopK);
        candidate.path = path(entry["path"]);
        seen.push_back(candidate.piece.id);
        result.push_back(std::move(candidate));
    }
    std::sort(seen.begin(), seen.end());
    if (const auto twice = std::adjacent_find(seen.begin(), seen.end()); twice != seen.end())
        field.fail(ErrorCode::BadFormat, "expected each token once, found token " +
                                             std::to_string(twice->value) + " twice");
    return result;
}

std::vector<StageTrace> stages(const TraceField& field)
{
    std::vector<StageTrace> result;
    for (const TraceField& entry : field.elements()) {
        StageTrace stage;
        stage.stage =
            choice(entry["name"].required(), allSamplingStages, SamplingStage::Temperature);
        stage.value = entry["value"].number();
        stage.before = entry["before"].integer(0, largestCount);
        stage.after = entry["after"].integer(0, largestCount);
        stage.removedProbability = entry["removed_probability"].probability();
        stage.changed = entry["changed"].integer(0, largestCount);
        stage.largestProbability = entry["largest_probability"].probability();
        result.push_back(stage);
    }
    return result;
}

std::chrono::microseconds microseconds(const TraceField& field)
{
    constexpr double aYear = 3.2e10; // in milliseconds; keeps the conversion in range
    return std::chrono::microseconds(std::llround(field.number(0, 0, aYear) * 1000.0));
}

std::optional<Draw> draw(const TraceField& field)
{
    if (field.isMissing())
        return std::nullopt;
    Draw result;
    result.u = field["u"].required().number(0, 0, 1);
    result.low = field["low"].probability();
    result.high = field["high"].probability();
    result.attempt = field["attempt"].count();
    return result;
}

Step step(const TraceField& field, std::size_t index, const SamplingConfig& ofRun)
{
    Step result;
    result.index = field["index"].required().count();
    if (result.index != static_cast<int>(index))
        field["index"].fail("the step's place in the trace, " + std::to_string(index));
    result.contextLength = field["context_length"].count();
    result.entropyBits = field["entropy_bits"].number();
    result.logSumExp = field["logsumexp"].number();
    result.candidates = candidates(field["candidates"].required());
    result.watched = candidates(field["watched"]);
    result.argmax = tokenId(field["argmax"]);
    result.picked = tokenId(field["picked"]);
    result.rule = choice(field["rule"].required(), allDecodingRules, DecodingRule::Greedy);
    result.draw = draw(field["draw"]);
    result.logitsSha256 = field["logits_sha256"].sha256();
    result.timings.forward = microseconds(field["milliseconds"]["forward"]);
    result.timings.decode = microseconds(field["milliseconds"]["decode"]);
    result.forced = field["forced"].boolean(false);
    result.ruleChoice = result.picked;
    if (!field["rule_choice"].isMissing())
        result.ruleChoice = tokenId(field["rule_choice"]);
    result.stages = stages(field["stages"]);
    result.keptCount = field["kept"].integer(0, largestCount);
    result.others.count = field["others"]["count"].integer(0, largestCount);
    result.others.probability = field["others"]["probability"].probability();
    result.others.finalProbability = field["others"]["final_probability"].probability();
    result.minLogit = field["min_logit"].singleNumber();
    result.maxLogit = field["max_logit"].singleNumber();
    for (const TraceField& logit : field["logit_sample"].elements())
        result.logitSample.push_back(logit.singleNumber());
    result.sampling = sampling(field["settings"], ofRun);
    if (result.find(result.picked) == nullptr)
        field["picked"].fail("the id of one of the step's candidates");
    return result;
}

/// The generated tokens: those that "output" names, or all that the steps picked where it is
/// missing, as in lines that end early.
void readOutput(const TraceField& field, Run& run)
{
    const bool missing = field.isMissing();
    std::vector<TokenId> ids;
    if (missing) {
        for (const Step& made : run.steps)
            ids.push_back(made.picked);
        if (run.stop == StopReason::StopToken && !ids.empty())
            ids.pop_back();
    }
    for (const TraceField& id : field["ids"].elements())
        ids.push_back(tokenId(id));
    for (std::size_t i = 0; i < ids.size(); ++i) {
        TokenPiece found;
        found.id = ids[i];
        if (i < run.steps.size())
            if (const Candidate* candidate = run.steps[i].find(ids[i]))
                found = candidate->piece;
        if (missing)
            run.outputBytes += found.bytes;
        run.output.push_back(std::move(found));
    }
    if (!missing)
        run.outputBytes = field["bytes"].hexBytes(field["text"].string());
}

void readHeader(const TraceField& field, Run& run)
{
    if (field["format"].string() != traceFormat)
        field["format"].fail("\"" + std::string(traceFormat) + "\"");
    const std::int64_t version = field["version"].required().integer(1, largestCount, 1);
    if (version > traceVersion)
        field["version"].fail(ErrorCode::UnsupportedFeature,
                              "the trace is of version " + std::to_string(version) +
                                  ", and this program reads up to version " +
                                  std::to_string(traceVersion) + "; a newer program wrote it");
    run.program = field["program"].string();
    const TraceField inputs = field["inputs"].required();
    run.context = context(inputs["context"].required());
    run.settings = settings(inputs["settings"]);
    run.unstatedSettings = unstatedSettings(inputs["settings"]);
    run.model = model(inputs["model"]);
    run.tokenizer = tokenizer(inputs["tokenizer"]);
}

void readStop(const TraceField& field, Run& run)
{
    if (!field.isMissing())
        run.stop = choice(field["reason"].required(), allStopReasons, StopReason::Cancelled);
}

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        if (line.find_first_not_of(" \t\r") != std::string_view::npos)
            lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

/// The header line, a line a step, and the end line, of which any but the first may be missing.
Result<Run> parseLines(const std::vector<std::string_view>& lines, const std::string& name)
{
    Run run;
    Json end;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        TraceFault fault{name + ": line " + std::to_string(i + 1), std::nullopt};
        auto json = parseJson(lines[i], fault.name);
        if (!json)
            return json.error();
        const TraceField field(*json, fault);
        if (!end.is_null()) {
            fault.error =
                Error{ErrorCode::BadFormat, fault.name + ": expected nothing after the end"};
        } else if (i == 0) {
            readHeader(field, run);
        } else if (field["index"].isMissing()) {
            readStop(field["stop"], run);
            end = std::move(*json);
        } else {
            run.steps.push_back(step(field, i - 1, run.settings.sampling));
        }
        if (fault.error)
            return *fault.error;
    }
    TraceFault fault{name, std::nullopt};
    readOutput(TraceField(end, fault)["output"], run);
    if (fault.error)
        return *fault.error;
    return run;
}

} // namespace

Result<Run> parseTrace(std::string_view json, const std::string& name)
{
    constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
    if (json.starts_with(byteOrderMark))
        json.remove_prefix(byteOrderMark.size());
    const std::vector<std::string_view> lines = linesOf(json);
    if (lines.empty())
        return Error{ErrorCode::BadFormat, name + ": expected a trace, found an empty file"};
    if (lines.size() > 1 && Json::accept(lines[0].begin(), lines[0].end()))
        return parseLines(lines, name);
    const auto document = parseJson(json, name);
    if (!document)
        return document.error();
    TraceFault fault{name, std::nullopt};
    const TraceField field(*document, fault);
    Run run;
    readHeader(field, run);
    readStop(field["stop"], run);
    const auto steps = field["steps"].elements();
    for (std::size_t i = 0; i < steps.size() && !fault.error; ++i)
        run.steps.push_back(step(steps[i], i, run.settings.sampling));
    readOutput(field["output"], run);
    if (fault.error)
        return *fault.error;
    return run;
}

} // namespace engine
