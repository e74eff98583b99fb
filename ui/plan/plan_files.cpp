#include "ui/plan/plan_files.h"

#include "engine/core/error.h"
#include "ui/base/text.h"
#include "ui/plan/plan_document.h"
#include "ui/timeline/key_commands.h"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QSettings>

namespace triaxis::ui
{
namespace
{

const QString recentKey = QStringLiteral("plan/recent");
constexpr int mostRecent = 8;

QString filter()
{
    return QStringLiteral("Plans (*.triaxis run.json);;All files (*)");
}

} // namespace

PlanFiles::PlanFiles(PlanDocument& document, QWidget* window, QObject* parent)
    : QObject(parent), m_document(document), m_window(window)
{
    connect(&m_document.undoStack(), &QUndoStack::cleanChanged, this, &PlanFiles::changed);
    add("file.examples", [this] { emit galleryRequested(); });
    add("file.open", [this] { askAndOpen(); });
    add("file.save", [this] { save(); });
    add("file.saveAs", [this] { askAndSave(); });
    action(Command::Examples)->setToolTip(QStringLiteral("Begin with one of the examples"));
}

void PlanFiles::add(const char* id, std::function<void()> act)
{
    QAction* action = makeCommand(QLatin1String(id), this);
    connect(action, &QAction::triggered, this, std::move(act));
    m_actions << action;
}

QString PlanFiles::name() const
{
    if (!m_path.isEmpty())
        return QFileInfo(m_path).fileName();
    return m_title.isEmpty() ? QStringLiteral("unnamed plan") : m_title;
}

bool PlanFiles::isUnsaved() const
{
    return !m_document.isClean();
}

void PlanFiles::begin(PlanFile file, const QString& path)
{
    m_path = path;
    m_title = toQString(file.title);
    m_about = file.about;
    m_document.begin(std::move(file.plan));
    if (!file.notes.empty()) {
        QStringList notes;
        for (const std::string& note : file.notes)
            notes << toQString(note);
        emit noted(QStringLiteral("%1 holds more than this version reads").arg(name()),
                   notes.join(QStringLiteral("; ")));
    }
    emit changed();
}

bool PlanFiles::open(const QString& path)
{
    try {
        PlanFile file = readPlanFile(path.toStdString());
        if (!mayLeave())
            return false;
        const bool isPlan = path.endsWith(QLatin1String(".triaxis"));
        begin(std::move(file), isPlan ? QFileInfo(path).absoluteFilePath() : QString());
        if (isPlan)
            remember(m_path);
        return true;
    } catch (const Error& error) {
        emit failed(
            toQString(error.tried()),
            toQString(error.object() + (error.remedy().empty() ? "" : ". ") + error.remedy()));
        return false;
    }
}

bool PlanFiles::openExample(const std::string& name)
{
    for (const ExamplePlan& example : examplePlans()) {
        if (example.name != name)
            continue;
        try {
            PlanFile file = parsePlanFile(example.text, example.name);
            if (!mayLeave())
                return false;
            begin(std::move(file), {});
            return true;
        } catch (const Error& error) {
            emit failed(toQString(error.tried()), toQString(error.object()));
        }
    }
    return false;
}

bool PlanFiles::askAndOpen()
{
    const QString folder = m_path.isEmpty() ? QDir::homePath() : QFileInfo(m_path).absolutePath();
    const QString path =
        QFileDialog::getOpenFileName(m_window, QStringLiteral("Open a plan"), folder, filter());
    return !path.isEmpty() && open(path);
}

bool PlanFiles::save()
{
    return m_path.isEmpty() ? askAndSave() : saveAs(m_path);
}

bool PlanFiles::askAndSave()
{
    const QString start =
        m_path.isEmpty() ? QDir::homePath() + QStringLiteral("/plan.triaxis") : m_path;
    QString path = QFileDialog::getSaveFileName(m_window, QStringLiteral("Save the plan"), start,
                                                QStringLiteral("Plans (*.triaxis)"));
    if (path.isEmpty())
        return false;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".triaxis");
    return saveAs(path);
}

bool PlanFiles::saveAs(const QString& path)
{
    try {
        writePlanFile(path.toStdString(), {m_document.drawn(), m_title.toStdString(), m_about, {}});
    } catch (const Error& error) {
        emit failed(toQString(error.tried()), toQString(error.object() + ". " + error.remedy()));
        return false;
    }
    m_path = QFileInfo(path).absoluteFilePath();
    m_document.undoStack().setClean();
    remember(m_path);
    emit changed();
    return true;
}

PlanFiles::Answer PlanFiles::ask() const
{
    if (m_ask)
        return m_ask();
    QMessageBox box(QMessageBox::Question, QStringLiteral("Unsaved plan"),
                    QStringLiteral("Save the changes to %1?").arg(name()),
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, m_window);
    box.setInformativeText(QStringLiteral("They are lost otherwise."));
    switch (box.exec()) {
    case QMessageBox::Save:
        return Answer::Save;
    case QMessageBox::Discard:
        return Answer::Discard;
    default:
        return Answer::Cancel;
    }
}

bool PlanFiles::mayLeave()
{
    if (!isUnsaved())
        return true;
    switch (ask()) {
    case Answer::Save:
        return save();
    case Answer::Discard:
        return true;
    case Answer::Cancel:
        return false;
    }
    return false;
}

QStringList PlanFiles::recent()
{
    return QSettings().value(recentKey).toStringList();
}

void PlanFiles::remember(const QString& path)
{
    QStringList paths = recent();
    paths.removeAll(path);
    paths.prepend(path);
    while (paths.size() > mostRecent)
        paths.removeLast();
    QSettings().setValue(recentKey, paths);
}

void PlanFiles::fillRecent(QMenu* menu)
{
    menu->clear();
    for (const QString& path : recent()) {
        QAction* action = menu->addAction(QFileInfo(path).fileName());
        action->setToolTip(path);
        connect(action, &QAction::triggered, this, [this, path] { open(path); });
    }
    if (menu->isEmpty())
        menu->addAction(QStringLiteral("No plan was saved yet"))->setEnabled(false);
}

void PlanFiles::fill(QMenu& menu)
{
    for (QAction* action : m_actions)
        menu.addAction(action);
    m_recent = new QMenu(QStringLiteral("Recent"), &menu);
    m_recent->setToolTipsVisible(true);
    menu.insertMenu(m_actions[2], m_recent);
    connect(m_recent, &QMenu::aboutToShow, this, [this] { fillRecent(m_recent); });
    fillRecent(m_recent);
}

} // namespace triaxis::ui
