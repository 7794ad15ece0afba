#include "app/CommandLine.h"
#include "app/WindowProgram.h"

int main(int argc, char** argv)
{
    app::WindowOptions window;
    if (const std::optional<int> status = app::runCommandLine(argc, argv, window))
        return *status;
    return app::runWindow(argc, argv, window);
}
