#pragma once

#include "engine/api/Error.h"
#include "engine/tokenizer/Regex.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// What is done to a text before it is split: the steps of tokenizer.json's "normalizer", in order.
/// Thread: const after it was put together.
class Normalizer
{
public:
    enum class Form
    {
        Nfc,
        Nfd,
        Nfkc,
        Nfkd,
    };

    /// Source: Unicode Standard Annex #15, by utf8proc.
    void addForm(Form form);
    void addLowercase();
    /// Puts `content` before a text that is not empty.
    void addPrepend(std::string content);
    void addReplace(std::string literal, std::string content);
    void addReplace(Regex pattern, std::string content);
    /// Drops white space at the ends.
    void addStrip(bool left, bool right);

    bool empty() const { return m_steps.empty(); }

    /// `text` is valid UTF-8, and so is the result.
    /// Errors: UnsupportedFeature from a pattern that gave up, OutOfMemory.
    Result<std::string> apply(std::string_view text) const;

    /// All steps and their values, the same for the same rules.
    std::string canonical() const;

private:
    enum class Kind
    {
        Form,
        Lowercase,
        Prepend,
        ReplaceLiteral,
        ReplacePattern,
        Strip,
    };
    struct Step
    {
        Kind kind{};
        Form form = Form::Nfc;
        std::string literal{};
        std::string content{};
        std::optional<Regex> pattern{};
        bool left = false;
        bool right = false;
    };

    static Result<std::string> apply(const Step& step, std::string text);

    std::vector<Step> m_steps;
};

} // namespace engine
