#pragma once

#include <QColor>
#include <QString>

#include <array>

namespace support {

/// How somebody sees colours: a matrix over linear-light red, green and blue.
struct ColourVision
{
    QString name;
    std::array<std::array<double, 3>, 3> matrix;
};

/// The three kinds of full dichromacy (Machado, Oliveira and Fernandes 2009, "A
/// Physiologically-based Model for Simulation of Color Vision Deficiency", severity 1.0), and a
/// print in greyscale.
const ColourVision& protanopia();
const ColourVision& deuteranopia();
const ColourVision& tritanopia();
const ColourVision& greyscale();

/// sRGB's transfer function undone: `channel` in [0, 1] to linear light.
double linearLight(double channel);
/// Relative luminance (WCAG 2.1).
double luminance(const QColor& colour);
/// WCAG 2.1, "contrast ratio": 1 to 21.
double contrast(const QColor& a, const QColor& b);
/// Distance of the two in CIELAB (CIE 1976, white D65) as they are seen: 2.3 is just noticeable.
double difference(const QColor& a, const QColor& b, const ColourVision& vision);

} // namespace support
