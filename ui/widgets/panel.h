#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace triaxis::ui
{

/// A rounded surface with a title at the left and the one setting that matters at the right.
class Panel : public QWidget
{
    Q_OBJECT
public:
    explicit Panel(const QString& title, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    /// Small explanatory text at the right of the header.
    void setHint(const QString& hint);
    /// Control at the left end of the header, before the title.
    void addLeading(QWidget* widget);
    /// Control at the right end of the header; several are put side by side.
    void addHeaderWidget(QWidget* widget);
    /// Fills the space below the header.
    void setContent(QWidget* content);
    QVBoxLayout* body() { return m_body; }

protected:
    void paintEvent(QPaintEvent*) override;

private:
    QLabel* m_title;
    QLabel* m_hint;
    QHBoxLayout* m_header;
    QVBoxLayout* m_body;
};

} // namespace triaxis::ui
