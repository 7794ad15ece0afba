#include "ui/SettingSlider.h"

#include "ui/NumberText.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>

namespace ui {

NumberField::NumberField(QWidget* parent) : QDoubleSpinBox(parent)
{
    setButtonSymbols(QAbstractSpinBox::NoButtons);
    setAlignment(Qt::AlignRight);
    setProperty("role", QStringLiteral("number"));
    // The same point and digits as in the commands and the trace, whatever the desktop's language.
    QLocale locale = QLocale::c();
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    setLocale(locale);
    setFocusPolicy(Qt::StrongFocus);
}

QString NumberField::textFromValue(double value) const
{
    return decimals() == 0 ? QString::number(std::llround(value)) : settingText(value);
}

SettingSlider::SettingSlider(const QString& name, const Range& range, QWidget* parent)
    : QWidget(parent), m_label(new QLabel(name, this)), m_note(new QLabel(this)),
      m_field(new NumberField(this)), m_slider(new QSlider(Qt::Horizontal, this))
{
    m_label->setProperty("role", QStringLiteral("label"));
    m_label->setBuddy(m_field);
    m_note->setProperty("role", QStringLiteral("hint"));
    m_note->setTextFormat(Qt::PlainText);
    m_note->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_field->setAccessibleName(name);
    m_field->setFixedWidth(62);
    m_slider->setAccessibleName(tr("%1, slider").arg(name));
    // Turning the wheel over the panel scrolls it; a setting changes only once it has the focus.
    m_field->installEventFilter(this);
    m_slider->installEventFilter(this);

    auto* row = new QHBoxLayout;
    row->addWidget(m_label);
    row->addStretch(1);
    row->addWidget(m_field);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    auto* second = new QHBoxLayout;
    second->setSpacing(8);
    second->addWidget(m_slider, 1);
    second->addWidget(m_note);
    column->addLayout(second);

    setRange(range);
    connect(m_field, &QDoubleSpinBox::valueChanged, this, &SettingSlider::fieldChanged);
    connect(m_slider, &QSlider::valueChanged, this, &SettingSlider::sliderChanged);
}

void SettingSlider::setRange(const Range& range)
{
    const QSignalBlocker fieldBlocker(m_field);
    const QSignalBlocker sliderBlocker(m_slider);
    m_stops = range.stops;
    m_field->setDecimals(range.decimals);
    m_field->setRange(range.minimum, range.maximum);
    m_field->setSingleStep(range.step);
    m_field->setSpecialValueText(range.minimumText);
    m_slider->setRange(0, static_cast<int>(m_stops.size()) - 1);
    m_slider->setPageStep(std::max(1, static_cast<int>(m_stops.size()) / 10));
    setValue(m_value);
}

void SettingSlider::setValue(double value)
{
    const QSignalBlocker fieldBlocker(m_field);
    const QSignalBlocker sliderBlocker(m_slider);
    m_value = value;
    // A recorded value beyond the usual range is shown as it is, not as the nearest allowed one.
    if (value > m_field->maximum())
        m_field->setMaximum(value);
    m_field->setValue(value);
    m_slider->setValue(nearestStop(value));
}

void SettingSlider::setNote(const QString& text, const QString& toolTip)
{
    m_note->setText(text);
    m_note->setToolTip(toolTip.isEmpty() ? QString()
                                         : Qt::convertFromPlainText(toolTip, Qt::WhiteSpaceNormal));
    m_field->setAccessibleDescription(text);
}

QString SettingSlider::noteText() const
{
    return m_note->text();
}

void SettingSlider::setNoteWidth(int width)
{
    m_note->setFixedWidth(width);
}

void SettingSlider::fieldChanged(double value)
{
    m_value = value;
    const QSignalBlocker blocker(m_slider);
    m_slider->setValue(nearestStop(value));
    Q_EMIT valueChanged(value);
}

void SettingSlider::sliderChanged(int position)
{
    m_value = m_stops[static_cast<std::size_t>(position)];
    const QSignalBlocker blocker(m_field);
    m_field->setValue(m_value);
    Q_EMIT valueChanged(m_value);
}

int SettingSlider::nearestStop(double value) const
{
    const auto nearest =
        std::min_element(m_stops.begin(), m_stops.end(), [value](double a, double b) {
            return std::abs(a - value) < std::abs(b - value);
        });
    return static_cast<int>(nearest - m_stops.begin());
}

bool SettingSlider::eventFilter(QObject* watched, QEvent* event)
{
    const auto* widget = qobject_cast<QWidget*>(watched);
    if (event->type() == QEvent::Wheel && widget && !widget->hasFocus()) {
        event->ignore();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

std::vector<double> evenStops(double from, double to, int count)
{
    std::vector<double> stops;
    for (int i = 0; i <= count; ++i)
        // Rounded, so that the stop for 0.9 is the double nearest to 0.9.
        stops.push_back(std::round((from + (to - from) * i / count) * 1e6) / 1e6);
    return stops;
}

std::vector<double> countStops(int maximum)
{
    static constexpr std::array<double, 13> marks = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9, 10};
    std::vector<double> stops = {0};
    for (int i = 1; i < 10 && i < maximum; ++i)
        stops.push_back(i);
    for (double decade = 10; decade < maximum; decade *= 10)
        for (const double mark : marks)
            if (mark < 10 && mark * decade < maximum)
                stops.push_back(mark * decade);
    stops.push_back(maximum);
    return stops;
}

} // namespace ui
