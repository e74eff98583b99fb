#include "ui/plan/plan_files.h"

#include "engine/core/error.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
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
const QString folderKey = QStringLiteral("plan/folder");
constexpr int mostRecent = 8;

QString filter()
{
    return Words::tr("Plans (*.triaxis run.json);;All files (*)");
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
    action(Command::Examples)->setToolTip(tr("Begin with one of the examples"));
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
    return m_title.isEmpty() ? tr("unnamed plan") : m_title;
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
            notes << spoken(note);
        emit noted(tr("%1 holds more than this version reads").arg(name()),
                   notes.join(QStringLiteral("; ")));
    }
    emit changed();
}

PlanFile PlanFiles::asFile() const
{
    return {m_document.drawn(), m_title.toStdString(), m_about, {}};
}

void PlanFiles::restore(PlanFile file, const QString& path, bool unsaved, int others)
{
    begin(std::move(file), path);
    if (!unsaved)
        return;
    m_document.undoStack().resetClean();
    emit changed();
    QString what = tr("The window ended before it was saved. Save it with Ctrl+S.");
    if (others > 0)
        what += QLatin1Char(' ') +
                tr("Other unsaved plans: %1. Each comes back when Triaxis is started once more.")
                    .arg(others);
    emit noted(tr("%1 is as you left it").arg(name()), what);
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
        emit failed(spoken(error.tried()),
                    spoken(error.object() + (error.remedy().empty() ? "" : ". ") + error.remedy()));
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
            emit failed(spoken(error.tried()), spoken(error.object()));
        }
    }
    return false;
}

bool PlanFiles::askAndOpen()
{
    const QString path =
        QFileDialog::getOpenFileName(m_window, tr("Open a plan"), folder(), filter());
    return !path.isEmpty() && open(path);
}

bool PlanFiles::save()
{
    return m_path.isEmpty() ? askAndSave() : saveAs(m_path);
}

bool PlanFiles::askAndSave()
{
    const QString start = m_path.isEmpty() ? folder() + QLatin1Char('/') + suggestedName() : m_path;
    QString path =
        QFileDialog::getSaveFileName(m_window, tr("Save the plan"), start, tr("Plans (*.triaxis)"));
    if (path.isEmpty())
        return false;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".triaxis");
    return saveAs(path);
}

bool PlanFiles::saveAs(const QString& path)
{
    try {
        writePlanFile(path.toStdString(), asFile());
    } catch (const Error& error) {
        emit failed(spoken(error.tried()), spoken(error.object() + ". " + error.remedy()));
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
    QMessageBox box(QMessageBox::Question, tr("Unsaved plan"),
                    tr("Save the changes to %1?").arg(name()),
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, m_window);
    box.setInformativeText(tr("They are lost otherwise."));
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

QString PlanFiles::folder() const
{
    if (!m_path.isEmpty())
        return QFileInfo(m_path).absolutePath();
    const QString last = QSettings().value(folderKey).toString();
    return !last.isEmpty() && QFileInfo(last).isDir() ? last : QDir::homePath();
}

QString PlanFiles::suggestedName() const
{
    const DrawnPlan& plan = m_document.drawn();
    QString name = m_title;
    if (name.isEmpty())
        name = toQString(plan.run.model.name) + QStringLiteral(" %1x%2x%3")
                                                    .arg(plan.run.layout.dp)
                                                    .arg(plan.run.layout.tp)
                                                    .arg(plan.run.layout.pp);
    for (QChar& letter : name)
        if (!letter.isLetterOrNumber() && letter != QLatin1Char('.'))
            letter = QLatin1Char('-');
    return name + QStringLiteral(".triaxis");
}

QStringList PlanFiles::recentNames()
{
    const QStringList paths = recent();
    QStringList names;
    for (const QString& path : paths)
        names << QFileInfo(path).fileName();
    QStringList shown;
    for (qsizetype i = 0; i < names.size(); ++i) {
        if (names.count(names[i]) == 1) {
            shown << names[i];
            continue;
        }
        QString folder = QFileInfo(paths[i]).absolutePath();
        const QString home = QDir::homePath();
        if (folder == home || folder.startsWith(home + QLatin1Char('/')))
            folder.replace(0, home.size(), QStringLiteral("~"));
        shown << QStringLiteral("%1 – %2").arg(names[i], folder);
    }
    return shown;
}

void PlanFiles::remember(const QString& path)
{
    QSettings().setValue(folderKey, QFileInfo(path).absolutePath());
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
    const QStringList paths = recent();
    const QStringList names = recentNames();
    for (qsizetype i = 0; i < paths.size(); ++i) {
        const QString& path = paths[i];
        QString name = names[i];
        QAction* action = menu->addAction(name.replace(QLatin1Char('&'), QStringLiteral("&&")));
        action->setToolTip(path);
        connect(action, &QAction::triggered, this, [this, path] { open(path); });
    }
    if (menu->isEmpty())
        menu->addAction(tr("No plan was saved yet"))->setEnabled(false);
}

void PlanFiles::fill(QMenu& menu)
{
    for (QAction* action : m_actions)
        menu.addAction(action);
    m_recent = new QMenu(tr("Recent"), &menu);
    m_recent->setToolTipsVisible(true);
    menu.insertMenu(m_actions[2], m_recent);
    connect(m_recent, &QMenu::aboutToShow, this, [this] { fillRecent(m_recent); });
    fillRecent(m_recent);
}

} // namespace triaxis::ui
