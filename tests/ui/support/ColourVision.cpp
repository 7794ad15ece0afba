#include "tests/ui/support/ColourVision.h"

#include <algorithm>
#include <cmath>

namespace support {
namespace {

using Triple = std::array<double, 3>;

/// Of linear light, by the sRGB primaries.
Triple lab(const Triple& rgb)
{
    const auto root = [](double t) {
        return t > 216.0 / 24389.0 ? std::cbrt(t) : (24389.0 / 27.0 * t + 16) / 116;
    };
    const double x = root((0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.95047);
    const double y = root(0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]);
    const double z = root((0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

Triple seen(const QColor& colour, const ColourVision& vision)
{
    const Triple light = {linearLight(colour.redF()), linearLight(colour.greenF()),
                          linearLight(colour.blueF())};
    Triple result{};
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column)
            result[row] += vision.matrix[row][column] * light[column];
        result[row] = std::clamp(result[row], 0.0, 1.0);
    }
    return lab(result);
}

} // namespace

const ColourVision& protanopia()
{
    static const ColourVision vision = {QStringLiteral("protanopia"),
                                        {{{0.152286, 1.052583, -0.204868},
                                          {0.114503, 0.786281, 0.099216},
                                          {-0.003882, -0.048116, 1.051998}}}};
    return vision;
}

const ColourVision& deuteranopia()
{
    static const ColourVision vision = {QStringLiteral("deuteranopia"),
                                        {{{0.367322, 0.860646, -0.227968},
                                          {0.280085, 0.672501, 0.047413},
                                          {-0.011820, 0.042940, 0.968881}}}};
    return vision;
}

const ColourVision& tritanopia()
{
    static const ColourVision vision = {QStringLiteral("tritanopia"),
                                        {{{1.255528, -0.076749, -0.178779},
                                          {-0.078411, 0.930809, 0.147602},
                                          {0.004733, 0.691367, 0.303900}}}};
    return vision;
}

const ColourVision& greyscale()
{
    static const ColourVision vision = {
        QStringLiteral("greyscale"),
        {{{0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}}}};
    return vision;
}

double linearLight(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& colour)
{
    return 0.2126 * linearLight(colour.redF()) + 0.7152 * linearLight(colour.greenF()) +
           0.0722 * linearLight(colour.blueF());
}

double contrast(const QColor& a, const QColor& b)
{
    const double lighter = std::max(luminance(a), luminance(b));
    const double darker = std::min(luminance(a), luminance(b));
    return (lighter + 0.05) / (darker + 0.05);
}

double difference(const QColor& a, const QColor& b, const ColourVision& vision)
{
    const Triple one = seen(a, vision);
    const Triple other = seen(b, vision);
    return std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

} // namespace support
