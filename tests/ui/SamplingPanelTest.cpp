#include "ui/SamplingPanel.h"

#include "tests/ui/support/HandmadeStep.h"
#include "ui/SettingSlider.h"
#include "ui/SuggestionBox.h"

#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>

#include <limits>

using engine::DecodingRule;
using engine::SamplingConfig;
using engine::SamplingStage;
using ui::SamplingPanel;
using ui::SettingSlider;

namespace {

SamplingConfig sampling()
{
    SamplingConfig config;
    config.rule = DecodingRule::Sample;
    config.temperature = 0.8;
    config.topK = 20;
    config.topP = 0.9;
    config.minP = 0.05;
    config.repetitionPenalty = 1.1;
    config.seed = 42;
    return config;
}

/// A panel that is set to `sampling()` and the configs that it sends from then on.
struct Panel
{
    Panel()
    {
        panel.setTheme(ui::Theme::light());
        panel.setVocabularySize(4096);
        panel.setSampling(sampling());
        QObject::connect(&panel, &SamplingPanel::samplingChanged, &panel,
                         [this](const SamplingConfig& config) { sent.push_back(config); });
    }

    SamplingPanel panel;
    std::vector<SamplingConfig> sent;
};

} // namespace

class SamplingPanelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void settingDoesNotEcho();
    void eachSliderChangesItsOwnSetting();
    void draggingSendsEveryPosition();
    void topKGoesFromOffToTheVocabulary();
    void aChangeKeepsWhatTheFieldsCannotShow();
    void greedyDisablesWhatItIgnores();
    void togglingTheRuleSendsItOnce();
    void aRecordedRunCannotBeChanged();
    void temperatureZeroSaysThatNothingIsDrawn();
    void theSeedTakesSixtyFourBits();
    void theSeedRefusesWhatDoesNotFit();
    void anEmptySeedGoesBack();
    void aNewSeedIsAnother();
    void theLengthLimitIsSentApart();
    void theOrderOfTheChainCanBeChanged();
    void moreIsFoldedAtFirst();
    void saysWhoseEachValueIsAndWhatItDoes();
};

void SamplingPanelTest::saysWhoseEachValueIsAndWhatItDoes()
{
    SamplingPanel panel;
    panel.setTheme(ui::Theme::light());
    panel.setVocabularySize(4096);
    SamplingConfig config;
    config.rule = DecodingRule::Sample;
    panel.setSampling(config);
    QCOMPARE(panel.topK()->noteText(), QStringLiteral("default · off"));
    QCOMPARE(panel.seedNote(), QStringLiteral("default"));

    panel.topK()->field()->setValue(20);
    QCOMPARE(panel.topK()->noteText(), QStringLiteral("you"));
    engine::Step step = support::handmadeStep({0.5, 0.3}, 2, 0, 10);
    step.stages = {{SamplingStage::TopK, 20, 4096, 20, 0.1, 0}};
    panel.showStep(&step);
    QCOMPARE(panel.topK()->noteText(), QStringLiteral("you · cuts 4,076"));
    QCOMPARE(panel.topP()->noteText(), QStringLiteral("default · off"));
    QCOMPARE(panel.seedNote(), QStringLiteral("default · draws"));

    engine::SamplingDefaults suggested;
    suggested.topK = 40;
    suggested.origin = "general.sampling";
    panel.setSuggestion(suggested);
    QCOMPARE(panel.topK()->noteText(), QStringLiteral("you · cuts 4,076"));
    panel.suggestion()->useButton()->click();
    QCOMPARE(panel.topK()->noteText(), QStringLiteral("model's · cuts 4,076"));

    panel.setAvailability(SamplingPanel::Availability::Recorded);
    QCOMPARE(panel.topK()->noteText(), QStringLiteral("recorded · cuts 4,076"));
    QCOMPARE(panel.lengthNote(), QStringLiteral("recorded"));
}

