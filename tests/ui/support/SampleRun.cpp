#include "tests/ui/support/SampleRun.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace support {
namespace {

using namespace engine;

constexpr int vocabularySize = 4096;
constexpr int promptLength = 9;
constexpr int listed = 20;

struct Word
{
    std::string_view bytes;
    TokenKind kind = TokenKind::Normal;
};

// U+597D is E5 A5 BD and U+1F600 is F0 9F 98 80; each is split over two tokens. The pieces are
// written apart where a hex escape would swallow the letters after it.
constexpr std::array<Word, 24> story = {{
    {" cat"},
    {" named"},
    {" Mi"},
    {"lo"},
    {"."},
    {"\n"},
    {"\t"},
    {"He"},
    {" said"},
    {" \""},
    {"\xE4\xBD\xA0"},
    {"\xE5\xA5"},
    {"\xBD"},
    {"!\""},
    {" "},
    {"\xF0\x9F"},
    {"\x98\x80"},
    {" and"},
    {" sat"},
    {" on"},
    {" the"},
    {" mat"},
    {"."},
    {"<|endoftext|>", TokenKind::Control},
}};

constexpr std::array<Word, 26> alternatives = {{
    {" dog"},
    {" girl"},
    {" bird"},
    {" sofa"},
    {" couch"},
    {" window"},
    {" rug"},
    {" bed"},
    {" chair"},
    {" warm"},
    {" floor"},
    {" cushion"},
    {" blanket"},
    {" edge"},
    {" old"},
    {" \xE5\x9E\xAB\xE5\xAD\x90"},
    {" Fenster"},
    {"\n\n"},
    {" lap"},
    {"<|im_end|>", TokenKind::Control},
    {"\xF0\x9F\x98\xBA"},
    {"\xE2\x82"},
    {" table"},
    {" roof"},
    {"<b>bold</b>"},
    {" \xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D"},
}};

constexpr std::array<Word, promptLength> prompt = {{
    {"<|endoftext|>", TokenKind::Control},
    {"Once"},
    {" upon"},
    {" a"},
    {" time"},
    {","},
    {" there"},
    {" was"},
    {" a"},
}};

// A fixed mixing of bits (splitmix64's last rounds), so that the figures are the same everywhere.
double noise(std::uint64_t a, std::uint64_t b)
{
    std::uint64_t z = a * 0x9E3779B97F4A7C15ULL + b * 0xD1B54A32D192ED03ULL + 1;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
}

TokenId idOf(std::string_view bytes)
{
    std::uint32_t hash = 2166136261U;
    for (const char byte : bytes)
        hash = (hash ^ static_cast<std::uint8_t>(byte)) * 16777619U;
    return {static_cast<std::int32_t>(hash % vocabularySize)};
}

TokenPiece pieceOf(const Word& word)
{
    return {idOf(word.bytes), std::string(word.bytes), word.kind};
}

/// 0-based rank of the story's word among the candidates of step `index`: mostly the first.
int storyRank(int index, DecodingRule rule)
{
    if (rule == DecodingRule::Greedy)
        return 0;
    const double chance = noise(7, static_cast<std::uint64_t>(index));
    return chance < 0.55 ? 0 : chance < 0.75 ? 1 : chance < 0.9 ? 2 : 4;
}

/// The candidates in rank order with their logits; ids are distinct, the story's word at `rank`.
std::vector<Candidate> candidatesOf(int index, int rank)
{
    const auto seed = static_cast<std::uint64_t>(index);
    const Word& word = story[static_cast<std::size_t>(index) % story.size()];
    // Steep steps are sure of themselves, flat ones are not.
    const double slope = 0.12 + 0.5 * noise(11, seed);
    std::vector<Candidate> candidates;
    double logit = 9.0 + 2.0 * noise(12, seed);
    std::size_t next = static_cast<std::size_t>(noise(13, seed) * alternatives.size());
    while (static_cast<int>(candidates.size()) < listed) {
        Candidate candidate;
        const int position = static_cast<int>(candidates.size());
        candidate.piece =
            position == rank ? pieceOf(word) : pieceOf(alternatives[next++ % alternatives.size()]);
        const auto same = [&](const Candidate& c) { return c.piece.id == candidate.piece.id; };
        if (std::any_of(candidates.begin(), candidates.end(), same) ||
            (position != rank && candidate.piece.id == idOf(word.bytes)))
            continue;
        candidate.logit = static_cast<float>(logit);
        candidate.rank = position + 1;
        candidates.push_back(std::move(candidate));
        logit -= 0.03 + slope * (0.4 + 1.2 * noise(14 + seed, candidates.size()));
    }
    return candidates;
}

/// Softmax over the listed candidates and a tail of equal logits that stands for all the others.
void fillProbabilities(Step& step)
{
    const double tailLogit = step.candidates.back().logit - 4.0;
    const std::int64_t others = vocabularySize - listed;
    double sum = static_cast<double>(others) * std::exp(tailLogit);
    for (const Candidate& candidate : step.candidates)
        sum += std::exp(static_cast<double>(candidate.logit));
    step.logSumExp = std::log(sum);

    for (Candidate& candidate : step.candidates) {
        candidate.probability = std::exp(candidate.logit - step.logSumExp);
        step.entropyBits -= candidate.probability * std::log2(candidate.probability);
    }
    const double each = std::exp(tailLogit - step.logSumExp);
    step.others = {others, each * static_cast<double>(others), 0};
    step.entropyBits -= step.others.probability * std::log2(each);
    step.maxLogit = step.candidates.front().logit;
    step.minLogit = static_cast<float>(tailLogit - 6);
    for (int i = 0; i < 64; ++i)
        step.logitSample.push_back(
            static_cast<float>(tailLogit - 5 * noise(21 + static_cast<std::uint64_t>(step.index),
                                                     static_cast<std::uint64_t>(i))));
}

/// Temperature, then top-k (which leaves exactly the listed ones), then top-p.
void applyChain(Step& step)
{
    const SamplingConfig& sampling = step.sampling;
    double sum = 0;
    for (Candidate& candidate : step.candidates) {
        candidate.finalProbability =
            std::exp((candidate.logit - step.maxLogit) / sampling.temperature);
        sum += candidate.finalProbability;
    }
    double running = 0;
    double keptMass = 0;
    step.keptCount = 0;
    for (Candidate& candidate : step.candidates) {
        candidate.finalProbability /= sum;
        if (running >= sampling.topP)
            candidate.removedBy = SamplingStage::TopP;
        running += candidate.finalProbability;
        if (candidate.removedBy) {
            candidate.finalProbability = 0;
            continue;
        }
        keptMass = running;
        ++step.keptCount;
    }
    for (Candidate& candidate : step.candidates)
        candidate.finalProbability /= keptMass;
    step.stages = {
        {SamplingStage::Temperature, sampling.temperature, vocabularySize, vocabularySize, 0, 0},
        {SamplingStage::TopK, static_cast<double>(sampling.topK), vocabularySize, listed,
         step.others.probability, 0},
        {SamplingStage::TopP, sampling.topP, listed, step.keptCount, 1 - keptMass, 0},
    };
}

/// Draws so that the candidate at `rank` is the one picked (the last kept one where it was cut).
void draw(Step& step, int rank)
{
    const int chosen = std::min(rank, static_cast<int>(step.keptCount) - 1);
    double low = 0;
    for (int i = 0; i < chosen; ++i)
        low += step.candidates[static_cast<std::size_t>(i)].finalProbability;
    const Candidate& candidate = step.candidates[static_cast<std::size_t>(chosen)];
    const double high = low + candidate.finalProbability;
    const double u = low + (high - low) * noise(31, static_cast<std::uint64_t>(step.index));
    step.draw = Draw{u, low, high};
    step.picked = candidate.piece.id;
}

Step makeStep(int index, DecodingRule rule)
{
    Step step;
    step.index = index;
    step.contextLength = promptLength + index;
    step.rule = rule;
    step.sampling.rule = rule;
    step.sampling.seed = 42;
    const int rank = storyRank(index, rule);
    step.candidates = candidatesOf(index, rank);
    step.argmax = step.candidates.front().piece.id;
    fillProbabilities(step);
    if (rule == DecodingRule::Sample) {
        step.sampling.temperature = 0.8;
        step.sampling.topK = listed;
        step.sampling.topP = 0.9;
        applyChain(step);
        draw(step, rank);
    } else {
        for (Candidate& candidate : step.candidates)
            candidate.finalProbability = candidate.piece.id == step.argmax ? 1 : 0;
        step.keptCount = 1;
        step.picked = step.argmax;
    }
    step.ruleChoice = step.picked;
    step.logitsSha256 = std::string(64, 'a');
    const double milliseconds = 2.4 + 1.6 * noise(41, static_cast<std::uint64_t>(index));
    step.timings.forward = std::chrono::microseconds(static_cast<int>(milliseconds * 1000));
    step.timings.decode = std::chrono::microseconds(120);
    return step;
}

Run makeRun(int steps, DecodingRule rule)
{
    Run run;
    run.program = "tokenscope 0.1.0";
    run.context.text = "Once upon a time, there was a";
    for (const Word& word : prompt)
        run.context.tokens.push_back(
            {pieceOf(word), run.context.tokens.empty() ? TokenOrigin::Bos : TokenOrigin::Prompt});
    run.model.name = "pocket-stories";
    run.model.architecture = "llama";
    run.model.quantization = "F16";
    run.model.parameters = 4'300'000;
    run.model.bitsPerWeight = 16;
    run.model.layers = 6;
    run.model.width = 192;
    run.model.heads = 6;
    run.model.kvHeads = 3;
    run.model.contextLength = 512;
    run.model.vocabularySize = vocabularySize;
    run.tokenizer.kind = "byte-level BPE";
    run.tokenizer.vocabularySize = vocabularySize;
    run.tokenizer.addsBos = true;
    run.tokenizer.specialTokens = {{"eos", pieceOf(prompt[0])}};
    for (int i = 0; i < steps; ++i)
        run.steps.push_back(makeStep(i, rule));
    for (const Step& step : run.steps)
        run.output.push_back(step.find(step.picked)->piece);
    if (!run.steps.empty())
        run.settings.sampling = run.steps.front().sampling;
    if (steps == static_cast<int>(story.size())) {
        run.stop = StopReason::StopToken;
        run.output.pop_back();
    }
    for (const TokenPiece& piece : run.output)
        run.outputBytes += piece.bytes;
    return run;
}

} // namespace

Run sampleRun(int steps)
{
    return makeRun(steps, DecodingRule::Sample);
}

Run greedyRun(int steps)
{
    return makeRun(steps, DecodingRule::Greedy);
}

Run promptOnlyRun()
{
    return makeRun(0, DecodingRule::Sample);
}

Run runWithToken(const std::string& bytes)
{
    Run run = makeRun(3, DecodingRule::Sample);
    Step& step = run.steps[1];
    for (Candidate& candidate : step.candidates)
        if (candidate.piece.id == step.picked)
            candidate.piece.bytes = bytes;
    run.output[1].bytes = bytes;
    run.outputBytes.clear();
    for (const TokenPiece& piece : run.output)
        run.outputBytes += piece.bytes;
    return run;
}

Step forcedStep(Step step, TokenId id)
{
    step.picked = id;
    step.forced = step.picked != step.ruleChoice;
    return step;
}

} // namespace support
