#pragma once

#include "ui/history/run_choice.h"

#include <QTimer>
#include <QWidget>

class QLineEdit;
class QMenu;
class QPushButton;

namespace triaxis::ui
{

class FlowLayout;

/// Which stored runs are shown: words, filters with how many runs each value has, and what is set
/// as chips that take it away.
class FilterBar : public QWidget
{
    Q_OBJECT
public:
    explicit FilterBar(QWidget* parent = nullptr);

    const RunChoice& choice() const { return m_choice; }
    void setChoice(const RunChoice& choice);
    /// Words and filters.
    void clear();
    /// What the menus offer.
    void setFacets(const RunFacets& facets) { m_facets = facets; }
    void focusSearch();
    /// At the right end of the row.
    void addTrailing(QWidget* widget);

signals:
    /// Words come once nothing has been typed for a moment.
    void choiceChanged(const triaxis::ui::RunChoice& choice);
    /// The person has done with typing and wants the runs.
    void leaveRequested();

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    QPushButton* addFilter(const char* name, const QString& text, const QString& hint,
                           void (FilterBar::*fill)(QMenu&));
    void fillStates(QMenu& menu);
    void fillKinds(QMenu& menu);
    void fillModels(QMenu& menu);
    void fillLayouts(QMenu& menu);
    void fillSchedules(QMenu& menu);
    void fillTags(QMenu& menu);
    void fillStarted(QMenu& menu);
    void fillSizes(QMenu& menu, const QString& title, const std::vector<RunFacet>& facets,
                   std::optional<int> RunChoice::*size);
    /// An entry that is ticked where the value is set; `count` < 0: not told.
    void offer(QMenu& menu, const QString& text, int count, bool set,
               std::function<void(RunChoice&)> change);
    void offerNothing(QMenu& menu, const QString& why);
    void change(const std::function<void(RunChoice&)>& how);
    void askDays();
    void takeWords();
    void refresh();
    void refreshChips();

    RunChoice m_choice;
    RunFacets m_facets;
    QTimer m_delay;
    QLineEdit* m_search;
    class QHBoxLayout* m_row;
    QList<QPushButton*> m_filters;
    QPushButton* m_starred;
    QWidget* m_chipArea;
    FlowLayout* m_chips;
};

} // namespace triaxis::ui
