#pragma once

#include "engine/timeline/display_list.h"

#include <QColor>
#include <QPalette>

#include <array>

namespace triaxis::ui
{

/// Every colour that the window paints with. A value: widgets take it from their palette with themeOf().
struct Theme
{
    bool dark = false;
    bool highContrast = false; ///< dark, text of 7 and everything else of 4.5 on its background
    Palette painted{};   ///< of display lists: timeline, schedule
    QColor window;       ///< behind the panels
    QColor rail;
    QColor panel;
    QColor raised;       ///< cards and nodes on a panel
    QColor field;        ///< entry fields and plain buttons
    QColor hover;
    QColor line;         ///< edges of panels and fields
    QColor track;        ///< empty part of bars
    QColor text;
    QColor muted;        ///< second-rank text, contrast of 4.5 on every background
    QColor faint;        ///< marks and rules, not text
    QColor accent;
    QColor accentSoft;   ///< selected rows, the current page
    QColor onAccent;
    QColor danger;
    QColor onDanger;
    QColor warning;
    QColor good;
    QColor bubble;       ///< strongest of the three greys of waiting
    QColor data, tensor, pipeline; ///< the three axes
    std::array<QColor, 8> stages;  ///< cells of a pipeline stage, repeating
    std::array<QColor, 6> memory;  ///< by MemoryCategory
    QColor heatLow, heatHigh;      ///< memory of ranks, from empty to fullest

    QColor ink(Ink ink) const { return QColor::fromRgb(painted.of(ink)); }
    QColor stage(int index) const;
    /// Between heatLow (0) and heatHigh (1).
    QColor heat(double share) const;
};

const Theme& lightTheme();
const Theme& darkTheme();
const Theme& highContrastTheme();
const std::array<const Theme*, 3>& allThemes();
/// The theme a widget is shown in, by its palette: the dark one where its window is dark. Widgets whose background the style
/// sheet sets have another palette; they ask with QGuiApplication::palette().
const Theme& themeOf(const QPalette& palette);
QPalette paletteOf(const Theme& theme);

/// Contrast ratio of WCAG 2.1 (1 … 21).
double contrast(const QColor& first, const QColor& second);
/// White or near-black, whichever can be read on `background`.
QColor labelOn(const QColor& background);
/// `share` of `over` on top of `under`.
QColor mixed(const QColor& under, const QColor& over, double share);

} // namespace triaxis::ui
