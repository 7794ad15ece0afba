#pragma once

#include <QString>

namespace ui {

/// How a run is to begin, in the terms that its trace records.
struct PromptRequest
{
    QString text;
    bool chat = false;         ///< as one user message in the model's chat template
    bool parseSpecial = false; ///< special tokens written in the text are taken as such

    bool operator==(const PromptRequest&) const = default;
};

} // namespace ui
