#include "ui/panels/calibrate_box.h"

#include "engine/core/error.h"
#include "launcher/supervisor.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/run/calibrate_question.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace triaxis::ui
{

CalibrateBox::CalibrateBox(QWidget* parent)
    : QWidget(parent), m_text(new QLabel), m_button(new QPushButton), m_progress(new QProgressBar),
      m_step(new QLabel)
{
    setObjectName(QStringLiteral("calibrateBox"));
    m_text->setObjectName(QStringLiteral("calibrateText"));
    m_text->setProperty("role", "muted");
    m_text->setWordWrap(true);
    m_button->setObjectName(QStringLiteral("calibrate"));
    m_progress->setObjectName(QStringLiteral("calibrateProgress"));
    m_progress->setAccessibleName(tr("Progress of the measurement"));
    m_progress->setTextVisible(false);
    m_step->setObjectName(QStringLiteral("calibrateStep"));
    m_step->setProperty("role", "small");
    m_step->setWordWrap(true);
    auto* row = new QHBoxLayout;
    row->addWidget(m_button);
    row->addWidget(m_progress, 1);
    row->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_text);
    layout->addLayout(row);
    layout->addWidget(m_step);
    connect(m_button, &QPushButton::clicked, this, &CalibrateBox::start);
    connect(&m_calibrator, &Calibrator::progress, this, [this](int done, int all) {
        m_progress->setRange(0, all);
        m_progress->setValue(done);
        m_step->setText(m_calibrator.progressText());
        refresh();
    });
    connect(&m_calibrator, &Calibrator::finished, this, [this] {
        m_step->clear();
        refresh();
        emit calibrated();
    });
    connect(&m_calibrator, &Calibrator::failed, this, [this](const QString& why) {
        m_step->setText(why.isEmpty() ? tr("Stopped. An earlier measurement stays in use.") : why);
        refresh();
    });
    refresh();
}

void CalibrateBox::say(const QString& text, bool offered, const QString& home)
{
    m_text->setText(text);
    m_text->setVisible(!text.isEmpty());
    m_offered = offered;
    m_home = home;
    refresh();
}

void CalibrateBox::setCalibration(std::function<bool()> ask, const QString& program)
{
    m_ask = std::move(ask);
    m_program = program;
}

void CalibrateBox::start()
{
    if (m_calibrator.isRunning()) {
        m_calibrator.cancel();
        return;
    }
    if (const QString running = runningCalibration(m_home.toStdString()); !running.isEmpty()) {
        m_step->setText(running);
        refresh();
        return;
    }
    if (!(m_ask ? m_ask() : askCalibrate(loadPerCore(), window())))
        return;
    try {
        m_calibrator.start(
            m_program.isEmpty() ? toQString(findPrograms().triaxis.string()) : m_program, m_home);
    } catch (const Error& error) {
        m_step->setText(spoken(error.what()));
    }
    refresh();
}

void CalibrateBox::refresh()
{
    const bool running = m_calibrator.isRunning();
    m_button->setVisible(m_offered || running);
    m_button->setText(running ? tr("Stop") : tr("Calibrate this machine…"));
    m_button->setToolTip(
        tr("Runs triaxis calibrate: it measures products, operations and messages of this "
           "machine for up to four minutes. Leave the machine alone meanwhile."));
    m_progress->setVisible(running);
    m_step->setVisible(!m_step->text().isEmpty());
}

} // namespace triaxis::ui
