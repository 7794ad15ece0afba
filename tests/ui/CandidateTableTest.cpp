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
