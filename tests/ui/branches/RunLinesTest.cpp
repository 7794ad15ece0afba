#include "ui/branches/RunLines.h"

#include "tests/ui/branches/LineSteps.h"
#include "ui/StepModel.h"

#include <QSignalSpy>
#include <QTest>

using namespace support;
using engine::Step;
using ui::RunLine;
using ui::RunLines;
using ui::StepModel;

namespace {

std::vector<Step> forcedAt(std::vector<Step> steps)
{
    steps.back().forced = true;
    return steps;
}

engine::SamplingConfig warm(double temperature)
{
    engine::SamplingConfig sampling;
    sampling.temperature = temperature;
    return sampling;
}

} // namespace

class RunLinesTest : public QObject
{
    Q_OBJECT

private:
    StepModel m_steps;
    std::unique_ptr<RunLines> m_lines;

    std::string letters(int line)
    {
        return lettersOf(m_lines->lines().at(static_cast<std::size_t>(line)).steps);
    }
    void show(int from, const std::vector<Step>& steps) { m_steps.replaceSteps(from, steps, {}); }
    /// What the window does when a line is asked for.
    void answerRequests()
    {
        connect(m_lines.get(), &RunLines::lineRequested, this,
                [this](const RunLine& line) { show(0, line.steps); });
    }

private Q_SLOTS:
    void init()
    {
        m_lines = std::make_unique<RunLines>(&m_steps);
        m_steps.setRun(letterRun("abcd"));
    }

    void steppingStaysOnTheLine()
    {
        show(4, letterSteps("abcdef", 4));
        QCOMPARE(m_lines->lines().size(), std::size_t{1});
        QCOMPARE(letters(0), std::string("abcdef"));
        QVERIFY(!m_lines->canUndo());
    }

    void anotherPickBeginsALineAndKeepsTheOldOne()
    {
        show(1, forcedAt(letterSteps("aX", 1)));
        QCOMPARE(m_lines->lines().size(), std::size_t{2});
        QCOMPARE(letters(0), std::string("abcd"));
        QCOMPARE(letters(1), std::string("aX"));
        const RunLine& line = m_lines->lines()[1];
        QCOMPARE(line.parent, m_lines->lines()[0].id);
        QCOMPARE(line.fork, 1);
        QCOMPARE(line.cause, QStringLiteral("forced"));
        QCOMPARE(m_lines->current(), line.id);
        show(2, letterSteps("aXY", 2));
        QCOMPARE(letters(1), std::string("aXY"));
        QCOMPARE(letters(0), std::string("abcd"));
    }

    void undoAndRedoGoToAndFro()
    {
        answerRequests();
        show(1, forcedAt(letterSteps("aX", 1)));
        const int first = m_lines->lines()[0].id;
        const int second = m_lines->lines()[1].id;
        m_lines->undo();
        QCOMPARE(m_lines->current(), first);
        QCOMPARE(lettersOf(m_steps.run().steps), std::string("abcd"));
        QVERIFY(!m_lines->canUndo() && m_lines->canRedo());
        m_lines->redo();
        QCOMPARE(m_lines->current(), second);
        QCOMPARE(lettersOf(m_steps.run().steps), std::string("aX"));
        QVERIFY(m_lines->canUndo() && !m_lines->canRedo());
        QCOMPARE(m_lines->lines().size(), std::size_t{2});
    }

    void anyLineCanBeChosen()
    {
        answerRequests();
        show(1, forcedAt(letterSteps("aX", 1)));
        show(0, forcedAt(letterSteps("Z")));
        m_lines->switchTo(m_lines->lines()[0].id);
        QCOMPARE(lettersOf(m_steps.run().steps), std::string("abcd"));
        m_lines->undo();
        QCOMPARE(lettersOf(m_steps.run().steps), std::string("Z"));
    }

