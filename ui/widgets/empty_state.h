#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace triaxis::ui
{

/// What a page shows while there is nothing to show: an icon, what is missing, and the way to get it.
class EmptyState : public QWidget
{
    Q_OBJECT
public:
    EmptyState(const QString& icon, const QString& title, const QString& hint,
               QWidget* parent = nullptr);

    void setTexts(const QString& title, const QString& hint);
    QPushButton* addButton(const QString& text, bool primary);

private:
    QLabel* m_title;
    QLabel* m_hint;
    QHBoxLayout* m_buttons;
};

} // namespace triaxis::ui
