#include "ui/theme/theme.h"

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

QColor rgb(unsigned value)
{
    return QColor::fromRgb(value);
}

Theme makeLight()
{
    Theme theme;
    theme.dark = false;
    theme.painted = lightPalette();
    theme.window = rgb(0xF6F7F9);
    theme.rail = rgb(0xFFFFFF);
    theme.panel = theme.ink(Ink::Background);
    theme.raised = rgb(0xFAFBFC);
    theme.field = rgb(0xFFFFFF);
    theme.hover = rgb(0xF0F2F5);
    theme.line = rgb(0xDCE0E6);
    theme.track = rgb(0xEEF0F3);
    theme.text = rgb(0x1B2128);
    theme.muted = rgb(0x5B6672);
    theme.faint = rgb(0x97A1AD);
    theme.accent = rgb(0x2457C5);
    theme.accentSoft = rgb(0xE8EEFB);
    theme.onAccent = rgb(0xFFFFFF);
    theme.danger = rgb(0xC0392B);
    theme.onDanger = rgb(0xFFFFFF);
    theme.warning = rgb(0xB45309);
    theme.good = rgb(0x08795B);
    theme.bubble = rgb(0x6B7785);
    theme.data = rgb(0x2457C5);
    theme.tensor = rgb(0x0B7A6B);
    theme.pipeline = rgb(0xB45309);
    theme.stages = {rgb(0x9DBCE8), rgb(0xA9D9C6), rgb(0xF3CF93), rgb(0xE6B3CE),
                    rgb(0xC9BFEA), rgb(0xB5DBE6), rgb(0xDAD7A3), rgb(0xF0BDA8)};
    theme.memory = {rgb(0x4A78AC), rgb(0x72B7B2), rgb(0xB279A2),
                    rgb(0xF58518), rgb(0xE6B3CE), rgb(0x9A9AA2)};
    theme.heatLow = rgb(0xDDE8F6);
    theme.heatHigh = rgb(0x2F6AB0);
    return theme;
}

Theme makeDark()
{
    Theme theme;
    theme.dark = true;
    theme.painted = darkPalette();
    theme.window = rgb(0x12161B);
    theme.rail = rgb(0x181D23);
    theme.panel = theme.ink(Ink::Background);
    theme.raised = rgb(0x21272F);
    theme.field = rgb(0x21272F);
    theme.hover = rgb(0x29313B);
    theme.line = rgb(0x323A45);
    theme.track = rgb(0x2A313A);
    theme.text = rgb(0xE7EBF0);
    theme.muted = rgb(0xA3AEBA);
    theme.faint = rgb(0x6F7B88);
    theme.accent = rgb(0x7FA7F7);
    theme.accentSoft = rgb(0x24324F);
    theme.onAccent = rgb(0x0B0F14);
    theme.danger = rgb(0xF0786A);
    theme.onDanger = rgb(0x0B0F14);
    theme.warning = rgb(0xE8A055);
    theme.good = rgb(0x46C79B);
    theme.bubble = rgb(0x9AA6B3);
    theme.data = rgb(0x7FA7F7);
    theme.tensor = rgb(0x45C4AE);
    theme.pipeline = rgb(0xE8A055);
    theme.stages = {rgb(0x6E9BDC), rgb(0x5DB595), rgb(0xD9A857), rgb(0xCD83AC),
                    rgb(0x9F8FD8), rgb(0x66B3C9), rgb(0xB5B062), rgb(0xDB8F70)};
    theme.memory = {rgb(0x6FA0DA), rgb(0x72C7C0), rgb(0xC791B8),
                    rgb(0xF7A14D), rgb(0xE6B3CE), rgb(0xA9AEB6)};
    theme.heatLow = rgb(0x253447);
    theme.heatHigh = rgb(0x8DBBF2);
    return theme;
}