    void aMovedSettingLeavesOneLineBehind()
    {
        show(3, letterSteps("abcX", 3, warm(1.1)));
        show(3, letterSteps("abcY", 3, warm(1.2)));
        show(3, letterSteps("abcZ", 3, warm(1.3)));
        QCOMPARE(m_lines->lines().size(), std::size_t{2});
        QCOMPARE(letters(1), std::string("abcZ"));
        QCOMPARE(m_lines->lines()[1].cause, QStringLiteral("temperature 1.00 → 1.30"));
        // Once it has gone on, it is a line of its own.
        show(4, letterSteps("abcZQ", 4, warm(1.3)));
        show(3, letterSteps("abcW", 3, warm(1.4)));
        QCOMPARE(m_lines->lines().size(), std::size_t{3});
    }

    void takingAForcingBackBringsBackWhatFollowed()
    {
        answerRequests();
        show(1, forcedAt(letterSteps("aX", 1)));
        show(1, letterSteps("ab", 1)); // the rule's own choice again
        QCOMPARE(lettersOf(m_steps.run().steps), std::string("abcd"));
        QCOMPARE(m_lines->current(), m_lines->lines()[0].id);
        QCOMPARE(m_lines->lines().size(), std::size_t{2});
    }

    void startingOverKeepsWhatTheUserMade()
    {
        show(0, letterSteps("a")); // comes again by stepping
        QCOMPARE(m_lines->lines().size(), std::size_t{1});
        QCOMPARE(letters(0), std::string("a"));
        std::vector<Step> steps = letterSteps("abX", 1);
        steps[1].forced = true;
        show(1, steps);
        show(0, letterSteps("a"));
        QCOMPARE(m_lines->lines().size(), std::size_t{2});
        QCOMPARE(letters(0), std::string("abX"));
    }

    void anotherRunBeginsAnew()
    {
        show(1, forcedAt(letterSteps("aX", 1)));
        m_steps.setRun(letterRun("pq"));
        QCOMPARE(m_lines->lines().size(), std::size_t{1});
        QCOMPARE(letters(0), std::string("pq"));
        QVERIFY(!m_lines->canUndo());
    }

    void aResultOnItsWayIsNotTakenForTheLineAskedFor()
    {
        show(1, forcedAt(letterSteps("aX", 1)));
        m_lines->undo();
        show(2, letterSteps("aXY", 2)); // a step that was in flight
        QCOMPARE(letters(1), std::string("aXY"));
        show(0, letterSteps("abcd"));
        QCOMPARE(m_lines->current(), m_lines->lines()[0].id);
        QCOMPARE(m_lines->lines().size(), std::size_t{2});
    }

    void forgetsTheOldestLeafBeyondItsLimit()
    {
        answerRequests();
        const int trunk = m_lines->current();
        for (int i = 0; i < RunLines::mostLines + 5; ++i) {
            std::vector<Step> steps = letterSteps("abcd", 1);
            steps.resize(1);
            steps[0].picked = steps[0].candidates[0].piece.id = engine::TokenId{1000 + i};
            steps[0].forced = true;
            show(1, steps);
            m_lines->switchTo(trunk);
            QCOMPARE(m_lines->current(), trunk);
        }
        QVERIFY(static_cast<int>(m_lines->lines().size()) <= RunLines::mostLines);
        QVERIFY(m_lines->find(trunk) != nullptr);
        QCOMPARE(m_lines->lines().back().steps[1].picked,
                 engine::TokenId{1000 + RunLines::mostLines + 4});
    }

    void saysWhyALineParted()
    {
        Step before = letterStep(0, 'a');
        Step after = letterStep(0, 'b');
        before.draw = engine::Draw{0.5, 0, 1, 0};
        after.draw = engine::Draw{0.6, 0, 1, 1};
        QCOMPARE(ui::partingCause(before, after), QStringLiteral("drawn again"));
        after.sampling.seed = 12;
        after.sampling.topK = 5;
        QCOMPARE(ui::partingCause(before, after), QStringLiteral("top-k 0.00 → 5.00, seed 12"));
        after.forced = true;
        QCOMPARE(ui::partingCause(before, after), QStringLiteral("forced"));
    }
};

QTEST_MAIN(RunLinesTest)
#include "RunLinesTest.moc"
