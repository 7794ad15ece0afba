#pragma once

#include "engine/api/Token.h"
#include "engine/tokenizer/Tokenizer.h"
#include "engine/tokenizer/Utf8.h"

#include <string>

namespace engine {

/// Ids to text as a stream. Bytes that are only part of a character are held back until it is
/// whole; bytes that can never be one become U+FFFD. The exact bytes are Tokenizer::decode's.
/// The tokenizer outlives it. Thread: one at a time.
class Detokenizer
{
public:
    /// `atStart` false: the ids go on from a text, so that no space at their start is dropped.
    explicit Detokenizer(const Tokenizer& tokenizer, bool atStart = true)
        : m_tokenizer(tokenizer), m_atStart(atStart)
    {}

    /// The text that became whole with this token, often empty for one of several of a character.
    std::string append(TokenId id);
    /// Ends the text: what is held back becomes U+FFFD.
    std::string flush() { return m_stream.flush(); }
    /// The bytes held back, at most three.
    const std::string& pending() const { return m_stream.pending(); }

private:
    const Tokenizer& m_tokenizer;
    Utf8Stream m_stream;
    bool m_atStart;
};

} // namespace engine
