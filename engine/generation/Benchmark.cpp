#include "engine/generation/Benchmark.h"

#include "engine/generation/LanguageModel.h"
#include "engine/model/ForwardState.h"
#include "engine/model/ModelConfig.h"
#include "engine/model/ModelWeights.h"
#include "engine/model/Transformer.h"
#include "engine/tensor/MatVec.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>
#include <sys/resource.h>
#include <utility>

namespace engine {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

Result<Done> check(const BenchmarkOptions& options, int contextLength)
{
    const auto atLeastOne = [](const char* option, int value) -> Result<Done> {
        if (value >= 1)
            return Done{};
        return Error{ErrorCode::InvalidArgument, std::string(option) +
                                                     ": expected a whole number from 1 up, found " +
                                                     std::to_string(value)};
    };
    for (const auto& [option, value] :
         {std::pair("prompt-tokens", options.promptTokens),
          std::pair("new-tokens", options.newTokens), std::pair("repeat", options.repeat),
          std::pair("threads", options.threads)})
        if (const auto valid = atLeastOne(option, value); !valid)
            return valid.error();
    for (const auto& [option, value] : {std::pair("prompt-tokens", options.promptTokens),
                                        std::pair("new-tokens", options.newTokens)})
        if (value > contextLength)
            return Error{ErrorCode::InvalidArgument,
                         std::string(option) + ": expected at most the model's context of " +
                             std::to_string(contextLength) + " tokens, found " +
                             std::to_string(value)};
    return Done{};
}

/// Ids without a pattern that a cache could profit from, the same at every call.
std::vector<TokenId> spreadIds(int count, int vocabularySize)
{
    std::vector<TokenId> ids;
    std::uint32_t state = 1;
    for (int i = 0; i < count; ++i) {
        state = state * 1664525U + 1013904223U; // Knuth's linear congruential generator
        ids.push_back(TokenId{static_cast<std::int32_t>(
            (static_cast<std::uint64_t>(state) * static_cast<std::uint64_t>(vocabularySize)) >>
            32)});
    }
    return ids;
}

std::int64_t weightBytesPerToken(const Transformer& transformer)
{
    const ModelWeights& weights = transformer.weights();
    std::int64_t bytes = weights.statistics().bytes;
    const auto onlyOneRow = [&bytes](const TensorView& table) {
        const std::int64_t all = std::ssize(table.bytes);
        bytes -= all - all / table.shape[0];
    };
    if (weights.output().weight.view.bytes.data() != weights.tokenEmbedding().bytes.data())
        onlyOneRow(weights.tokenEmbedding());
    if (weights.positionEmbedding())
        onlyOneRow(*weights.positionEmbedding());
    return bytes;
}

std::int64_t peakResidentBytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return std::int64_t{usage.ru_maxrss} * 1024; // Linux counts in units of 1024 bytes
}

/// Tokens a second of reading `ids` into an empty context, `chunk` at a time.
Result<double> rate(const Transformer& transformer, std::span<const TokenId> ids, std::size_t chunk,
                    ForwardState& state, const std::stop_token& stop)
{
    state.truncate(0);
    const auto begin = Clock::now();
    for (std::size_t at = 0; at < ids.size(); at += chunk)
        if (const auto logits = transformer.forward(ids.subspan(at, chunk), state, stop); !logits)
            return logits.error();
    return static_cast<double>(ids.size()) / secondsSince(begin);
}

} // namespace

double median(std::vector<double> values)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Result<Benchmark> benchmark(const std::filesystem::path& model, const BenchmarkOptions& options,
                            const std::stop_token& stop)
{
    const auto begin = Clock::now();
    const auto opened = LanguageModel::load(model);
    if (!opened)
        return opened.error();
    Benchmark result;
    result.loadMilliseconds = secondsSince(begin) * 1e3;
    const Transformer& transformer = (*opened)->transformer();
    if (const auto valid = check(options, transformer.config().contextLength); !valid)
        return valid.error();
    const std::unique_ptr<ForwardState> state = transformer.newState(options.threads);
    const int vocabularySize = transformer.config().vocabularySize;
    const std::vector<TokenId> prompt = spreadIds(options.promptTokens, vocabularySize);
    const std::vector<TokenId> fresh = spreadIds(options.newTokens, vocabularySize);
    if (const auto first = rate(transformer, std::span(fresh).first(1), 1, *state, stop); !first)
        return first.error();
    result.firstLogitsMilliseconds = secondsSince(begin) * 1e3;

    const std::size_t warmUp = std::min<std::size_t>(prompt.size(), 64);
    if (const auto warm = rate(transformer, std::span(prompt).first(warmUp), warmUp, *state, stop);
        !warm)
        return warm.error();
    for (int i = 0; i < options.repeat; ++i) {
        const auto reading = rate(transformer, prompt, prompt.size(), *state, stop);
        if (!reading)
            return reading.error();
        const auto decoding = rate(transformer, fresh, 1, *state, stop);
        if (!decoding)
            return decoding.error();
        result.promptTokensPerSecond.push_back(*reading);
        result.decodeTokensPerSecond.push_back(*decoding);
    }
    result.model = (*opened)->info().name;
    result.threads = options.threads;
    result.kernels = kernelTarget();
    result.peakResidentBytes = peakResidentBytes();
    result.weightBytesPerToken = weightBytesPerToken(transformer);
    return result;
}

} // namespace engine
