#pragma once

#include <QDoubleSpinBox>
#include <QWidget>

#include <vector>

class QLabel;
class QSlider;

namespace ui {

/// A number field without arrows that shows at least two decimals and more where the value has
/// them.
class NumberField : public QDoubleSpinBox
{
    Q_OBJECT

public:
    explicit NumberField(QWidget* parent = nullptr);

    QString textFromValue(double value) const override;
};

/// One setting: its name, a field to type it in and a slider for its usual range. The slider stands
/// on `stops`, so that a scale can be even or not; the field takes anything in [minimum, maximum].
class SettingSlider : public QWidget
{
    Q_OBJECT

public:
    struct Range
    {
        std::vector<double> stops; ///< ascending, at least two
        double minimum = 0;
        double maximum = 1;
        int decimals = 2;
        double step = 0.05;  ///< of the arrow keys in the field
        QString minimumText; ///< shown for `minimum`, e.g. "off"; empty for none
    };

    SettingSlider(const QString& name, const Range& range, QWidget* parent = nullptr);

    void setRange(const Range& range); ///< keeps the value where it is allowed
    double value() const { return m_value; }
    void setValue(double value); ///< without a signal
    /// Beside the slider: who the value is from and what it does at the step in view.
    void setNote(const QString& text, const QString& toolTip);
    QString noteText() const;
    /// Fixed, so that the slider does not move while the words change.
    void setNoteWidth(int width);
    NumberField* field() const { return m_field; }
    QSlider* slider() const { return m_slider; }

Q_SIGNALS:
    void valueChanged(double value); ///< by the user, at each movement

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fieldChanged(double value);
    void sliderChanged(int position);
    int nearestStop(double value) const;

    QLabel* m_label;
    QLabel* m_note;
    NumberField* m_field;
    QSlider* m_slider;
    std::vector<double> m_stops;
    double m_value = 0;
};

/// `count` + 1 values from `from` to `to`, evenly apart.
std::vector<double> evenStops(double from, double to, int count);
/// 0 (off), then 1, 2, 3 ... with steps that grow with the number, up to and with `maximum`.
std::vector<double> countStops(int maximum);

} // namespace ui
