#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QToolButton;

namespace triaxis::ui
{

class IconMark;

/// A line at the top of a page that says what happened and what can be done about it. Hidden until it has something.
class Banner : public QWidget
{
    Q_OBJECT
public:
    enum class Kind { Note, Good, Problem };
    explicit Banner(QWidget* parent = nullptr);

    /// Both begin with a capital letter, whoever wrote them. `action` empty: no button.
    void say(Kind kind, const QString& title, const QString& detail, const QString& action = {});
    void dismiss();
    QString title() const;
    /// A problem that nobody has closed yet.
    bool showsProblem() const { return !isHidden() && m_kind == Kind::Problem; }
    /// As tall as its text is at its width, and no reason for the page to be as tall as it would like to be.
    bool hasHeightForWidth() const override { return false; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {QWidget::minimumSizeHint().width(), sizeHint().height()}; }

signals:
    void actionTriggered();

protected:
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    Kind m_kind = Kind::Note;
    IconMark* m_icon;
    QLabel* m_title;
    QLabel* m_detail;
    QPushButton* m_action;
    QToolButton* m_close;
};

} // namespace triaxis::ui
