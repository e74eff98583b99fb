#pragma once

#include "engine/core/diagnostic.h"
#include "ui/plan/mend.h"

#include <QWidget>

#include <vector>

class QHBoxLayout;
class QPushButton;
class QVBoxLayout;

namespace triaxis::ui
{

/// One finding as a card: bar in the colour of its weight, what and how to mend it, and a button
/// where one change does.
class NoticeCard : public QWidget
{
    Q_OBJECT
public:
    enum class Weight { Good, Note, Warning, Error };
    NoticeCard(Weight weight, const QString& title, const QString& detail,
               QWidget* parent = nullptr);

    /// `named`: the button says what it changes, as one of several.
    QPushButton* addMend(const QString& change, bool named = false);

protected:
    void paintEvent(QPaintEvent*) override;

private:
    Weight m_weight;
    QHBoxLayout* m_row;
    QVBoxLayout* m_texts;
};

/// "What to look at": the findings about a plan, the heaviest first.
class NoticeList : public QWidget
{
    Q_OBJECT
public:
    explicit NoticeList(QWidget* parent = nullptr);

    /// A finding with the changes that would mend it.
    struct Notice
    {
        Diagnostic finding;
        std::vector<DrawnMend> mends;
    };
    /// `title` and `fine`: what is said if there is neither error nor warning.
    void setNotices(std::vector<Notice> notices, const QString& title, const QString& fine);

signals:
    void mendRequested(const triaxis::ui::DrawnMend& mend);

private:
    void clear();
    void add(const Notice& notice);

    QVBoxLayout* m_cards;
    QString m_shown; ///< what the cards say, so that nothing is built anew for the same
};

} // namespace triaxis::ui
