#pragma once

#include "engine/formats/plan_file.h"
#include "ui/report/export_choice.h"

#include <QDialog>
#include <QTemporaryDir>
#include <QTimer>

#include <filesystem>
#include <functional>
#include <optional>

class QLabel;
class QProgressBar;
class QPushButton;

namespace triaxis::ui
{

class SweepRunner;
class SweepSettings;
class SweepView;

/// Runs layouts one after the other through `triaxis sweep` and compares them. Everything that was
/// measured stays in the history.
class SweepDialog : public QDialog
{
    Q_OBJECT
public:
    /// `drawn`: the drawn plan, if it can be run here; `home`: where the runs go.
    SweepDialog(std::optional<PlanFile> drawn, std::filesystem::path home,
                QWidget* parent = nullptr);
    ~SweepDialog() override;

    void start();
    SweepRunner* runner() const { return m_runner; }
    SweepSettings* settings() const { return m_settings; }
    /// Asks where a sweep goes on, and stops it. False: it is to go on.
    bool mayClose();
    /// Instead of the question that is put to a person, and of the `triaxis` beside this program.
    void setAsk(std::function<bool()> ask) { m_ask = std::move(ask); }
    void setProgram(const QString& program) { m_program = program; }
    /// What the sweep can be written as.
    std::vector<ExportChoice> exports() const;

    void reject() override;

signals:
    void sweepEnded();
    /// Directories of the runs that were measured, the base first.
    void comparisonRequested(const QStringList& directories);

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    void build();
    QWidget* buildFoot();
    void showProgress();
    void showTables();
    void conclude(const QString& problem);
    void refresh();
    void exportSweep();
    QStringList measuredRuns() const;

    std::optional<PlanFile> m_drawn;
    std::filesystem::path m_home;
    QTemporaryDir m_folder; ///< for the drawn plan
    QString m_program;
    std::function<bool()> m_ask;
    SweepRunner* m_runner;
    SweepSettings* m_settings;
    SweepView* m_view;
    QProgressBar* m_progress;
    QLabel* m_state;
    QPushButton* m_start;
    QPushButton* m_export;
    QPushButton* m_compare;
    QTimer m_clock; ///< for the time that is left
    bool m_hasRun = false;
};

} // namespace triaxis::ui
