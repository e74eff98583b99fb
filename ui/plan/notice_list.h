#pragma once

#include "ui/plan/plan_findings.h"

#include <QWidget>

#include <vector>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace triaxis::ui
{

/// One finding as a card: bar in the colour of its weight, what and how to mend it, and a button
/// where one change does. It may say something else later: making a card costs as much as a frame.
class NoticeCard : public QWidget
{
    Q_OBJECT
public:
    enum class Weight { Good, Note, Warning, Error };
    explicit NoticeCard(QWidget* parent = nullptr);

    void say(Weight weight, const QString& title, const QString& detail, const QString& why);
    /// One is a button beside the text, several are buttons below it that say what they change.
    void setMends(std::vector<DrawnMend> mends);

signals:
    void mendRequested(const triaxis::ui::DrawnMend& mend);

protected:
    void paintEvent(QPaintEvent*) override;

private:
    void buildButtons(bool named);

    Weight m_weight = Weight::Note;
    QHBoxLayout* m_row;
    QVBoxLayout* m_texts;
    QLabel* m_title;
    QLabel* m_detail;
    std::vector<DrawnMend> m_mends;
    std::vector<QPushButton*> m_buttons;
};

/// "What to look at": the findings about a plan, the heaviest first.
class NoticeList : public QWidget
{
    Q_OBJECT
public:
    explicit NoticeList(QWidget* parent = nullptr);

    /// `title` and `fine`: what is said if there is neither error nor warning.
    void setNotices(std::vector<PlanFinding> notices, const QString& title, const QString& fine);

signals:
    void mendRequested(const triaxis::ui::DrawnMend& mend);

private:
    NoticeCard* card(std::size_t index);
    void dropCards(std::size_t kept);

    QVBoxLayout* m_layout;
    std::vector<NoticeCard*> m_cards;
};

} // namespace triaxis::ui
