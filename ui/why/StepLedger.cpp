#include "ui/why/StepLedger.h"

#include "ui/NumberText.h"
#include "ui/TokenText.h"
#include "ui/why/WorkedLine.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace ui {
namespace {

using engine::Candidate;
using engine::ContextToken;
using engine::Run;
using engine::Step;
using engine::TokenOrigin;
using engine::TokenPiece;

constexpr qsizetype shownCharacters = 60;
constexpr std::size_t shownBytes = 12;
constexpr std::size_t shownIds = 8;

QString tr(const char* text)
{
    return QCoreApplication::translate("StepLedger", text);
}

/// The end of a text is what a step goes on from.
QString endOf(QString text)
{
    text.replace(QLatin1Char('\n'), QChar(0x21B5));
    return text.size() <= shownCharacters ? text : QChar(0x2026) + text.right(shownCharacters);
}

QString endOfBytes(const std::string& bytes)
{
    return bytes.size() <= shownBytes
               ? hexBytes(bytes)
               : QStringLiteral("… ") + hexBytes(bytes.substr(bytes.size() - shownBytes));
}

TokenPiece pieceAt(const Run& run, int step)
{
    const Step& made = run.steps[static_cast<std::size_t>(step)];
    const Candidate* picked = made.find(made.picked);
    return picked ? picked->piece : TokenPiece{made.picked, {}, {}};
}

/// What step `index` read: the starting context and the picks before it.
std::vector<ContextToken> contextOf(const Run& run, int index)
{
    std::vector<ContextToken> tokens = run.context.tokens;
    for (int i = 0; i < index; ++i)
        tokens.push_back({pieceAt(run, i), run.steps[static_cast<std::size_t>(i)].forced
                                               ? TokenOrigin::Forced
                                               : TokenOrigin::Generated});
    return tokens;
}

std::string bytesOf(const std::vector<ContextToken>& tokens)
{
    std::string bytes;
    for (const ContextToken& token : tokens)
        bytes += token.piece.bytes;
    return bytes;
}

QString originName(TokenOrigin origin)
{
    switch (origin) {
    case TokenOrigin::Prompt:
        return tr("prompt");
    case TokenOrigin::Special:
        return tr("special");
    case TokenOrigin::Bos:
        return QStringLiteral("BOS");
    case TokenOrigin::Generated:
        return tr("generated");
    case TokenOrigin::Forced:
        return tr("forced");
    }
    return {};
}

/// "1 BOS, 9 prompt, 2 generated"
QString originCounts(const std::vector<ContextToken>& tokens)
{
    QStringList parts;
    for (const TokenOrigin origin : {TokenOrigin::Bos, TokenOrigin::Special, TokenOrigin::Prompt,
                                     TokenOrigin::Generated, TokenOrigin::Forced}) {
        const auto count =
            std::count_if(tokens.begin(), tokens.end(),
                          [origin](const ContextToken& token) { return token.origin == origin; });
        if (count > 0)
            parts << QStringLiteral("%1 %2").arg(countText(count), originName(origin));
    }
    return parts.join(QStringLiteral(", "));
}

QString lastIds(const std::vector<ContextToken>& tokens)
{
    QStringList ids;
    const std::size_t from = tokens.size() > shownIds ? tokens.size() - shownIds : 0;
    for (std::size_t i = from; i < tokens.size(); ++i)
        ids << QString::number(tokens[i].piece.id.value);
    return (from > 0 ? QStringLiteral("… ") : QString()) + ids.join(QLatin1Char(' '));
}

/// The run's prompt and how it became ids.
void addInput(std::vector<LedgerRow>& rows, const Run& run, int index)
{
    const QString given = decodedText(run.context.text);
    if (run.context.text.empty())
        rows.push_back({tr("text as given"), tr("none: the prompt was given as ids"), {}});
    else
        rows.push_back({tr("text as given"), QStringLiteral("“%1”").arg(endOf(given)),
                        tr("%1 characters").arg(countText(given.size()))});
    if (run.settings.chat)
        rows.push_back({tr("template"),
                        QStringLiteral("“%1”").arg(endOf(decodedText(bytesOf(run.context.tokens)))),
                        tr("chat")});
    const std::vector<ContextToken> tokens = contextOf(run, index);
    const std::string bytes = bytesOf(tokens);
    rows.push_back({tr("bytes"), endOfBytes(bytes),
                    tr("%1 bytes").arg(countText(static_cast<std::int64_t>(bytes.size())))});
    rows.push_back({tr("ids"), QStringLiteral("%1 (%2)").arg(lastIds(tokens), originCounts(tokens)),
                    tr("%1 ids").arg(countText(static_cast<std::int64_t>(tokens.size())))});
}

void addArithmetic(std::vector<LedgerRow>& rows, const Candidate& candidate, const Step& step)
{
    for (const WorkedLine& line : workedLines(candidate, step)) {
        LedgerRow row{line.stage, line.work, line.result, true, false};
        rows.push_back(row);
    }
    rows.back().isRemoval = candidate.removedBy.has_value();
}

QString pickWord(const Step& step)
{
    if (step.forced)
        return tr("forced");
    return step.picked == step.argmax ? tr("the argmax") : tr("not the argmax");
}

void addOutcome(std::vector<LedgerRow>& rows, const Run& run, int index)
{
    const Step& step = run.steps[static_cast<std::size_t>(index)];
    const Candidate* choice = step.find(step.ruleChoice);
    const QString chosen = choice ? visibleText(choice->piece) : QString();
    if (step.draw)
        rows.push_back({tr("draw"),
                        tr("u = %1 falls into [%2, %3), the slice of %4")
                            .arg(QString::number(step.draw->u, 'f', 4),
                                 QString::number(step.draw->low, 'f', 4),
                                 QString::number(step.draw->high, 'f', 4), chosen),
                        step.draw->attempt == 0 ? tr("seed %1").arg(step.sampling.seed)
                                                : tr("draw %1").arg(step.draw->attempt + 1)});
    else
        rows.push_back({tr("draw"), tr("none: greedy decoding takes the largest"), {}});
    const TokenPiece piece = pieceAt(run, index);
    rows.push_back({tr("pick"),
                    step.forced ? tr("id %1 %2, put in by hand; the rule chose %3")
                                      .arg(piece.id.value)
                                      .arg(visibleText(piece), chosen)
                                : tr("id %1 %2").arg(piece.id.value).arg(visibleText(piece)),
                    pickWord(step)});
    const std::string before = bytesOf(contextOf(run, index));
    const QString partial = partialText(before, piece);
    rows.push_back({tr("bytes"),
                    partial.isEmpty()
                        ? hexBytes(piece.bytes)
                        : QStringLiteral("%1 · %2").arg(hexBytes(piece.bytes), partial),
                    tr("%1 bytes").arg(countText(static_cast<std::int64_t>(piece.bytes.size())))});
    std::string text;
    for (int i = 0; i <= index; ++i)
        text += pieceAt(run, i).bytes;
    rows.push_back(
        {tr("text"), QStringLiteral("“%1”").arg(endOf(decodedText(text))), tr("so far")});
}

/// How many bytes a UTF-8 character beginning so has; 0: none begins so.
std::size_t lengthOfCharacter(unsigned char lead)
{
    if (lead >= 0xC2 && lead <= 0xDF)
        return 2;
    if (lead >= 0xE0 && lead <= 0xEF)
        return 3;
    return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

/// The bytes at the end that begin a character and lack its end.
std::string unfinished(const std::string& bytes)
{
    for (std::size_t back = 1; back <= std::min<std::size_t>(3, bytes.size()); ++back) {
        const auto byte = static_cast<unsigned char>(bytes[bytes.size() - back]);
        if ((byte & 0xC0) == 0x80)
            continue;
        return lengthOfCharacter(byte) > back ? bytes.substr(bytes.size() - back) : std::string();
    }
    return {};
}

} // namespace

QString partialText(const std::string& before, const engine::TokenPiece& piece)
{
    const std::string waiting = unfinished(before);
    const std::string after = unfinished(waiting + piece.bytes);
    if (!after.empty() && !piece.bytes.empty()) {
        const std::size_t whole = lengthOfCharacter(static_cast<unsigned char>(after.front()));
        return tr("part of a character: %1 of %2 bytes are there, it waits for %3 more")
            .arg(after.size())
            .arg(whole)
            .arg(whole - after.size());
    }
    const auto first = piece.bytes.empty() ? 0 : static_cast<unsigned char>(piece.bytes.front());
    if (!waiting.empty() && (first & 0xC0) == 0x80) {
        const std::size_t missing =
            lengthOfCharacter(static_cast<unsigned char>(waiting.front())) - waiting.size();
        return tr("completes %1").arg(decodedText(waiting + piece.bytes.substr(0, missing)));
    }
    return {};
}

std::vector<LedgerRow> stepLedger(const Run& run, int index, engine::TokenId id)
{
    std::vector<LedgerRow> rows;
    if (index < 0 || index >= static_cast<int>(run.steps.size()))
        return rows;
    const Step& step = run.steps[static_cast<std::size_t>(index)];
    addInput(rows, run, index);
    if (const Candidate* candidate = step.find(id))
        addArithmetic(rows, *candidate, step);
    addOutcome(rows, run, index);
    return rows;
}

} // namespace ui
