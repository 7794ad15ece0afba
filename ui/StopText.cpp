#include "ui/StopText.h"

#include "ui/TokenText.h"

#include <QCoreApplication>

namespace ui {
namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("StopText", text);
}

/// The stop text that came first in the output; which one it was is not recorded.
QString stopTextFound(const engine::Run& run)
{
    std::size_t best = std::string::npos;
    QString found;
    for (const std::string& candidate : run.settings.stopTexts) {
        const std::size_t at = run.outputBytes.find(candidate);
        if (!candidate.empty() && at < best) {
            best = at;
            found = visibleText({{}, candidate, {}});
        }
    }
    return found;
}

QString withDetail(const QString& reason, const QString& detail)
{
    return detail.isEmpty() ? reason : reason + QLatin1Char(' ') + detail;
}

} // namespace

QString stopText(const engine::Run& run)
{
    if (!run.stop)
        return {};
    switch (*run.stop) {
    case engine::StopReason::MaxNewTokens:
        return tr("length limit (%1)").arg(run.steps.size());
    case engine::StopReason::StopToken: {
        const engine::Candidate* last =
            run.steps.empty() ? nullptr : run.steps.back().find(run.steps.back().picked);
        return withDetail(tr("stop token"), last ? visibleText(last->piece) : QString());
    }
    case engine::StopReason::StopText: {
        const QString found = stopTextFound(run);
        return withDetail(tr("stop text"),
                          found.isEmpty() ? found : QStringLiteral("\"%1\"").arg(found));
    }
    case engine::StopReason::ContextFull:
        return run.model.contextLength > 0 ? tr("context full (%1)").arg(run.model.contextLength)
                                           : tr("context full");
    case engine::StopReason::Cancelled:
        return tr("cancelled");
    }
    return {};
}

} // namespace ui
