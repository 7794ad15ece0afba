#include "app/commands/Command.h"
#include "engine/generation/LanguageModel.h"

namespace app {

void remarkWarnings(const engine::LanguageModel& model)
{
    for (const std::string& warning : model.notes().warnings)
        remark("warning: " + warning);
}

} // namespace app
