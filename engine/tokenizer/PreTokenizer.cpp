#include "engine/tokenizer/PreTokenizer.h"

#include <algorithm>

namespace engine {

namespace {

/// A stretch of a word, matched or between matches.
struct Segment
{
    ByteRange range;
    bool matched = false;
};

std::vector<ByteRange> arrange(const std::vector<Segment>& segments, SplitBehavior behavior)
{
    std::vector<ByteRange> words;
    bool previousMatched = false;
    switch (behavior) {
    case SplitBehavior::Removed:
        for (const Segment& segment : segments)
            if (!segment.matched)
                words.push_back(segment.range);
        break;
    case SplitBehavior::Isolated:
        for (const Segment& segment : segments)
            words.push_back(segment.range);
        break;
    case SplitBehavior::Contiguous:
        for (const Segment& segment : segments) {
            if (!words.empty() && segment.matched == previousMatched)
                words.back().end = segment.range.end;
            else
                words.push_back(segment.range);
            previousMatched = segment.matched;
        }
        break;
    case SplitBehavior::MergedWithPrevious:
        for (const Segment& segment : segments) {
            if (!words.empty() && segment.matched && !previousMatched)
                words.back().end = segment.range.end;
            else
                words.push_back(segment.range);
            previousMatched = segment.matched;
        }
        break;
    case SplitBehavior::MergedWithNext:
        for (auto segment = segments.rbegin(); segment != segments.rend(); ++segment) {
            if (!words.empty() && segment->matched && !previousMatched)
                words.back().begin = segment->range.begin;
            else
                words.push_back(segment->range);
            previousMatched = segment->matched;
        }
        std::reverse(words.begin(), words.end());
        break;
    }
    return words;
}

/// Matches of a word as segments that cover it; `offset` is where the word begins in its text.
class SegmentCollector
{
public:
    SegmentCollector(ByteRange word, bool invert)
        : m_end(word.end), m_offset(word.begin), m_base(word.begin), m_invert(invert)
    {}

    void match(ByteRange inWord)
    {
        const ByteRange match{m_base + inWord.begin, m_base + inWord.end};
        gapUntil(match.begin);
        m_segments.push_back({match, !m_invert});
        m_offset = match.end;
    }

    const std::vector<Segment>& finish()
    {
        gapUntil(m_end);
        return m_segments;
    }

private:
    void gapUntil(std::size_t end)
    {
        if (end > m_offset)
            m_segments.push_back({{m_offset, end}, m_invert});
        m_offset = end;
    }

    std::vector<Segment> m_segments;
    std::size_t m_end;
    std::size_t m_offset;
    std::size_t m_base;
    bool m_invert;
};

} // namespace

void PreTokenizer::addSplit(Regex pattern, SplitBehavior behavior, bool invert)
{
    std::string text = pattern.pattern();
    m_steps.push_back({.kind = Kind::SplitPattern,
                       .pattern = std::move(pattern),
                       .literal = std::move(text),
                       .behavior = behavior,
                       .invert = invert});
}

void PreTokenizer::addSplit(std::string literal, SplitBehavior behavior, bool invert)
{
    m_steps.push_back({.kind = Kind::SplitLiteral,
                       .literal = std::move(literal),
                       .behavior = behavior,
                       .invert = invert});
}

void PreTokenizer::addPrefixSpace()
{
    m_steps.push_back({.kind = Kind::PrefixSpace});
}

void PreTokenizer::addMetaspace(std::string replacement, PrependScheme scheme, bool split)
{
    m_steps.push_back({.kind = Kind::Metaspace,
                       .literal = std::move(replacement),
                       .behavior = SplitBehavior::MergedWithNext,
                       .scheme = scheme,
                       .splitsWords = split});
}

void PreTokenizer::append(PreTokenizer rules)
{
    for (Step& step : rules.m_steps)
        m_steps.push_back(std::move(step));
}

Result<Done> PreTokenizer::splitWords(const Step& step, Words& words)
{
    std::vector<ByteRange> result;
    result.reserve(words.ranges.size());
    for (const ByteRange& word : words.ranges) {
        SegmentCollector segments(word, step.invert);
        const std::string_view text = word.of(words.text);
        if (step.pattern) {
            const auto done = step.pattern->forEachMatch(
                text, [&segments](ByteRange match) { segments.match(match); });
            if (!done)
                return done.error();
        } else if (!step.literal.empty()) {
            for (std::size_t at = text.find(step.literal); at != std::string_view::npos;
                 at = text.find(step.literal, at + step.literal.size()))
                segments.match({at, at + step.literal.size()});
        }
        for (const ByteRange& range : arrange(segments.finish(), step.behavior))
            result.push_back(range);
    }
    words.ranges = std::move(result);
    return Done{};
}

void PreTokenizer::prefixWords(Words& words)
{
    Words result;
    result.text.reserve(words.text.size() + words.ranges.size());
    for (const ByteRange& range : words.ranges) {
        const std::string_view word = range.of(words.text);
        const std::size_t begin = result.text.size();
        if (!word.starts_with(' '))
            result.text += ' ';
        result.text += word;
        result.ranges.push_back({begin, result.text.size()});
    }
    words = std::move(result);
}

void PreTokenizer::markSpaces(const Step& step, Words& words, bool atStart)
{
    Words result;
    result.text.reserve(words.text.size());
    bool first = atStart;
    for (const ByteRange& range : words.ranges) {
        const std::string_view word = range.of(words.text);
        const std::size_t begin = result.text.size();
        const bool prepends =
            step.scheme == PrependScheme::Always || (step.scheme == PrependScheme::First && first);
        if (prepends && !word.starts_with(' ') && !word.starts_with(step.literal))
            result.text += step.literal;
        for (const char byte : word) {
            if (byte == ' ')
                result.text += step.literal;
            else
                result.text += byte;
        }
        result.ranges.push_back({begin, result.text.size()});
        first = false;
    }
    words = std::move(result);
}

Result<Words> PreTokenizer::split(std::string text, bool atStart) const
{
    Words words;
    words.text = std::move(text);
    if (!words.text.empty())
        words.ranges.push_back({0, words.text.size()});
    for (const Step& step : m_steps) {
        if (step.kind == Kind::PrefixSpace)
            prefixWords(words);
        if (step.kind == Kind::Metaspace)
            markSpaces(step, words, atStart);
        if (step.kind == Kind::SplitPattern || step.kind == Kind::SplitLiteral || step.splitsWords)
            if (const auto done = splitWords(step, words); !done)
                return done.error();
    }
    return words;
}

std::string PreTokenizer::canonical() const
{
    std::string text;
    for (const Step& step : m_steps) {
        text += "kind " + std::to_string(static_cast<int>(step.kind));
        text += " behavior " + std::to_string(static_cast<int>(step.behavior));
        text += " scheme " + std::to_string(static_cast<int>(step.scheme));
        text += " invert " + std::to_string(step.invert);
        text += " split " + std::to_string(step.splitsWords);
        text += " literal " + std::to_string(step.literal.size());
        text.append(":").append(step.literal).append("\n");
    }
    return text;
}

} // namespace engine
