#include "ui/sweep/sweep_dialog.h"

#include "engine/core/error.h"
#include "engine/formats/report_html.h"
#include "engine/formats/report_language.h"
#include "engine/formats/sweep_html.h"
#include "launcher/supervisor.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/report/export_dialog.h"
#include "ui/report/report_file.h"
#include "ui/sweep/sweep_runner.h"
#include "ui/sweep/sweep_settings.h"
#include "ui/sweep/sweep_view.h"
#include "ui/theme/fonts.h"
#include "ui/theme/text_size.h"
#include "ui/widgets/dialog_size.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/panel.h"

#include <QCloseEvent>
#include <QEventLoop>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace triaxis::ui
{
namespace
{

constexpr int settingsWidth = 280;
constexpr int progressSteps = 1000;
constexpr int mostStopping = 10000; ///< milliseconds; what is left is killed

QScrollArea* scrolled(QWidget* content)
{
    auto* area = new QScrollArea;
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidget(content);
    content->setAutoFillBackground(false);
    area->viewport()->setAutoFillBackground(false);
    return area;
}

bool isPdf(const QString& file)
{
    return QFileInfo(file).suffix().toLower() == QLatin1String("pdf");
}

PictureFormat formatOf(const QString& file)
{
    const QString ending = QFileInfo(file).suffix().toLower();
    return ending == QLatin1String("svg")   ? PictureFormat::Svg
           : ending == QLatin1String("pdf") ? PictureFormat::Pdf
                                            : PictureFormat::Png;
}

bool askToStop(QWidget* parent)
{
    QMessageBox box(QMessageBox::Question, SweepDialog::tr("A sweep goes on"),
                    SweepDialog::tr("The sweep is not at its end. Stop it?"), QMessageBox::Cancel,
                    parent);
    box.setInformativeText(SweepDialog::tr("Layouts that have been measured stay in the history."));
    QPushButton* stop =
        box.addButton(SweepDialog::tr("Stop the sweep"), QMessageBox::DestructiveRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    return box.clickedButton() == stop;
}

} // namespace

SweepDialog::SweepDialog(std::optional<PlanFile> drawn, std::filesystem::path home, QWidget* parent)
    : QDialog(parent), m_drawn(std::move(drawn)), m_home(std::move(home)),
      m_ask([this] { return askToStop(this); }), m_runner(new SweepRunner(this)),
      m_settings(new SweepSettings(m_drawn ? toQString(m_drawn->plan.run.model.name) : QString())),
      m_view(new SweepView), m_progress(new QProgressBar), m_state(new ElidedLabel),
      m_start(new QPushButton), m_export(new QPushButton(tr("Export report…"))),
      m_compare(new QPushButton(tr("Open comparison")))
{
    setObjectName(QStringLiteral("sweepDialog"));
    setWindowTitle(tr("Sweep layouts"));
    build();
    connect(m_runner, &SweepRunner::progressed, this, &SweepDialog::showProgress);
    connect(m_runner, &SweepRunner::measured, this, &SweepDialog::showTables);
    connect(m_runner, &SweepRunner::finished, this, &SweepDialog::conclude);
    connect(m_settings, &SweepSettings::changed, this, &SweepDialog::refresh);
    connect(m_start, &QPushButton::clicked, this,
            [this] { m_runner->isRunning() ? m_runner->cancel() : start(); });
    connect(m_export, &QPushButton::clicked, this, &SweepDialog::exportSweep);
    connect(m_compare, &QPushButton::clicked, this,
            [this] { emit comparisonRequested(measuredRuns()); });
    m_clock.setInterval(1000);
    connect(&m_clock, &QTimer::timeout, this, &SweepDialog::showProgress);
    resizeWithinScreen(*this, {1160, 760});
    refresh();
}

SweepDialog::~SweepDialog()
{
    m_runner->disconnect(this);
}

void SweepDialog::build()
{
    auto* settings = new Panel(tr("What is run"));
    QScrollArea* scroll = scrolled(m_settings);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    settings->setContent(scroll);
    followTextSize(settings, [settings] { settings->setFixedWidth(scaled(settingsWidth)); });
    auto* results = scrolled(m_view);
    results->setObjectName(QStringLiteral("sweepResults"));
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(settings);
    row->addWidget(results, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 14);
    layout->setSpacing(12);
    layout->addLayout(row, 1);
    layout->addWidget(buildFoot());
}

QWidget* SweepDialog::buildFoot()
{
    m_progress->setObjectName(QStringLiteral("sweepProgress"));
    m_progress->setRange(0, progressSteps);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress of the sweep"));
    m_state->setObjectName(QStringLiteral("sweepState"));
    m_state->setProperty("role", "small");
    m_start->setObjectName(QStringLiteral("sweepStart"));
    m_start->setProperty("look", "primary");
    m_export->setObjectName(QStringLiteral("sweepExport"));
    m_compare->setObjectName(QStringLiteral("sweepCompare"));
    auto* close = new QPushButton(tr("Close"));
    close->setObjectName(QStringLiteral("sweepClose"));
    connect(close, &QPushButton::clicked, this, &SweepDialog::reject);
    for (QPushButton* button : {m_start, m_export, m_compare, close})
        button->setAutoDefault(false);
    auto* said = new QVBoxLayout;
    said->setSpacing(4);
    said->addWidget(m_state);
    said->addWidget(m_progress);
    auto* foot = new QWidget;
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addLayout(said, 1);
    row->addSpacing(8);
    for (QPushButton* button : {m_export, m_compare, close, m_start})
        row->addWidget(button);
    return foot;
}

void SweepDialog::start()
{
    if (m_runner->isRunning() || !m_settings->isValid())
        return;
    const QString planFile = m_folder.filePath(QStringLiteral("plan.triaxis"));
    try {
        if (m_settings->wantsDrawnPlan() && m_drawn)
            writePlanFile(planFile.toStdString(), *m_drawn);
        const QString program =
            m_program.isEmpty() ? toQString(findPrograms().triaxis.string()) : m_program;
        m_hasRun = true;
        m_runner->start(program, toQString(m_home.string()), m_settings->arguments(planFile),
                        m_settings->forms());
    } catch (const Error& error) {
        conclude(spoken(std::string_view(error.what())));
        return;
    }
    m_clock.start();
    showTables();
    showProgress();
    refresh();
}

void SweepDialog::showProgress()
{
    m_progress->setValue(int(m_runner->share() * progressSteps));
    m_state->setText(m_runner->progressText());
    if (m_runner->current())
        showTables();
    refresh();
}

void SweepDialog::showTables()
{
    m_view->show(m_runner->tables(), m_runner->current());
}

void SweepDialog::conclude(const QString& problem)
{
    m_clock.stop();
    showTables();
    const QStringList measured = measuredRuns();
    m_progress->setValue(problem.isEmpty() && !measured.isEmpty() ? progressSteps : 0);
    m_state->setProperty("role", problem.isEmpty() ? "small" : "problem");
    m_state->style()->unpolish(m_state);
    m_state->style()->polish(m_state);
    m_state->setText(!problem.isEmpty()
                         ? problem
                         : tr("%1 measured, all kept in the history")
                               .arg(counted(measured.size(), QStringLiteral("run"))));
    refresh();
    emit sweepEnded();
}

void SweepDialog::refresh()
{
    const bool running = m_runner->isRunning();
    m_progress->setVisible(running);
    if (running)
        m_state->setProperty("role", "small");
    m_settings->setEnabled(!running);
    m_start->setText(running ? tr("Cancel") : m_hasRun ? tr("Start again") : tr("Start"));
    m_start->setEnabled(running ? !m_runner->isStopping() : m_settings->isValid());
    const qsizetype measured = measuredRuns().size();
    m_export->setEnabled(!running && measured > 0);
    m_compare->setEnabled(!running && measured > 1);
}

QStringList SweepDialog::measuredRuns() const
{
    QStringList runs;
    for (const SweepTable& table : m_runner->tables())
        for (const SweepRow& row : table.rows)
            if (row.measured())
                runs << toQString((m_home / "runs" / row.runId).string());
    return runs;
}

std::vector<ExportChoice> SweepDialog::exports() const
{
    const std::vector<SweepTable> tables = m_runner->tables();
    const QString stem = QStringLiteral("sweep");
    std::vector<ExportChoice> choices;
    ExportChoice report{tr("Report"),
                        tr("Tables, scaling charts and definitions"),
                        stem,
                        {QStringLiteral("pdf"), QStringLiteral("html")}};
    report.write = [tables](const QString& file) {
        const ReportDocument document =
            spokenReport(sweepReport(tables), Phrasebook::of(windowLanguage().toStdString()));
        if (isPdf(file))
            saveReportPdf(file, document, QPageSize::A4);
        else
            saveText(file, reportHtml(document));
    };
    choices.push_back(std::move(report));
    for (const SweepTable& table : tables) {
        if (table.base < 0)
            continue;
        const QString title = spoken(table.title);
        ExportChoice chart{tr("View"),
                           tr("Scaling: %1").arg(title),
                           stem + QLatin1Char('-') + QLatin1String(toText(table.form)),
                           {QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf")}};
        chart.write = [table, title](const QString& file) {
            savePicture(file, drawScaling(table, reportHalfWidth), formatOf(file), title);
        };
        choices.push_back(std::move(chart));
    }
    ExportChoice csv{tr("Table"), tr("Figures of all layouts"), stem, {QStringLiteral("csv")}};
    csv.write = [tables](const QString& file) { saveText(file, sweepCsv(tables)); };
    choices.push_back(std::move(csv));
    return choices;
}

void SweepDialog::exportSweep()
{
    auto* dialog = new ExportDialog(tr("the sweep"), exports(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setModal(true);
    dialog->show();
}

bool SweepDialog::mayClose()
{
    if (!m_runner->isRunning())
        return true;
    if (!m_ask())
        return false;
    QEventLoop loop;
    connect(m_runner, &SweepRunner::finished, &loop, &QEventLoop::quit);
    QTimer::singleShot(mostStopping, &loop, &QEventLoop::quit);
    m_runner->cancel();
    if (m_runner->isRunning())
        loop.exec(QEventLoop::ExcludeUserInputEvents);
    return true;
}

void SweepDialog::reject()
{
    if (mayClose())
        QDialog::reject();
}

void SweepDialog::closeEvent(QCloseEvent* event)
{
    if (!mayClose()) {
        event->ignore();
        return;
    }
    QDialog::closeEvent(event);
}

} // namespace triaxis::ui
