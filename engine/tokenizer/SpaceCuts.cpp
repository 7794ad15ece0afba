#include "engine/tokenizer/SpaceCuts.h"

#include "engine/tokenizer/TokenizerSpec.h"

namespace engine {

bool canCutBeforeSpaces(const Vocabulary& vocabulary)
{
    if (!vocabulary.findText(kSpaceMark))
        return false;
    for (int i = 0; i < vocabulary.size(); ++i) {
        const std::string_view piece = vocabulary[TokenId{i}].piece;
        if (untilSpaceCut(piece).size() != piece.size())
            return false;
    }
    return true;
}

std::string_view untilSpaceCut(std::string_view text)
{
    std::size_t at = text.find(kSpaceMark, 1);
    while (at != std::string_view::npos && text.substr(0, at).ends_with(kSpaceMark))
        at = text.find(kSpaceMark, at + kSpaceMark.size());
    return text.substr(0, at);
}

} // namespace engine
