#pragma once

#include "engine/api/Run.h"
#include "engine/api/Step.h"
#include "engine/api/Token.h"

#include <QString>

#include <vector>

namespace ui {

/// A row of the account of one step, from the text as given to the text that came out.
struct LedgerRow
{
    QString stage;              ///< "bytes", "logit", "top-p 0.90"
    QString text;               ///< what this step's numbers were there
    QString value;              ///< its outcome in a word, may be empty
    bool isOfCandidate = false; ///< worked out for the one candidate; else for the step
    bool isRemoval = false;     ///< here the candidate went

    bool operator==(const LedgerRow&) const = default;
};

/// Of step `index` of `run`, with the arithmetic of candidate `id` (one of the step's).
std::vector<LedgerRow> stepLedger(const engine::Run& run, int index, engine::TokenId id);

/// What a token's bytes do at the end of the text before it: "⟨E2 82⟩: 2 of 3 bytes of a
/// character; 1 more to come", "completes “é”". Empty where they are whole characters.
QString partialText(const std::string& before, const engine::TokenPiece& piece);

} // namespace ui
