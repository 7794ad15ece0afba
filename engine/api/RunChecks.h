#pragma once

#include "engine/api/Run.h"
#include "engine/api/Token.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace engine {

// What is found out by running again: whether a run repeats, how other seeds would have gone, and
// which input made two runs part.

/// A SHA-256 digest and the short forms that people compare by.
struct ShortDigest
{
    std::string sha256; ///< lower-case hexadecimal
    std::string words;  ///< four words for its first four bytes

    std::string digits() const { return sha256.substr(0, 8); }
    bool operator==(const ShortDigest&) const = default;
};

/// What makes runs equal, and nothing else: no timings, no number of candidates listed.
struct RunFingerprint
{
    /// Of the starting ids and the ids picked: equal where the texts are.
    ShortDigest tokens;
    /// Of those and of the values behind them: logits, draws, final probabilities, to the bit.
    ShortDigest values;
    /// The digest of the values up to and with each step.
    std::vector<std::string> steps;

    bool operator==(const RunFingerprint&) const = default;
};

/// How near a step came to another pick. A margin below the bound is one that the arithmetic of
/// another machine may turn.
struct CloseCall
{
    enum class Kind
    {
        Scores, ///< of the pick and its nearest rival, in units of logits
        Draw,   ///< of the random number and the nearer end of the pick's slice
    };
    int step = 0; ///< 0-based
    Kind kind = Kind::Scores;
    double margin = 0;
    double bound = 0;
    TokenPiece picked;
    TokenPiece rival; ///< id -1 where it is none of the candidates listed

    bool isNearTie() const { return margin <= bound; }
    bool operator==(const CloseCall&) const = default;
};

/// One of several runs from the same inputs.
struct CheckedRun
{
    RunFingerprint fingerprint;
    int threads = 1; ///< that it was computed with; must make no difference
    int stepCount = 0;
    std::optional<StopReason> stop;
    bool same = true;           ///< as the first run, in every value
    std::optional<int> partsAt; ///< the first step whose values differ from the first run's
    std::string sentence;       ///< where and why it parts from the first run; else empty

    bool operator==(const CheckedRun&) const = default;
};

/// Runs from the same inputs, compared with the first of them.
struct RunCheck
{
    std::vector<CheckedRun> runs;
    /// Of the first run: its near ties in the order of steps, else only the step that came closest.
    std::vector<CloseCall> closeCalls;

    bool agree() const
    {
        return std::all_of(runs.begin(), runs.end(),
                           [](const CheckedRun& run) { return run.same; });
    }
    bool operator==(const RunCheck&) const = default;
};

/// A continuation and how likely the model itself finds it.
struct FanPath
{
    std::optional<std::uint64_t> seed; ///< nothing: the greedy path
    std::vector<TokenPiece> picks;
    /// After each step the sum so far of ln p(pick), of the plain softmax (temperature 1), in nats.
    std::vector<double> logProbability;
    std::string text; ///< the bytes of the output
    std::optional<StopReason> stop;

    bool operator==(const FanPath&) const = default;
};

/// Continuations of one prompt under one setting and several seeds, beside the greedy one.
struct SeedFan
{
    SamplingConfig sampling; ///< of the seeds, but for the seed
    FanPath greedy;
    std::vector<FanPath> seeds;

    /// The number of steps, from the first, in which a path picks what the greedy one does.
    int agreement(const FanPath& path) const
    {
        const auto [end, unused] = std::mismatch(path.picks.begin(), path.picks.end(),
                                                 greedy.picks.begin(), greedy.picks.end());
        return static_cast<int>(end - path.picks.begin());
    }
    /// How much likelier, in nats, the path is than the greedy one over the tokens that both have.
    double advantage(const FanPath& path) const
    {
        const std::size_t common = std::min(path.picks.size(), greedy.picks.size());
        return common == 0 ? 0.0
                           : path.logProbability[common - 1] - greedy.logProbability[common - 1];
    }
    /// The share of the seeds that have picked the same as the greedy path up to and with `step`.
    double agreeingShare(int step) const
    {
        const auto agreeing = std::count_if(seeds.begin(), seeds.end(), [&](const FanPath& path) {
            return agreement(path) > step;
        });
        return seeds.empty() ? 1.0
                             : static_cast<double>(agreeing) / static_cast<double>(seeds.size());
    }
    bool operator==(const SeedFan&) const = default;
};

/// What a run is made from.
enum class RunInput
{
    Context,
    Settings,
    Model,
    Tokenizer,
};

/// A setting that two runs have different values of, as on the command line.
struct SettingDifference
{
    std::string name;
    std::string a;
    std::string b;

    bool operator==(const SettingDifference&) const = default;
};

/// One input of two runs.
struct InputComparison
{
    RunInput input = RunInput::Context;
    bool same = true;
    std::string a; ///< in words: "6 tokens", "pocket-stories F16"
    std::string b;
    std::string digestA; ///< SHA-256; empty where a trace does not tell
    std::string digestB;

    bool operator==(const InputComparison&) const = default;
};

/// What two runs have in common and where they part.
struct RunsVerdict
{
    std::vector<InputComparison> inputs; ///< the four, in the order of RunInput
    std::vector<SettingDifference> settings;
    bool same = false;         ///< every value but the timings
    std::optional<int> partAt; ///< 0-based step
    std::string stage;         ///< the first whose values differ there: "ids", "logits", ...
    std::string sentence;      ///< where they part, and why

    bool operator==(const RunsVerdict&) const = default;
};

/// What became of a run with one input taken from the other run.
struct SwapOutcome
{
    bool likeA = false; ///< the tokens of run A, as far as that one goes
    bool likeB = false;
    int asA = 0; ///< steps from the first with A's tokens
    int asB = 0;
    std::string text;  ///< the bytes of the output
    std::string fault; ///< why it could not be run, as a sentence; else empty

    bool operator==(const SwapOutcome&) const = default;
};

/// One input, or one setting, exchanged between two runs.
struct InputSwap
{
    RunInput input = RunInput::Context;
    std::string setting; ///< the one setting exchanged; empty: all of the input
    SwapOutcome aWithB;  ///< A with B's value of it
    SwapOutcome bWithA;

    /// Whether each run then takes the other's course.
    bool isCause() const { return aWithB.likeB && !aWithB.likeA && bWithA.likeA && !bWithA.likeB; }
    bool operator==(const InputSwap&) const = default;
};

/// The proof of what made two runs part.
struct SwapGrid
{
    /// The runs from their own inputs once more: without that they prove nothing.
    SwapOutcome a;
    SwapOutcome b;
    std::vector<InputSwap> swaps;

    bool repeats() const { return a.likeA && b.likeB; }
    bool operator==(const SwapGrid&) const = default;
};

} // namespace engine
