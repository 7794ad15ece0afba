#pragma once

#include "engine/api/Run.h"
#include "engine/generation/StepCompare.h"

#include <string>

// What the tests of traces share: a run made by hand, with something unusual in every field.

namespace testing {

inline engine::TokenPiece piece(int id, const std::string& bytes,
                                engine::TokenKind kind = engine::TokenKind::Normal)
{
    return {engine::TokenId{id}, bytes, kind};
}

inline std::string digest(char digit)
{
    return std::string(64, digit);
}

inline engine::Candidate candidate(int id, const std::string& bytes, float logit,
                                   double probability, int rank)
{
    engine::Candidate result;
    result.piece = piece(id, bytes);
    result.logit = logit;
    result.probability = probability;
    result.finalProbability = probability;
    result.rank = rank;
    return result;
}

/// Step `index` of two candidates, " mat" (id 10) and " sofa" (id 11), that picked the one or the
/// other.
inline engine::Step plainStep(int index, int picked = 10)
{
    engine::Step step;
    step.index = index;
    step.contextLength = 3 + index;
    step.entropyBits = 0.97095059445466863900;
    step.logSumExp = 12.3;
    step.candidates = {candidate(10, " mat", 11.789F, 0.6, 1),
                       candidate(11, " sofa", 11.383F, 0.4, 2)};
    step.argmax = {10};
    step.picked = {picked};
    step.ruleChoice = {picked};
    step.rule = engine::DecodingRule::Sample;
    step.draw = picked == 10 ? engine::Draw{0.25, 0.0, 0.6} : engine::Draw{0.75, 0.6, 1.0};
    step.keptCount = 2;
    step.sampling.rule = engine::DecodingRule::Sample;
    step.sampling.seed = 1;
    step.logitsSha256 = digest('a');
    return step;
}

/// A run of plain steps that has ended by its length.
inline engine::Run plainRun(int steps)
{
    engine::Run run;
    run.program = "tokenscope 1.2.3";
    run.context.text = "The cat";
    run.context.tokens = {{piece(1, "The"), engine::TokenOrigin::Prompt},
                          {piece(2, " c"), engine::TokenOrigin::Prompt},
                          {piece(3, "at"), engine::TokenOrigin::Prompt}};
    run.context.sha256 = digest('c');
    run.settings.sampling = plainStep(0).sampling;
    run.settings.maxNewTokens = steps;
    run.model.name = "tiny";
    run.model.quantization = "F16";
    run.model.sha256 = digest('0');
    run.tokenizer.kind = "byte-level BPE";
    run.tokenizer.vocabularySize = 20;
    run.tokenizer.sha256 = digest('1');
    for (int i = 0; i < steps; ++i) {
        run.steps.push_back(plainStep(i));
        run.output.push_back(piece(10, " mat"));
        run.outputBytes += " mat";
    }
    run.stop = engine::StopReason::MaxNewTokens;
    return run;
}

/// Bytes of half a character, a seed beyond what a double holds, a forced step, a step under
/// settings of its own, numbers that need all their digits.
inline engine::Run unusualRun()
{
    using namespace engine;
    Run run = plainRun(0);
    run.context.text = "<s>Zoë \"quoted\"\n\x01";
    run.context.tokens = {{piece(0, "<s>", TokenKind::Control), TokenOrigin::Bos},
                          {piece(5, "Zo\xC3"), TokenOrigin::Prompt},
                          {piece(6, "\xAB", TokenKind::Byte), TokenOrigin::Prompt},
                          {piece(7, "<|x|>", TokenKind::UserDefined), TokenOrigin::Special},
                          {piece(8, "", TokenKind::Unused), TokenOrigin::Generated},
                          {piece(9, "?", TokenKind::Unknown), TokenOrigin::Forced}};
    run.settings.sampling.temperature = 0.1 + 0.2;
    run.settings.sampling.topK = std::int64_t{1} << 60;
    run.settings.sampling.topP = 1.0 / 3.0;
    run.settings.sampling.minP = 5e-324;
    run.settings.sampling.repetitionPenalty = 1.7976931348623157e308;
    run.settings.sampling.seed = 18446744073709551557U;
    run.settings.sampling.order = {SamplingStage::MinP, SamplingStage::Temperature};
    run.settings.maxNewTokens = 2147483647;
    run.settings.stopTexts = {"\n\n", "Ende \xE2\x82\xAC"};
    run.settings.ignoreStopTokens = true;
    run.settings.addSpecialTokens = false;
    run.settings.parseSpecial = true;
    run.settings.chat = true;
    run.settings.topCandidates = 2;
    run.model = {"Ünï \"model\"",
                 "llama",
                 "",
                 123456789012345,
                 4.5625,
                 "Q4_0",
                 {{"F32", 7}, {"Q4_0", 12}},
                 3,
                 64,
                 8,
                 2,
                 4096,
                 32000,
                 digest('2')};
    run.tokenizer = {"SentencePiece BPE",
                     31999,
                     true,
                     true,
                     {{"bos", piece(0, "<s>", TokenKind::Control)}},
                     "{% for m in messages %}\n{{ m }}",
                     {"an unknown pre-tokenizer \"x\""},
                     digest('3')};

    Step first = plainStep(0, 11);
    first.candidates[0] = candidate(10, "\xE2\x82", 1.17549435e-38F, 1e-300, 1);
    first.candidates[0].finalProbability = 0;
    first.candidates[0].removedBy = SamplingStage::MinP;
    first.candidates[1].logit = -3.40282347e38F;
    first.candidates[1].rank = 31999;
    first.candidates[0].path = {
        {SamplingStage::MinP, 1.17549435e-38, 1.17549435e-38, 1e-300, 31999, 1.0 / 3.0}};
    first.candidates[1].path = {
        {SamplingStage::MinP, -3.40282347e38, -3.40282347e38, 0.1 + 0.2, 1, 0},
        {SamplingStage::Temperature, -3.40282347e38, -1.7976931348623157e308, 5e-324, 2, 1}};
    first.others = {31998, 0.12345678901234567, 5e-324};
    first.stages = {{SamplingStage::MinP, 5e-324, 32000, 31999, 1e-300, 0, 1.0 / 3.0},
                    {SamplingStage::Temperature, 0.1 + 0.2, 31999, 31999, 0, 31999, 5e-324}};
    first.forced = true;
    first.ruleChoice = {10};
    first.minLogit = -3.40282347e38F;
    first.maxLogit = 3.40282347e38F;
    first.logitSample = {0.1F, -0.0F, 1e-45F};
    first.sampling = run.settings.sampling;
    first.timings = {std::chrono::microseconds(1234567), std::chrono::microseconds(89)};
    Step second = plainStep(1);
    second.rule = DecodingRule::Greedy;
    second.draw.reset();
    second.sampling = SamplingConfig();
    run.steps = {first, second};
    run.output = {first.candidates[1].piece, second.candidates[0].piece};
    run.outputBytes = " sofa mat\xE2\x82";
    run.stop = StopReason::StopText;
    return run;
}

} // namespace testing
