#pragma once

#include <QComboBox>

namespace triaxis::ui
{

/// A combo box that ends in "…" where its text does not fit, and then says all of it as a hint.
class ChoiceBox : public QComboBox
{
    Q_OBJECT
public:
    explicit ChoiceBox(QWidget* parent = nullptr);

    /// Pixels in which the longest of its texts can be read.
    int widthOfLongest() const;

protected:
    void paintEvent(QPaintEvent*) override;
    bool event(QEvent* event) override;
    /// Turns only once it has the focus: a form that scrolls past does not change.
    void wheelEvent(QWheelEvent* event) override;

    void changeEvent(QEvent* event) override;

private:
    int roomForText() const;

    mutable int m_longest = -1; ///< pixels of the longest text; −1: not measured
};

} // namespace triaxis::ui
