#pragma once

#include <QWidget>

namespace triaxis::ui
{

/// An icon as a picture, in a colour that follows the theme.
class IconMark : public QWidget
{
    Q_OBJECT
public:
    enum class Ink { Muted, Faint, Accent, Danger, Warning, Good };
    IconMark(const QString& icon, double size, Ink ink, QWidget* parent = nullptr);

    void setIcon(const QString& icon, Ink ink);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent*) override;

private:
    QString m_icon;
    double m_size;
    Ink m_ink;
};

} // namespace triaxis::ui
