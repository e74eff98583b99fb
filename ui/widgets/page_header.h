#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace triaxis::ui
{

/// Top of a page: what it is about at the left, its actions at the right.
class PageHeader : public QWidget
{
    Q_OBJECT
public:
    explicit PageHeader(QWidget* parent = nullptr);

    void setTitle(const QString& title, const QString& detail = {});
    QString title() const;
    /// At the left, before the title.
    void addLeading(QWidget* widget);
    void addAction(QWidget* widget);

private:
    QHBoxLayout* m_row;
    QLabel* m_title;
    QLabel* m_detail;
    int m_leading = 0;
};

} // namespace triaxis::ui
