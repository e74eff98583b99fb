#pragma once

#include <QToolButton>

namespace triaxis::ui
{

/// A small button with an icon in the colours of the theme; its hint is its name for screen readers.
class IconButton : public QToolButton
{
    Q_OBJECT
public:
    IconButton(const QString& icon, const QString& hint, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void colour();

    QString m_icon;
};

} // namespace triaxis::ui
