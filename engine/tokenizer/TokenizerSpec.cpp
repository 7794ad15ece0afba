#include "engine/tokenizer/TokenizerSpec.h"

#include <algorithm>
#include <array>

namespace engine {

namespace {

// Names by which special tokens end a turn, a message or a text, as llama.cpp knows them.
constexpr std::array<std::string_view, 9> kEndOfTurn = {
    "<|eot_id|>", "<|im_end|>", "<|end|>", "<end_of_turn>", "<end_of_utterance>",
    "<EOT>",      "_<EOT>",     "[EOT]",   "<|return|>"};
constexpr std::array<std::string_view, 2> kEndOfText = {"<|endoftext|>", "<|end_of_text|>"};
constexpr std::array<std::string_view, 6> kOtherEnds = {
    "</s>", "<eos>", "[EOS]", "<|call|>", "<|eom_id|>", "<｜end▁of▁sentence｜>"};
// Around the parts of a text to fill in, and between files.
constexpr std::array<std::string_view, 20> kFillIn = {
    "<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>", "<|fim_pad|>",  "<|fim_repo|>",
    "<fim-prefix>",   "<fim-suffix>",   "<fim-middle>",   "<fim_prefix>", "<fim_suffix>",
    "<fim_middle>",   "<fim-pad>",      "<fim_pad>",      "<fim-repo>",   "<｜fim▁begin｜>",
    "<｜fim▁hole｜>", "<｜fim▁end｜>",  "<|repo_name|>",  "<|file_sep|>", "<reponame>"};

bool contains(const auto& values, const auto& value)
{
    return std::find(values.begin(), values.end(), value) != values.end();
}

} // namespace

std::optional<TokenId> TokenizerSpec::role(std::string_view name) const
{
    for (const auto& [role, id] : roles)
        if (role == name)
            return id;
    return std::nullopt;
}

void TokenizerSpec::addRole(std::string_view name, TokenId id)
{
    if (!role(name))
        roles.emplace_back(name, id);
}

void TokenizerSpec::makeSpecial(TokenId id)
{
    const TokenKind kind = vocabulary[id].kind;
    if (kind == TokenKind::Normal || kind == TokenKind::UserDefined)
        vocabulary.setKind(id, TokenKind::Control);
    for (AddedToken& token : addedTokens)
        if (token.id == id) {
            token.special = true;
            return;
        }
    addedTokens.push_back({.id = id, .content = vocabulary[id].piece, .special = true});
}

bool isWellKnownSpecial(std::string_view piece)
{
    return contains(kEndOfTurn, piece) || contains(kEndOfText, piece) ||
           contains(kOtherEnds, piece) || contains(kFillIn, piece);
}

void findStopTokens(TokenizerSpec& spec)
{
    const Vocabulary& vocabulary = spec.vocabulary;
    const auto isSpecial = [&](TokenId id) { return vocabulary[id].kind == TokenKind::Control; };
    const auto stopAt = [&](std::optional<TokenId> id) {
        if (id && !contains(spec.stopTokens, *id))
            spec.stopTokens.push_back(*id);
    };

    for (const std::string_view name : kEndOfTurn)
        if (const auto id = vocabulary.find(name); id && isSpecial(*id) && id != spec.role("eos"))
            spec.addRole("eot", *id);
    if (const auto id = vocabulary.find("<|eom_id|>"); id && isSpecial(*id))
        spec.addRole("eom", *id);

    for (const std::string_view role : {"eos", "eot", "eom"})
        stopAt(spec.role(role));
    const auto stopAtNames = [&](const auto& names) {
        for (const std::string_view name : names)
            if (const auto id = vocabulary.find(name); id && isSpecial(*id))
                stopAt(id);
    };
    stopAtNames(kEndOfTurn);
    stopAtNames(kEndOfText);
    stopAtNames(kOtherEnds);

    // Where "<|return|>" and "<|call|>" end an answer, "<|end|>" only ends one message of it.
    const auto end = vocabulary.find("<|end|>");
    if (end && vocabulary.find("<|return|>") && vocabulary.find("<|call|>"))
        std::erase(spec.stopTokens, *end);
}

} // namespace engine
