#pragma once

#include "engine/core/diagnostic.h"
#include "engine/layout/layout.h"
#include "ui/theme/theme.h"

#include <QFont>
#include <QHash>
#include <QPixmap>

#include <array>
#include <list>
#include <optional>
#include <unordered_map>

class QPainter;

namespace triaxis::ui
{

/// Which look a cell has.
struct CellLook
{
    enum class Kind { Rank, Unused, Ghost } kind = Kind::Unused;
    int colour = 0;             ///< index into Theme::stages
    std::optional<double> fill; ///< memory over capacity; nothing: no bar
    bool hasBar = false;        ///< room for the bar, also where the fill is unknown
};

/// Outline of a tensor group on its node, as a box of cells.
struct OutlineLook
{
    QSize pixels;
    bool broken = false; ///< the group goes on elsewhere
};

/// Digits and the dot between them, drawn once: labels of thousands of cells are put together from
/// them.
class FloorGlyphs
{
public:
    FloorGlyphs(const QFont& font, const QColor& ink, double ratio);
    int height() const { return m_height; }
    /// Of a label of so many characters, two of them dots.
    static int widthOf(const QFont& font, int characters);
    /// "0·3·1" in the middle of a box.
    void draw(QPainter& painter, const QRect& box, const Coordinates& at) const;

private:
    std::array<QPixmap, 11> m_glyphs; ///< the dot last
    int m_digit = 0;                  ///< widths
    int m_dot = 0;
    int m_height = 0;
};

/// Drawings that the floor repeats thousands of times, painted once for a size and theme.
class FloorSprites
{
public:
    /// Forgets everything when the theme or the resolution differ. Of sizes of cells a few are
    /// kept: edits that are undone and redone go back and forth between them.
    void prepare(const Theme& theme, const QSize& cell, double ratio);

    const QPixmap& cell(const CellLook& look);
    const QPixmap& outline(const OutlineLook& look);
    const QPixmap& frame(const QSize& pixels, bool ghost, bool folded);
    const QPixmap& mark(Severity severity, int pixels);
    /// Text in a rounded box with an edge.
    const QPixmap& pill(const QString& text, const QSize& pixels, const QFont& font);
    const FloorGlyphs& glyphs(const QFont& font, const QColor& ink);
    /// The track of the memory bar in a cell of this size.
    static QRectF bar(const QSizeF& cell);

private:
    /// All of one size of cells.
    struct Sheet
    {
        QSize cell;
        std::unordered_map<std::uint64_t, QPixmap> drawn;
        std::unordered_map<QRgb, FloorGlyphs> glyphs; ///< of the font, by ink
        QFont font;
    };
    QPixmap blank(const QSize& pixels) const;
    QPixmap paintedCell(const CellLook& look, int level) const;

    const Theme* m_theme = nullptr;
    QSize m_cell;
    double m_ratio = 1;
    std::list<Sheet> m_sheets{1}; ///< the one in use first
    QHash<QString, QPixmap> m_pills;
    QFont m_pillFont;
};

/// Fill of a cell whose label is `labelOn` it.
QColor cellColour(const Theme& theme, int colour);

} // namespace triaxis::ui
