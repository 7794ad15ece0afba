#pragma once

#include "engine/api/Error.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace engine {

struct BenchmarkOptions
{
    int promptTokens = 512; ///< read in one call, >= 1
    int newTokens = 128;    ///< read one by one from an empty context, >= 1
    int repeat = 5;         ///< >= 1
    int threads = 1;        ///< >= 1
};

/// What a model costs on this machine. Rates are one for each repetition, in the order they ran.
struct Benchmark
{
    std::string model; ///< its name
    int threads = 1;
    std::string kernels; ///< the instruction set that the matrix kernels use
    std::vector<double> promptTokensPerSecond;
    std::vector<double> decodeTokensPerSecond;
    double loadMilliseconds = 0;        ///< opening the files, vocabulary included
    double firstLogitsMilliseconds = 0; ///< from the same start to the logits of one token
    std::int64_t peakResidentBytes = 0; ///< of this process, so far
    /// Bytes of weights that the forward pass of one token reads: every matrix once, of an
    /// embedding that is not the output layer too just one row.
    std::int64_t weightBytesPerToken = 0;
};

/// Opens the model and times it, on ids spread over its vocabulary, the same at every call. What is
/// timed is the forward pass alone: no sampling, no text. One uncounted prompt warms up.
/// Errors: those of LanguageModel::load; InvalidArgument where an option is out of range or the
/// model's context too short for it; Cancelled.
Result<Benchmark> benchmark(const std::filesystem::path& model, const BenchmarkOptions& options,
                            const std::stop_token& stop);

/// The middle one of an odd number, the mean of the middle two of an even one; 0 of none.
double median(std::vector<double> values);

} // namespace engine
