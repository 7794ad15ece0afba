#include "ui/CandidateTable.h"

#include "tests/ui/support/HandmadeStep.h"
#include "ui/CandidateModel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QTest>

Q_DECLARE_METATYPE(engine::TokenId)

class CandidateTableTest : public QObject
{
    Q_OBJECT

private:
    ui::CandidateModel m_model;
    std::unique_ptr<ui::CandidateTable> m_table;

private Q_SLOTS:
    void init()
    {
        const engine::Step step = support::handmadeStep({0.5, 0.3, 0.1}, 2, 1, 4093);
        m_model.setStep(&step);
        m_table = std::make_unique<ui::CandidateTable>();
        m_table->setModel(&m_model);
        m_table->show();
    }

    void enterActivatesTheCurrentRow()
    {
        QSignalSpy activated(m_table.get(), &ui::CandidateTable::candidateActivated);
        m_table->setCurrentIndex(m_model.index(2, 0));
        QTest::keyClick(m_table.get(), Qt::Key_Return);
        QCOMPARE(activated.count(), 1);
        QCOMPARE(activated.at(0).at(0).value<engine::TokenId>(), engine::TokenId{102});
    }

    void enterOnTheOthersDoesNothing()
    {
        QSignalSpy activated(m_table.get(), &ui::CandidateTable::candidateActivated);
        m_table->setCurrentIndex(m_model.index(3, 0));
        QTest::keyClick(m_table.get(), Qt::Key_Return);
        QCOMPARE(activated.count(), 0);
    }

    void drawsTokensWithoutLigatures()
    {
        const auto* delegate = qobject_cast<const ui::TokenDelegate*>(
            m_table->itemDelegateForIndex(m_model.index(0, ui::CandidateModel::TokenColumn)));
        QVERIFY(delegate);
        engine::Step step = support::handmadeStep({0.5, 0.3}, 2, 1, 0);
        step.candidates[0].piece.bytes = "<|im_end|>";
        step.candidates[1].piece.bytes = " \xD8\xB3\xD9\x84"; // Arabic has to be shaped
        m_model.setStep(&step);
        const auto fontOf = [&](int row) {
            QStyleOptionViewItem option;
            delegate->initStyleOption(&option, m_model.index(row, ui::CandidateModel::TokenColumn));
            return option.font;
        };
        QCOMPARE(fontOf(0).styleStrategy(), QFont::PreferNoShaping);
        QCOMPARE(fontOf(0).pixelSize(), ui::Theme::light().monoFont(12).pixelSize());
        QVERIFY(fontOf(1).styleStrategy() != QFont::PreferNoShaping);
    }

    void copiesSelectedRowsWithTheirHeads()
    {
        m_table->selectRow(1);
        QTest::keySequence(m_table.get(), QKeySequence::Copy);
        QCOMPARE(QGuiApplication::clipboard()->text(),
                 u"rank\tid\ttoken\tlogit\tprobability\tafter cut-off\tcumulative\tremoved by\n"
                 u"2\t101\t␣b\t-1.20\t30.0 %\t37.5 %\t80.0 %\t"_qs);
    }
};

QTEST_MAIN(CandidateTableTest)
#include "CandidateTableTest.moc"
