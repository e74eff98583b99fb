#pragma once

#include <QWidget>

class QHBoxLayout;

namespace triaxis::ui
{

class ElidedLabel;

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
    ElidedLabel* m_title;
    ElidedLabel* m_detail;
    int m_leading = 0;
};

} // namespace triaxis::ui
