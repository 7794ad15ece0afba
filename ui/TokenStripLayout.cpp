#include "ui/TokenStripLayout.h"

#include "ui/TokenText.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace ui {
namespace {

/// Follows the bytes of a context and reports characters that began in an earlier token.
class CrossingCharacters
{
public:
    void add(char byte, int token)
    {
        const auto value = static_cast<std::uint8_t>(byte);
        const bool continues = (value & 0xC0U) == 0x80U;
        if (!continues || m_bytes.empty()) {
            m_bytes.clear();
            m_length = lengthFrom(value);
            m_first = token;
            if (m_length < 2)
                return;
        }
        m_bytes.push_back(byte);
        if (m_bytes.size() < m_length)
            return;
        const QString text = decodedText(m_bytes);
        m_bytes.clear();
        if (m_first != token && !text.contains(QChar::ReplacementCharacter))
            record(token, text);
    }
    void end() { m_bytes.clear(); }
    std::vector<JoinedTokens> take() { return std::move(m_joins); }

private:
    /// Bytes of the character that `lead` begins; 1 also where it begins none.
    static std::size_t lengthFrom(std::uint8_t lead)
    {
        return lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    }

    void record(int token, const QString& text)
    {
        if (!m_joins.empty() && m_joins.back().last >= m_first) {
            m_joins.back().last = token;
            m_joins.back().text += text;
        } else {
            m_joins.push_back({m_first, token, text});
        }
    }

    std::vector<JoinedTokens> m_joins;
    std::string m_bytes;
    std::size_t m_length = 0;
    int m_first = 0;
};

bool breaksLine(const engine::TokenPiece& piece)
{
    return piece.kind != engine::TokenKind::Control && piece.bytes.find('\n') != std::string::npos;
}

} // namespace

std::vector<JoinedTokens> joinedTokens(const std::vector<engine::ContextToken>& tokens)
{
    CrossingCharacters characters;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].piece.kind == engine::TokenKind::Control) {
            characters.end();
            continue;
        }
        for (const char byte : tokens[i].piece.bytes)
            characters.add(byte, static_cast<int>(i));
    }
    return characters.take();
}

void TokenStripLayout::arrange(const Sizes& sizes, const std::vector<double>& chipWidths,
                               const std::vector<engine::ContextToken>& tokens,
                               const std::vector<JoinedTokens>& joins,
                               std::optional<double> endMarkWidth)
{
    // First which chips share a row, then how far down each row is: a bracket makes its row taller.
    m_chips.assign(chipWidths.size(), QRectF());
    m_rows.clear();
    m_idHeight = sizes.idHeight;
    double x = 0;
    bool newRow = true;
    for (std::size_t i = 0; i < chipWidths.size(); ++i) {
        const double width = std::min(chipWidths[i], sizes.width);
        if (newRow || x + width > sizes.width) {
            m_rows.push_back({static_cast<int>(i), static_cast<int>(i), 0, 0, false});
            x = 0;
        }
        m_rows.back().last = static_cast<int>(i);
        m_chips[i] = QRectF(x, 0, width, sizes.chipHeight);
        x += width + sizes.gapX;
        newRow = breaksLine(tokens[i].piece);
    }
    for (const JoinedTokens& join : joins)
        for (int row = rowOf(join.first); row <= rowOf(join.last); ++row)
            m_rows[static_cast<std::size_t>(row)].hasJoin = true;

    double y = 0;
    for (Row& row : m_rows) {
        row.top = y;
        y += row.hasJoin ? sizes.joinHeight : 0;
        for (int chip = row.first; chip <= row.last; ++chip)
            m_chips[static_cast<std::size_t>(chip)].moveTop(y);
        y += sizes.chipHeight + sizes.idHeight;
        row.bottom = y;
        y += sizes.gapY;
    }

    m_endMark = QRectF();
    if (endMarkWidth) {
        const double width = std::min(*endMarkWidth, sizes.width);
        if (m_rows.empty() || newRow || x + width > sizes.width) {
            m_endMark = QRectF(0, y, width, sizes.chipHeight);
            y += sizes.chipHeight + sizes.gapY;
        } else {
            m_endMark = QRectF(x, m_chips.back().top(), width, sizes.chipHeight);
        }
    }
    m_height = std::max(0.0, y - sizes.gapY);
}

int TokenStripLayout::rowOf(int chip) const
{
    const auto after = std::upper_bound(m_rows.begin(), m_rows.end(), chip,
                                        [](int c, const Row& row) { return c < row.first; });
    return static_cast<int>(after - m_rows.begin()) - 1;
}

int TokenStripLayout::firstRowBelow(double y) const
{
    const auto found = std::partition_point(m_rows.begin(), m_rows.end(),
                                            [y](const Row& row) { return row.bottom < y; });
    return static_cast<int>(found - m_rows.begin());
}

int TokenStripLayout::chipAt(const QPointF& point) const
{
    const int index = firstRowBelow(point.y());
    if (index >= static_cast<int>(m_rows.size()))
        return -1;
    const Row& row = m_rows[static_cast<std::size_t>(index)];
    for (int chip = row.first; chip <= row.last; ++chip) {
        const QRectF& rect = m_chips[static_cast<std::size_t>(chip)];
        if (rect.adjusted(0, 0, 0, m_idHeight).contains(point))
            return chip;
    }
    return -1;
}

} // namespace ui