void SamplingPanelTest::settingDoesNotEcho()
{
    Panel p;
    QSignalSpy length(&p.panel, &SamplingPanel::maxNewTokensChanged);
    SamplingConfig other = sampling();
    other.rule = DecodingRule::Greedy;
    other.temperature = 1.3;
    other.topK = 0;
    other.topP = 1;
    other.minP = 0;
    other.seed = 7;
    std::swap(other.order[0], other.order[3]);
    p.panel.setSampling(other);
    p.panel.setMaxNewTokens(99);
    p.panel.setVocabularySize(50'257);
    QVERIFY(p.sent.empty());
    QCOMPARE(length.count(), 0);
    QCOMPARE(p.panel.sampling(), other);
}

void SamplingPanelTest::eachSliderChangesItsOwnSetting()
{
    Panel p;
    SamplingConfig expected = sampling();
    p.panel.temperature()->field()->setValue(0.5);
    expected.temperature = 0.5;
    QCOMPARE(p.sent.back(), expected);
    p.panel.topK()->field()->setValue(7);
    expected.topK = 7;
    QCOMPARE(p.sent.back(), expected);
    p.panel.topP()->field()->setValue(0.33);
    expected.topP = 0.33;
    QCOMPARE(p.sent.back(), expected);
    p.panel.minP()->field()->setValue(0.2);
    expected.minP = 0.2;
    QCOMPARE(p.sent.back(), expected);
    p.panel.repetitionPenalty()->field()->setValue(1.5);
    expected.repetitionPenalty = 1.5;
    QCOMPARE(p.sent.back(), expected);
    QCOMPARE(p.sent.size(), std::size_t(5));
}

void SamplingPanelTest::draggingSendsEveryPosition()
{
    Panel p;
    for (const int position : {17, 18, 19})
        p.panel.temperature()->slider()->setValue(position);
    QCOMPARE(p.sent.size(), std::size_t(3));
    QVERIFY(p.sent[0].temperature == 0.85);
    QVERIFY(p.sent[2].temperature == 0.95);
}

void SamplingPanelTest::topKGoesFromOffToTheVocabulary()
{
    Panel p;
    QSlider* slider = p.panel.topK()->slider();
    slider->setValue(slider->minimum());
    QCOMPARE(p.sent.back().topK, std::int64_t(0));
    QCOMPARE(p.panel.topK()->field()->text(), QStringLiteral("off"));
    slider->setValue(slider->maximum());
    QCOMPARE(p.sent.back().topK, std::int64_t(4096));
}

void SamplingPanelTest::aChangeKeepsWhatTheFieldsCannotShow()
{
    Panel p;
    SamplingConfig fine = sampling();
    fine.topP = 0.123456789;
    p.panel.setSampling(fine);
    p.panel.temperature()->field()->setValue(0.5);
    QVERIFY(p.sent.back().topP == 0.123456789);
}

void SamplingPanelTest::greedyDisablesWhatItIgnores()
{
    Panel p;
    QCOMPARE(p.panel.reason(), QStringLiteral("Draws by probability (you)."));
    p.panel.greedyButton()->click();
    QCOMPARE(p.sent.back().rule, DecodingRule::Greedy);
    for (SettingSlider* setting :
         {p.panel.temperature(), p.panel.topK(), p.panel.topP(), p.panel.minP()})
        QVERIFY(!setting->isEnabled());
    QVERIFY(!p.panel.seedEdit()->isEnabled());
    QVERIFY(!p.panel.newSeedButton()->isEnabled());
    QVERIFY(!p.panel.chainOrder()->isEnabled());
    QCOMPARE(p.panel.reason(), QStringLiteral("Greedy (you) takes the most probable token: the "
                                              "rest is not used."));
    // Greedy ignores the chain but for the repetition penalty.
    QVERIFY(p.panel.repetitionPenalty()->isEnabled());
    QVERIFY(p.panel.lengthLimit()->isEnabled());
    // The values stay to be read, and to come back.
    QCOMPARE(p.panel.temperature()->field()->text(), QStringLiteral("0.80"));
    p.panel.sampleButton()->click();
    QCOMPARE(p.sent.back(), sampling());
    QVERIFY(p.panel.temperature()->isEnabled());
}

void SamplingPanelTest::togglingTheRuleSendsItOnce()
{
    Panel p;
    p.panel.toggleRule();
    QCOMPARE(p.sent.size(), std::size_t(1));
    QVERIFY(p.panel.greedyButton()->isChecked());
    QVERIFY(!p.panel.sampleButton()->isChecked());
    p.panel.greedyButton()->click();
    QCOMPARE(p.sent.size(), std::size_t(1));
}

void SamplingPanelTest::aRecordedRunCannotBeChanged()
{
    Panel p;
    p.panel.setAvailability(SamplingPanel::Availability::Recorded);
    QVERIFY(!p.panel.greedyButton()->isEnabled());
    QVERIFY(!p.panel.temperature()->isEnabled());
    QVERIFY(!p.panel.repetitionPenalty()->isEnabled());
    QVERIFY(!p.panel.lengthLimit()->isEnabled());
    QVERIFY(p.panel.reason().contains(QStringLiteral("trace")));
    p.panel.toggleRule();
    QVERIFY(p.sent.empty());
    p.panel.setAvailability(SamplingPanel::Availability::Editable);
    QVERIFY(p.panel.temperature()->isEnabled());
}

void SamplingPanelTest::temperatureZeroSaysThatNothingIsDrawn()
{
    Panel p;
    p.panel.temperature()->slider()->setValue(0);
    QVERIFY(p.sent.back().temperature == 0.0);
    QVERIFY(p.panel.reason().contains(QStringLiteral("Temperature 0")));
    QVERIFY(p.panel.temperature()->isEnabled());
}

void SamplingPanelTest::theSeedTakesSixtyFourBits()
{
    Panel p;
    const QString largest = QString::number(std::numeric_limits<std::uint64_t>::max());
    p.panel.seedEdit()->selectAll();
    QTest::keyClicks(p.panel.seedEdit(), largest);
    QCOMPARE(p.panel.seedEdit()->text(), largest);
    QCOMPARE(p.sent.back().seed, std::numeric_limits<std::uint64_t>::max());
    p.panel.setSampling(p.sent.back());
    QCOMPARE(p.panel.seedEdit()->text(), largest);
}

void SamplingPanelTest::theSeedRefusesWhatDoesNotFit()
{
    Panel p;
    p.panel.seedEdit()->selectAll();
    QTest::keyClicks(p.panel.seedEdit(), QStringLiteral("18446744073709551616"));
    // The last digit does not fit and is refused.
    QCOMPARE(p.panel.seedEdit()->text(), QStringLiteral("1844674407370955161"));
    p.panel.seedEdit()->selectAll();
    QTest::keyClicks(p.panel.seedEdit(), QStringLiteral("-1x 2"));
    QCOMPARE(p.sent.back().seed, std::uint64_t(12));
}

void SamplingPanelTest::anEmptySeedGoesBack()
{
    Panel p;
    p.panel.show();
    p.panel.seedEdit()->setFocus();
    p.panel.seedEdit()->selectAll();
    QTest::keyClick(p.panel.seedEdit(), Qt::Key_Delete);
    QVERIFY(p.sent.empty());
    Q_EMIT p.panel.seedEdit()->editingFinished();
    QCOMPARE(p.panel.seedEdit()->text(), QStringLiteral("42"));
}

void SamplingPanelTest::aNewSeedIsAnother()
{
    Panel p;
    std::uint64_t before = 42;
    for (int i = 0; i < 20; ++i) {
        p.panel.newSeedButton()->click();
        QVERIFY(p.sent.back().seed != before);
        before = p.sent.back().seed;
        QCOMPARE(p.panel.seedEdit()->text(), QString::number(before));
    }
    QCOMPARE(p.sent.size(), std::size_t(20));
}

void SamplingPanelTest::theLengthLimitIsSentApart()
{
    Panel p;
    QSignalSpy length(&p.panel, &SamplingPanel::maxNewTokensChanged);
    p.panel.lengthLimit()->setValue(64);
    QCOMPARE(length.count(), 1);
    QCOMPARE(length.first().first().toInt(), 64);
    QVERIFY(p.sent.empty());
}

void SamplingPanelTest::theOrderOfTheChainCanBeChanged()
{
    Panel p;
    QListWidget* order = p.panel.chainOrder();
    QCOMPARE(order->count(), 5);
    QVERIFY(order->item(0)->text().contains(QStringLiteral("repetition-penalty")));
    order->setCurrentRow(0);
    QVERIFY(!p.panel.moveUpButton()->isEnabled());
    p.panel.moveDownButton()->click();
    QCOMPARE(p.sent.size(), std::size_t(1));
    QCOMPARE(p.sent.back().order[0], SamplingStage::Temperature);
    QCOMPARE(p.sent.back().order[1], SamplingStage::RepetitionPenalty);
    QCOMPARE(order->currentRow(), 1);
    order->setCurrentRow(4);
    QVERIFY(!p.panel.moveDownButton()->isEnabled());
    p.panel.moveUpButton()->click();
    QCOMPARE(p.sent.back().order[3], SamplingStage::MinP);
}

void SamplingPanelTest::moreIsFoldedAtFirst()
{
    Panel p;
    p.panel.show();
    QVERIFY(!p.panel.minP()->isVisible());
    p.panel.moreButton()->click();
    QVERIFY(p.panel.minP()->isVisible());
    QVERIFY(p.panel.chainOrder()->isVisible());
}

QTEST_MAIN(SamplingPanelTest)
#include "SamplingPanelTest.moc"
