#pragma once

#include <QString>
#include <QWidget>

#include <vector>

namespace triaxis::ui
{

enum class Tone { Plain, Good, Warning, Bad };

/// One number that answers "how good is it": what it is, its value with unit, what it means.
struct Figure
{
    QString name;
    QString value;
    QString meaning;
    QString explanation;     ///< tooltip: how the number is made
    Tone tone = Tone::Plain; ///< colour of the meaning
    QString error{};         ///< "± 5 %", beside the value; empty: not known
    QString brief{};         ///< instead of a meaning that does not fit
    double weight = 1;       ///< its share of the width

    bool operator==(const Figure&) const = default;
};

/// The strip of figures on top of each page.
class FigureStrip : public QWidget
{
    Q_OBJECT
public:
    explicit FigureStrip(QWidget* parent = nullptr);

    void setFigures(std::vector<Figure> figures);
    const std::vector<Figure>& figures() const { return m_figures; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;

private:
    QRectF cell(std::size_t index) const;

    std::vector<Figure> m_figures;
};

} // namespace triaxis::ui
