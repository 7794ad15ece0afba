#include "engine/tokenizer/ByteLevelBpe.h"

#include "engine/tokenizer/ByteAlphabet.h"

#include <string>

namespace engine {

ByteLevelBpe::ByteLevelBpe(TokenizerSpec specification)
    : SubwordTokenizer(std::move(specification)), m_merges(spec().merges)
{
    for (unsigned byte = 0; byte < 256; ++byte)
        m_byteTokens[byte] = vocabulary()
                                 .findText(byteCharacter(static_cast<unsigned char>(byte)))
                                 .value_or(TokenId{});
}

Result<Done> ByteLevelBpe::encodeWord(std::string_view word, Workspace& workspace,
                                      std::vector<TokenId>& ids) const
{
    if (spec().ignoreMerges) {
        writeInByteAlphabet(word, workspace.written);
        if (const auto whole = vocabulary().findText(workspace.written)) {
            ids.push_back(*whole);
            return Done{};
        }
    }
    const std::optional<TokenId> unknown = spec().unknown;
    for (const char character : word) {
        const auto byte = static_cast<unsigned char>(character);
        TokenId id = m_byteTokens[byte];
        if (id.value < 0) {
            if (!unknown)
                return Error{ErrorCode::InvalidArgument,
                             "text: the vocabulary has no token for the byte " +
                                 std::to_string(byte) + ", nor one for what is unknown"};
            if (spec().fuseUnknown && !ids.empty() && ids.back() == *unknown)
                continue;
            id = *unknown;
        }
        ids.push_back(id);
    }
    m_merges.apply(ids, workspace.merging);
    return Done{};
}

std::string ByteLevelBpe::textOf(const VocabularyEntry& entry) const
{
    // A piece with characters that are not of the alphabet is what it says.
    return readByteAlphabet(entry.piece).value_or(entry.piece);
}

} // namespace engine
