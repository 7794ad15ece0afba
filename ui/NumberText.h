#pragma once

#include "engine/api/RunConfig.h"

#include <QString>

#include <cstdint>

namespace ui {

// How numbers are written, so that the same value reads the same wherever it is shown. All of them
// use a decimal point and no locale: they are compared with what the commands print.

/// "24.3 %", "0.09 %", "<0.001 %". Never "100.0 %" or "0.0 %" for a value that is neither.
QString percentText(double probability);
/// "4,096"
QString countText(std::int64_t count);
/// Two decimals: "-3.14"
QString logitText(double logit);
/// "3.12 bit"
QString bitsText(double bits);
/// The setting of a stage by its name: "top-k 20", "top-p 0.90", "temperature 0.80".
QString stageText(engine::SamplingStage stage, double value);
/// A setting alone: at least two decimals, more where it has them: "0.90", "0.125".
QString settingText(double value);

} // namespace ui
