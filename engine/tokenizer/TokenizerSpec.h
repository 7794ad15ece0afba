#pragma once

#include "engine/api/Token.h"
#include "engine/tokenizer/BpeMerges.h"
#include "engine/tokenizer/Normalizer.h"
#include "engine/tokenizer/PreTokenizer.h"
#include "engine/tokenizer/Vocabulary.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace engine {

enum class TokenizerFamily
{
    ByteLevelBpe,
    SentencePieceBpe,
    Unigram,
};

/// A tokenizer as data: what every file format is read into and what the algorithms run on.
struct TokenizerSpec
{
    TokenizerFamily family = TokenizerFamily::ByteLevelBpe;
    Vocabulary vocabulary;
    std::vector<AddedToken> addedTokens;
    bool normalizesAddedTokens = true; ///< those that are matched in the normalised text

    // Text to ids.
    Normalizer normalizer;
    PreTokenizer preTokenizer;
    std::vector<Merge> merges; ///< by rank; empty where the vocabulary's scores rule
    bool mergesByScore = false;
    double unknownScore = 0; ///< of a character without a token, among a Unigram model's scores
    bool addsScoresAsFloats = false; ///< a Unigram model's sums are rounded at each step
    bool ignoreMerges = false; ///< a word that is a piece is that token, whatever the merges say
    bool byteFallback = false; ///< characters without a token become those of their bytes
    std::optional<TokenId> unknown;   ///< stands for what the vocabulary cannot say
    bool fuseUnknown = false;         ///< neighbouring unknown characters become one token
    bool startsBehindSpecial = false; ///< text behind a special token is normalised as at the start
    std::vector<TokenId> before;      ///< put before every text: BOS
    std::vector<TokenId> after;       ///< put after every text: EOS

    // Ids to text.
    std::vector<std::pair<std::string, std::string>> replacements; ///< in pieces: U+2581 to a space
    std::size_t leadingSpaces = 0; ///< spaces dropped at the start of a text

    // What is said about it. A role: "bos", "eos", "eot", "eom", "unknown", "padding", ...
    std::vector<std::pair<std::string, TokenId>> roles;
    std::vector<TokenId> stopTokens;
    std::string chatTemplate;
    std::vector<std::string> warnings;

    std::optional<TokenId> role(std::string_view name) const;
    /// Sets a role that was not set before.
    void addRole(std::string_view name, TokenId id);
    /// Takes a token out of what plain text can become: it is one of those that begin or end text.
    void makeSpecial(TokenId id);
};

/// The written form of a space in SentencePiece vocabularies, U+2581.
inline constexpr std::string_view kSpaceMark = "\xE2\x96\x81";

/// Adds to the stop tokens: EOS, the end-of-turn and end-of-message roles, and special tokens that
/// end a turn by a well-known name ("<|eot_id|>", "<|im_end|>", "<end_of_turn>", ...); the first of
/// those also becomes the role "eot" where the file names none.
void findStopTokens(TokenizerSpec& spec);

/// Does a token of this name end a turn or a text, or mark a place to fill in? In GGUF it is
/// special even where the file calls it normal or user-defined, as llama.cpp has it.
bool isWellKnownSpecial(std::string_view piece);

} // namespace engine
