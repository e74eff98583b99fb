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
    /// For an action: its state, and its name with its keys as they are now as the hint.
    IconButton(const QString& icon, QAction& action, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void colour();
    void follow(const QAction& action);

    QString m_icon;
};

} // namespace triaxis::ui