Theme makeHighContrast()
{
    Theme theme;
    theme.dark = true;
    theme.highContrast = true;
    theme.painted = highContrastPalette();
    theme.window = rgb(0x000000);
    theme.rail = rgb(0x000000);
    theme.panel = theme.ink(Ink::Background);
    theme.raised = rgb(0x101214);
    theme.field = rgb(0x000000);
    theme.hover = rgb(0x2A2F36);
    theme.line = theme.ink(Ink::Line);
    theme.track = rgb(0x22262B);
    theme.text = rgb(0xFFFFFF);
    theme.muted = theme.ink(Ink::MutedText);
    theme.faint = rgb(0xA9B2BD);
    theme.accent = theme.ink(Ink::Accent);
    theme.accentSoft = rgb(0x0A2F4A);
    theme.onAccent = rgb(0x000000);
    theme.danger = rgb(0xFF9E94);
    theme.onDanger = rgb(0x000000);
    theme.warning = rgb(0xFFC46B);
    theme.good = rgb(0x5CE6B4);
    theme.bubble = rgb(0xC4CBD3);
    theme.data = rgb(0x9CC4FF);
    theme.tensor = rgb(0x4FE3CC);
    theme.pipeline = rgb(0xFFB45C);
    theme.stages = {rgb(0x8FC1FF), rgb(0x74E0B8), rgb(0xFFD27A), rgb(0xFFB0DA),
                    rgb(0xCFBFFF), rgb(0x8FE3FA), rgb(0xE6E08A), rgb(0xFFB79C)};
    theme.memory = {rgb(0x8FC1FF), rgb(0x6FE0D8), rgb(0xE3A9D4),
                    rgb(0xFFB05A), rgb(0xFFC9E4), rgb(0xB9BFC7)};
    // From blue to pale yellow: a label is near-black all the way, and the empty end still stands
    // out from the panel.
    theme.heatLow = rgb(0x4FA3F0);
    theme.heatHigh = rgb(0xFFF7C2);
    return theme;
}

double linear(double channel)
{
    return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& colour)
{
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
           0.0722 * linear(colour.blueF());
}

} // namespace

QColor Theme::stage(int index) const
{
    return stages[std::size_t(index) % stages.size()];
}

QColor Theme::heat(double share) const
{
    return mixed(heatLow, heatHigh, std::clamp(share, 0.0, 1.0));
}

const Theme& lightTheme()
{
    static const Theme theme = makeLight();
    return theme;
}

const Theme& darkTheme()
{
    static const Theme theme = makeDark();
    return theme;
}

const Theme& highContrastTheme()
{
    static const Theme theme = makeHighContrast();
    return theme;
}

const std::array<const Theme*, 3>& allThemes()
{
    static const std::array<const Theme*, 3> themes{&lightTheme(), &darkTheme(),
                                                    &highContrastTheme()};
    return themes;
}

const Theme& themeOf(const QPalette& palette)
{
    // A role that no rule of a style sheet touches.
    if (palette.color(QPalette::Shadow) == highContrastTheme().line)
        return highContrastTheme();
    return palette.color(QPalette::Window).lightness() < 128 ? darkTheme() : lightTheme();
}

QPalette paletteOf(const Theme& theme)
{
    QPalette palette;
    palette.setColor(QPalette::Window, theme.window);
    palette.setColor(QPalette::WindowText, theme.text);
    palette.setColor(QPalette::Base, theme.field);
    palette.setColor(QPalette::AlternateBase, theme.raised);
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::PlaceholderText, theme.muted);
    palette.setColor(QPalette::Button, theme.field);
    palette.setColor(QPalette::ButtonText, theme.text);
    palette.setColor(QPalette::BrightText, theme.danger);
    palette.setColor(QPalette::Highlight, theme.accent);
    palette.setColor(QPalette::HighlightedText, theme.onAccent);
    palette.setColor(QPalette::Link, theme.accent);
    palette.setColor(QPalette::LinkVisited, theme.accent);
    palette.setColor(QPalette::ToolTipBase, theme.dark ? theme.hover : theme.text);
    palette.setColor(QPalette::ToolTipText, theme.dark ? theme.text : theme.panel);
    palette.setColor(QPalette::Light, theme.raised);
    palette.setColor(QPalette::Midlight, theme.hover);
    palette.setColor(QPalette::Mid, theme.line);
    palette.setColor(QPalette::Dark, theme.faint);
    palette.setColor(QPalette::Shadow, theme.line);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, theme.faint);
    return palette;
}

double contrast(const QColor& first, const QColor& second)
{
    const double a = luminance(first);
    const double b = luminance(second);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

QColor labelOn(const QColor& background)
{
    return QColor::fromRgb(labelColourOn(background.rgb() & 0xFFFFFF));
}

QColor mixed(const QColor& under, const QColor& over, double share)
{
    const auto channel = [share](int low, int high) {
        return int(std::lround(low + (high - low) * share));
    };
    return QColor(channel(under.red(), over.red()), channel(under.green(), over.green()),
                  channel(under.blue(), over.blue()));
}

} // namespace triaxis::ui
