#pragma once

#include "ui/widgets/figure_strip.h"

#include <QAbstractTableModel>
#include <QTableView>

#include <vector>

namespace triaxis::ui
{

/// A table of figures as text, its rows and columns named in headers.
struct FigureTable
{
    struct Cell
    {
        QString text;
        QString tip{};
        Tone tone = Tone::Plain;
        bool bold = false;
        bool operator==(const Cell&) const = default;
    };
    struct Name
    {
        QString text;
        QString tip{};
        bool operator==(const Name&) const = default;
    };
    std::vector<Name> columns;
    std::vector<Name> rows;
    std::vector<std::vector<Cell>> cells; ///< [row][column]
    bool operator==(const FigureTable&) const = default;
};

/// The model of such a table; its cells carry their row and column in the text for screen readers.
class FigureTableModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    /// Rows and columns that stay keep selection and scroll position.
    void setTable(FigureTable table);
    const FigureTable& table() const { return m_table; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    FigureTable m_table;
};

/// Shows one as tall as its rows, so that a page of several scrolls as a whole; headers stay in
/// place when it is too wide.
class FigureTableView : public QTableView
{
    Q_OBJECT
public:
    FigureTableView(const QString& name, const QString& accessibleName, QWidget* parent = nullptr);

    void setTable(FigureTable table);
    /// Pixels of the longest name of a row.
    int ownNames() const { return m_ownNames; }
    /// Tables one above the other have their columns in line where their names are as wide.
    void setLeastNames(int pixels);
    /// Pixels at a text size of 100 % that names of rows may take; longer ones are elided.
    void setWidestName(double pixels);
    FigureTableModel* figures() const { return m_model; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void measure();
    void fit();

    FigureTableModel* m_model;
    int m_ownNames = 0; ///< pixels of the longest name of a row
    std::vector<int> m_widths; ///< pixels of the widest text of each column
    int m_leastNames = 0;
    double m_widestName = 146;
};

} // namespace triaxis::ui
