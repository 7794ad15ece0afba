#include "engine/tokenizer/Detokenizer.h"

#include <span>

namespace engine {

std::string Detokenizer::append(TokenId id)
{
    const std::string bytes = m_tokenizer.decode(std::span(&id, 1), m_atStart);
    if (m_atStart) {
        const TokenPiece piece = m_tokenizer.piece(id);
        // As in Tokenizer::decode: a BOS does not begin the text, nor does a token without bytes.
        m_atStart = piece.kind == TokenKind::Control || piece.bytes.empty();
    }
    return m_stream.append(bytes);
}

} // namespace engine
