#pragma once

#include "engine/tensor/Activations.h"
#include "engine/tensor/Tensor.h"
#include "engine/tensor/ThreadPool.h"

#include <cstdint>
#include <span>
#include <string>

namespace engine {

/// How a stored matrix lies in memory.
enum class MatrixLayout
{
    OutputRows, ///< [outputs, inputs]: one row for each output, the usual order
    InputRows,  ///< [inputs, outputs]: GPT-2's Conv1D in Hugging Face files; not for block formats
};

/// A matrix of a linear layer, used where it lies in the mapped file.
struct WeightMatrix
{
    TensorView view; ///< two dimensions
    MatrixLayout layout = MatrixLayout::OutputRows;

    std::int64_t outputs() const { return view.shape[layout == MatrixLayout::OutputRows ? 0 : 1]; }
    std::int64_t inputs() const { return view.shape[layout == MatrixLayout::OutputRows ? 1 : 0]; }
};

/// y = W x for each token: `x` is [tokens, inputs], `y` [tokens, outputs].
struct Product
{
    const WeightMatrix* weight = nullptr;
    const Activations* x = nullptr;
    Activations* y = nullptr;
};

/// Computes all products for the first `tokens` rows, in one parallel loop.
///
/// Stored numbers become float exactly, and every output is one dot product in single precision
/// whose summation order depends only on the matrix and the instruction set: neither the number of
/// threads nor the number of tokens changes a bit of it. Thread: as ThreadPool.
void multiply(std::span<const Product> products, std::int64_t tokens, ThreadPool& pool);

/// The instruction set that the kernels use on this machine: "AVX2", "AVX3", "SSE4", "NEON", ...
std::string kernelTarget();

} // namespace engine
