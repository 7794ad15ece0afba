#include "ui/compare/RibbonLayout.h"

#include "tests/ui/compare/ComparedLetters.h"

#include <QTest>

using support::showLetters;
using ui::RibbonChip;
using ui::RibbonLayout;

class RibbonLayoutTest : public QObject
{
    Q_OBJECT

private:
    ui::CompareModel m_model;
    RibbonLayout m_layout;

    void arrange() { m_layout.arrange(m_model, ui::Theme::light()); }
    const RibbonChip* chip(int run, int step) const
    {
        for (const RibbonChip& one : m_layout.chips())
            if (one.run == run && one.step == step)
                return &one;
        return nullptr;
    }
    /// The same runs, set beside each other in another way.
    void compare(const engine::RunComparison& comparison)
    {
        std::vector<ui::NamedRun> runs;
        for (int run = 0; run < m_model.count(); ++run)
            runs.push_back({m_model.name(run), m_model.run(run)});
        m_model.setRuns(runs, comparison);
        arrange();
    }

private Q_SLOTS:
    void whatIsSharedStandsOnceAndInTheMiddle()
    {
        showLetters(m_model, {"abcd", "abXY"}, 2, {1});
        arrange();
        QCOMPARE(m_layout.chips().size(), std::size_t{3 + 4});
        const RibbonChip* shared = chip(-1, 1);
        QVERIFY(shared && chip(-1, -1));
        const double middle = (m_layout.rowTop(0) + m_layout.rowTop(1) + m_layout.chipHeight()) / 2;
        QCOMPARE(shared->rect.center().y(), middle);
    }

    void aColumnIsAStep()
    {
        showLetters(m_model, {"abcd", "abXd", "abc"}, 2, {1});
        arrange();
        QCOMPARE(chip(0, 3)->rect.left(), chip(1, 3)->rect.left());
        QVERIFY(chip(0, 2)->rect.right() < chip(0, 3)->rect.left());
        QVERIFY(chip(2, 3) == nullptr);
        QVERIFY(chip(1, 3)->isSameAsFirst && chip(2, 2)->isSameAsFirst);
        QVERIFY(!chip(1, 2)->isSameAsFirst && !chip(0, 3)->isSameAsFirst);
        QVERIFY(chip(0, 2)->rect.bottom() < chip(1, 2)->rect.top());
    }

    void theFlagStandsBeforeTheFirstTokenThatDiffers()
    {
        showLetters(m_model, {"abcd", "abXY"}, 2, {1});
        arrange();
        QCOMPARE(m_layout.flags().size(), std::size_t{1});
        const ui::RibbonFlag& flag = m_layout.flags().front();
        QCOMPARE(flag.words, QStringLiteral("diverges at step 2"));
        QVERIFY(flag.x > chip(-1, 1)->rect.right() && flag.x < chip(0, 2)->rect.left());
        QVERIFY(flag.rect.bottom() < m_layout.rowTop(0));
    }

    void ofMoreRunsFlagsNameTheLettersAndDoNotOverlap()
    {
        showLetters(m_model, {"abcdefgh", "abXYZ", "abWYZ", "abcdQ"}, 2, {1, 2, 3});
        engine::RunComparison comparison = m_model.comparison();
        comparison.runs[3].parting->step = 4;
        compare(comparison);
        QCOMPARE(m_layout.flags().size(), std::size_t{2});
        QCOMPARE(m_layout.flags()[0].words, QStringLiteral("B, C: diverges at step 2"));
        QCOMPARE(m_layout.flags()[1].words, QStringLiteral("D: diverges at step 4"));
        QVERIFY(!m_layout.flags()[0].rect.intersects(m_layout.flags()[1].rect));
        QVERIFY(m_layout.flags()[1].x < chip(0, 4)->rect.left());
        QVERIFY(m_layout.flags()[1].x > chip(0, 3)->rect.left());
    }

    void marksStandBelowTheirTokens()
    {
        showLetters(m_model, {"abcdefgh", "abXdefgh"}, 2, {1});
        engine::RunComparison comparison = m_model.comparison();
        comparison.runs[1].agreements = {{3, 3, 5}};
        comparison.runs[0].loop = engine::RepetitionLoop{4, 2, 2, 4};
        compare(comparison);
        QCOMPARE(m_layout.marks().size(), std::size_t{2});
        const ui::RibbonMark& loop = m_layout.marks()[0];
        QCOMPARE(loop.rect.left(), chip(0, 4)->rect.left());
        QCOMPARE(loop.rect.right(), chip(0, 7)->rect.right());
        QVERIFY(loop.rect.top() >= chip(0, 4)->rect.bottom());
        QVERIFY(loop.rect.bottom() <= chip(1, 4)->rect.top());
        QCOMPARE(m_layout.marks()[1].words, QStringLiteral("= A 3–7"));
    }

    void theEndOfARunIsSaidBehindItsLastToken()
    {
        showLetters(m_model, {"abcd", "abXY"}, 2, {1});
        std::vector<ui::NamedRun> runs = {{QStringLiteral("A"), m_model.run(0)},
                                          {QStringLiteral("B"), m_model.run(1)}};
        runs[1].run.stop = engine::StopReason::MaxNewTokens;
        m_model.setRuns(runs, m_model.comparison());
        arrange();
        QCOMPARE(m_layout.marks().size(), std::size_t{1});
        QCOMPARE(m_layout.marks()[0].words, QStringLiteral("length limit (4)"));
        QVERIFY(m_layout.marks()[0].rect.left() > chip(1, 3)->rect.right());
        QVERIFY(m_layout.width() >= m_layout.marks()[0].rect.right());
    }

    void promptsThatDifferEndTogether()
    {
        engine::Run other = support::letterRun("ab");
        other.context.tokens.push_back(
            {{engine::TokenId{'y'}, "y", engine::TokenKind::Normal}, engine::TokenOrigin::Prompt});
        engine::RunComparison comparison;
        comparison.sharedContext = 1;
        comparison.runs.resize(2);
        comparison.runs[1].parting.emplace();
        comparison.runs[1].parting->cause = engine::PartingCause::Context;
        m_model.setRuns(
            {{QStringLiteral("A"), support::letterRun("ab")}, {QStringLiteral("B"), other}},
            comparison);
        arrange();
        QVERIFY(chip(1, -1) && !chip(0, -1));
        QCOMPARE(chip(0, 0)->rect.left(), chip(1, 0)->rect.left());
        QCOMPARE(m_layout.flags().front().words, QStringLiteral("diverges in the prompt"));
    }

    void findsTheChipUnderAPoint()
    {
        showLetters(m_model, {"abcd", "abXY"}, 2, {1});
        arrange();
        const QPointF middle = chip(1, 3)->rect.center();
        QCOMPARE(&m_layout.chips()[static_cast<std::size_t>(m_layout.chipAt(middle))], chip(1, 3));
        QCOMPARE(m_layout.chipAt({-5, -5}), -1);
    }
};

QTEST_MAIN(RibbonLayoutTest)
#include "RibbonLayoutTest.moc"
