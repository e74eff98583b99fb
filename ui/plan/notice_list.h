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

/// One finding as a card: bar in the colour of its weight, what and how to mend it, and a button where one change does.
class NoticeCard : public QWidget
{
    Q_OBJECT
public:
    enum class Weight { Good, Note, Warning, Error };
    NoticeCard(Weight weight, const QString& title, const QString& detail,
               QWidget* parent = nullptr);

    QPushButton* addMend(const QString& change);

protected:
    void paintEvent(QPaintEvent*) override;

private:
    Weight m_weight;
    QHBoxLayout* m_row;
};

/// "What to look at": the findings about a plan, the heaviest first.
class NoticeList : public QWidget
{
    Q_OBJECT
public:
    explicit NoticeList(QWidget* parent = nullptr);

    /// `fine`: what is said if there is neither error nor warning.
    void setFindings(const RunPlan& plan, const std::vector<Diagnostic>& findings,
                     const QString& fine);

signals:
    void mendRequested(const triaxis::ui::Mend& mend);

private:
    void clear();
    void add(const RunPlan& plan, const Diagnostic& finding);

    QVBoxLayout* m_cards;
};

} // namespace triaxis::ui
