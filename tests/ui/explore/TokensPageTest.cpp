#include "ui/explore/TokensPage.h"

#include "tests/ui/support/DrawnText.h"
#include "tests/ui/support/SampleRun.h"
#include "ui/StepModel.h"
#include "ui/explore/PinChart.h"

#include <QLineEdit>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>

using engine::Candidate;
using engine::TokenId;
using ui::TokensPage;

namespace {

TokensPage::Vocabulary vocabulary()
{
    auto pieces = std::make_shared<std::vector<engine::TokenPiece>>();
    for (std::int32_t id = 0; id < 300; ++id)
        pieces->push_back({TokenId{id}, "word" + std::to_string(id), {}});
    (*pieces)[7].bytes = "<b>bold</b>";
    return pieces;
}

struct Page
{
    Page()
    {
        page.resize(700, 420);
        page.show();
        steps.setRun(support::sampleRun());
        page.showStep(steps);
    }
    QString cell(int row, int column) { return page.table()->item(row, column)->text(); }

    ui::StepModel steps;
    TokensPage page;
};

} // namespace

class TokensPageTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void asksForWhatTheStepDoesNotList()
    {
        Page p;
        QSignalSpy asked(&p.page, &TokensPage::lookUpRequested);
        p.page.setVocabulary(vocabulary());
        QCOMPARE(asked.count(), 0);
        p.page.search()->setText(QStringLiteral("bold"));
        QCOMPARE(p.page.table()->rowCount(), 1);
        QCOMPARE(p.page.message(), QStringLiteral("1 token matches."));
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked[0][0].toInt(), p.steps.selected());
        // Plain text, whatever it looks like.
        QCOMPARE(p.cell(0, 1), QStringLiteral("<b>bold</b>"));
        QCOMPARE(p.cell(0, 3), QStringLiteral("–"));

        Candidate seen;
        seen.piece = {TokenId{7}, "<b>bold</b>", {}};
        seen.rank = 212;
        seen.logit = -3.25F;
        seen.probability = 0.00123;
        seen.removedBy = engine::SamplingStage::TopK;
        p.page.showLookUp(p.steps.selected(), {seen});
        QCOMPARE(p.cell(0, 3), QStringLiteral("212"));
        QCOMPARE(p.cell(0, 6), QStringLiteral("cut by top-k"));
        // An answer about another step is none.
        p.page.showLookUp(p.steps.selected() - 1, {});
        QCOMPARE(p.cell(0, 3), QStringLiteral("212"));
    }

    void saysHowManyMatch()
    {
        Page p;
        p.page.setVocabulary(vocabulary());
        p.page.search()->setText(QStringLiteral("word"));
        QCOMPARE(p.page.table()->rowCount(), 100);
        QCOMPARE(p.page.message(), QStringLiteral("299 tokens match, the first 100 are shown."));
        p.page.search()->setText(QStringLiteral("nothing like it"));
        QCOMPARE(p.page.table()->rowCount(), 0);
        QCOMPARE(p.page.message(),
                 QStringLiteral("No token of the vocabulary has this text or id."));
    }

    void pinnedTokensStayAndHaveALine()
    {
        Page p;
        p.page.setVocabulary(vocabulary());
        QVERIFY(!p.page.chart()->isVisible());
        QSignalSpy pinned(&p.page, &TokensPage::pinsChanged);
        p.page.search()->setText(QStringLiteral("bold"));
        Q_EMIT p.page.table()->cellClicked(0, 0);
        QCOMPARE(pinned.count(), 1);
        p.page.search()->clear();
        QCOMPARE(p.page.table()->rowCount(), 1);
        QVERIFY(p.page.chart()->isVisible());
        QCOMPARE(p.page.chart()->lines().size(), std::size_t(1));
        QCOMPARE(p.page.chart()->lines()[0].values.size(), p.steps.run().steps.size());
        Q_EMIT p.page.table()->cellClicked(0, 0);
        QVERIFY(p.page.pins().empty());
        QCOMPARE(pinned.count(), 2);
        QVERIFY(!p.page.chart()->isVisible());
    }

    void noMorePinsThanLinesCanBeToldApart()
    {
        Page p;
        p.page.setVocabulary(vocabulary());
        for (std::int32_t id = 0; id < 9; ++id)
            p.page.setPinned({TokenId{id}, "x", {}}, true);
        QCOMPARE(p.page.pins().size(), TokensPage::mostPins);
        QVERIFY(p.page.message().contains(QStringLiteral("unpin one first")));
        // Another model's ids are other tokens.
        p.page.setVocabulary(vocabulary());
        QVERIFY(p.page.pins().empty());
    }

    void aTraceIsSearchedInWhatItLists()
    {
        Page p;
        QSignalSpy asked(&p.page, &TokensPage::lookUpRequested);
        const Candidate& listed = p.steps.selectedStep()->candidates.front();
        p.page.search()->setText(QString::number(listed.piece.id.value));
        QVERIFY(p.page.table()->rowCount() >= 1);
        QCOMPARE(p.cell(0, 3), QStringLiteral("1"));
        QVERIFY(p.page.message().contains(QStringLiteral("A trace holds only the candidates")));
        QCOMPARE(asked.count(), 0);
    }

    void nothingIsCutOff()
    {
        Page p;
        p.page.setVocabulary(vocabulary());
        p.page.setPinned({TokenId{3}, "word3", {}}, true);
        p.page.search()->setText(QStringLiteral("word29"));
        QTRY_COMPARE(support::textFaults(p.page).join(QLatin1Char('\n')), QString());
    }
};

QTEST_MAIN(TokensPageTest)
#include "TokensPageTest.moc"
