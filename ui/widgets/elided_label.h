#pragma once

#include <QLabel>

namespace triaxis::ui
{

/// A line of text that ends in "…" where there is no room for it, and then says all of it as a
/// hint.
class ElidedLabel : public QLabel
{
    Q_OBJECT
public:
    explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);

    /// `mode`: which end of the text is given up.
    void setMode(Qt::TextElideMode mode);
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent*) override;
    bool event(QEvent* event) override;

private:
    QString shown() const;

    Qt::TextElideMode m_mode = Qt::ElideRight;
};

} // namespace triaxis::ui
