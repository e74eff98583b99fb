#pragma once

#include "engine/timeline/communication_matrix.h"

#include <QWidget>

namespace triaxis::ui
{

/// Who sends to whom: rows send to columns, the deeper the colour the more. A cell can be chosen:
/// with the pointer, or with arrows, Home and End.
class TrafficGrid : public QWidget
{
    Q_OBJECT
public:
    enum class Measure { Bytes, Seconds };
    /// What stands in the cells, in all of them alike: amounts with their units, amounts in the one
    /// unit that the legend names, or nothing where these do not fit either, as the legend says.
    enum class Numbers { WithUnit, InOneUnit, None };
    struct Place
    {
        int from = -1;
        int to = -1;
        bool any() const { return from >= 0; }
        bool operator==(const Place&) const = default;
    };
    explicit TrafficGrid(QWidget* parent = nullptr);

    void setMatrix(TrafficMatrix matrix, Measure measure);
    const TrafficMatrix& matrix() const { return m_matrix; }
    Place selected() const { return m_selected; }
    void select(const Place& place);
    /// "rank 0 → rank 1: 2.1 MB a step, …": for the line beneath and for screen readers.
    QString describe(const Place& place) const;
    /// The most that one sends to another.
    QString describeAll() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

    Numbers numbers() const { return fitting().first; }
    /// What stands in a cell; empty for none.
    QString textOf(const Place& place) const;
    /// Beneath the cells, right of the colours.
    QString legendText() const;

signals:
    void selectionChanged();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    static constexpr double legendRoom = 26; ///< pixels at a text size of 100 %
    static constexpr double nameRoom = 18;
    double valueOf(const TrafficMatrix::Cell& cell) const;
    QString valueText(double value) const;
    QString shortName(std::size_t row) const;
    double labelWidth() const;
    QRectF area() const;
    QRectF box(int from, int to) const;
    Place placeAt(const QPointF& at) const;
    struct Unit
    {
        double size = 1;
        const char* name = "";
    };
    Unit unit() const;
    bool fits(Numbers numbers, const QFont& font) const;
    /// The way of Numbers that fits every cell, and its font.
    std::pair<Numbers, QFont> fitting() const;
    QString numberText(double value, Numbers numbers) const;
    void paintCells(QPainter& painter) const;
    void paintNames(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;

    TrafficMatrix m_matrix;
    Measure m_measure = Measure::Bytes;
    double m_most = 0;
    Place m_selected;
};

} // namespace triaxis::ui
