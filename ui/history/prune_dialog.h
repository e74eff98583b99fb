#pragma once

#include "storage/prune.h"

#include <QDialog>
#include <QStringList>

class QCheckBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QTableWidget;

namespace triaxis::ui
{

class HistoryService;

/// Which runs would lose the spans of their timelines, and what that frees, before it is done.
class PruneDialog : public QDialog
{
    Q_OBJECT
public:
    explicit PruneDialog(HistoryService& service, QWidget* parent = nullptr);

    PruneRules rules() const;
    /// Runs that lose their spans when the dialog is accepted.
    QStringList runs() const { return m_runs; }

signals:
    /// What the rules would do is shown.
    void planned();

private:
    void ask();
    void show(const PrunePlan& plan);
    QString whyNothing(const PruneLeft& left) const;

    HistoryService& m_service;
    int m_request = 0;
    QStringList m_runs;
    QSpinBox* m_keep;
    QSpinBox* m_days;
    QSpinBox* m_larger; ///< MiB
    QCheckBox* m_starred;
    QTableWidget* m_table;
    QLabel* m_summary;
    QLabel* m_reasons;
    QPushButton* m_prune;
};

} // namespace triaxis::ui
