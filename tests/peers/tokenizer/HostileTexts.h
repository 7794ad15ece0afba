#pragma once

#include "engine/tokenizer/Utf8.h"

#include <array>
#include <random>
#include <span>
#include <string>
#include <string_view>

namespace tokenizerTesting {

/// A text of words in many scripts, all kinds of white space and control characters, combining
/// marks, emoji in several code points, digits, contractions, punctuation and the written forms of
/// special tokens; the same for the same state of `random`.
inline std::string hostileText(std::mt19937& random)
{
    constexpr std::string_view spaces[] = {
        " ",    " ",      "  ",     "   ",    "\t",     "\n",      "\r\n",   "\r",
        "\n\n", "\u00a0", "\u2003", "\u3000", "\u200b", "\u2028",  "\u0085", "\v",
        "\f",   " \n",    "\n ",    " \t ",   "\ufeff", "        "};
    constexpr std::string_view words[] = {"Hello",      "world",
                                          "don't",      "DON'T",
                                          "I'LL",       "we'Ve",
                                          "it's",       "'s",
                                          "\u2019s",    "naïve",
                                          "cafe\u0301", "Straße",
                                          "İstanbul",   "ﬁne",
                                          "ǅ",          "fooBar",
                                          "HTTPServer", "x1y2",
                                          "C++",        "http://a.b/c?d=e&f",
                                          "<br/>",      "!=",
                                          "...",        "…",
                                          "“q”",        "$12.50",
                                          "€5",         "\\n",
                                          "`code`",     "Привет",
                                          "Ёж",         "γειά",
                                          "σου",        "שָׁלוֹם",
                                          "مرحبا",      "नमस्ते",
                                          "क्षत्रिय",     "ภาษาไทย",
                                          "日本語",     "ひらがな",
                                          "ｶﾀｶﾅ",       "한국어",
                                          "ㅎㅏㄴ",     "𠜎𠜱",
                                          "አማርኛ",       "𝕳𝖊𝖑",
                                          "①②③",        "ⅣⅫ",
                                          "½",          "٠١٢٣",
                                          "ＡＢＣ",     "ﷺ",
                                          "Å",          "q\u0323\u0307",
                                          "ệ",          "각",
                                          "ſ",          "'ſ",
                                          "K"};
    constexpr std::string_view pictures[] = {
        "😀",       "👍🏽",       "👩‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪", "❤️",
        "1️⃣", "👨🏿‍🚀"};
    constexpr std::string_view controls[] = {std::string_view("\0", 1),
                                             "\x01",
                                             "\x1b",
                                             "\x7f",
                                             "\u009f",
                                             "\u00ad",
                                             "\u200d",
                                             "\u2060",
                                             "\ufffe",
                                             "\uffff",
                                             "\ufffd",
                                             "\ue000",
                                             "\U0010ffff",
                                             "\ufe0f",
                                             "\u0301\u0302",
                                             "\u20dd"};
    constexpr std::string_view special[] = {"<|endoftext|>",
                                            "<s>",
                                            "</s>",
                                            "<unk>",
                                            "<bos>",
                                            "<|im_start|>",
                                            "<|im_end|>",
                                            "<think>",
                                            "<tool_call>",
                                            "<start_of_turn>",
                                            "<|begin_of_text|>",
                                            "<|eot_id|>",
                                            "<unused7>",
                                            "<0x0A>",
                                            "▁",
                                            "▁the",
                                            "Ġthe",
                                            "[INST]",
                                            "<table>"};
    const auto one = [&random](std::span<const std::string_view> all) {
        return std::string(all[random() % all.size()]);
    };
    std::string text;
    for (auto count = 1 + random() % 12; count > 0; --count) {
        if (random() % 4 != 0)
            text += random() % 2 == 0 ? " " : one(spaces);
        const auto kind = random() % 20;
        if (kind < 10)
            text += one(words);
        else if (kind < 12)
            text += one(pictures);
        else if (kind < 13)
            text += one(controls);
        else if (kind < 14)
            text += one(special);
        else if (kind < 16)
            for (auto size = 1 + random() % 14; size > 0; --size)
                text += static_cast<char>('0' + random() % 10);
        else if (kind < 18)
            for (auto size = 1 + random() % 6; size > 0; --size)
                text += static_cast<char>('!' + random() % 94);
        else
            text.append(1 + random() % 40, "abz0 .-=#*\n\t"[random() % 12]);
    }
    return text;
}

} // namespace tokenizerTesting
