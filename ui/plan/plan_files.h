#pragma once

#include "engine/formats/plan_file.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>

class QAction;
class QMenu;
class QWidget;

namespace triaxis::ui
{

class PlanDocument;

/// The file behind the plan that is drawn: opening, saving, what is unsaved. A file that cannot be
/// read or written leaves the plan as it is.
class PlanFiles : public QObject
{
    Q_OBJECT
public:
    enum class Answer { Save, Discard, Cancel };
    enum class Command { Examples, Open, Save, SaveAs };

    /// `window`: parent of dialogs.
    PlanFiles(PlanDocument& document, QWidget* window, QObject* parent = nullptr);

    /// Empty: the plan has no file yet.
    const QString& path() const { return m_path; }
    /// "seed exercise", "layout.triaxis", "unnamed plan".
    QString name() const;
    bool isUnsaved() const;

    /// The plan as it is drawn, with its title.
    PlanFile asFile() const;
    /// What a window that did not close has left behind; without asking. `others`: plans of further
    /// windows that wait.
    void restore(PlanFile file, const QString& path, bool unsaved, int others = 0);

    /// All of them ask first where unsaved changes would be lost. False: cancelled or failed.
    bool open(const QString& path);
    bool openExample(const std::string& name);
    bool askAndOpen();
    bool save();
    bool saveAs(const QString& path);
    bool askAndSave();
    /// True if the plan may be replaced or the window closed.
    bool mayLeave();

    /// Where dialogs begin: where a plan was last opened or saved.
    QString folder() const;
    /// Of a plan without a file.
    QString suggestedName() const;
    static QStringList recent();
    /// What they are called in the menu: by file, with the folder where two would be the same.
    static QStringList recentNames();
    /// A menu of everything; its actions also serve as shortcuts once added to a window.
    void fill(QMenu& menu);
    QList<QAction*> actions() const { return m_actions; }
    QAction* action(Command command) const { return m_actions[int(command)]; }

    /// For tests: answers instead of a dialog.
    void setAsk(std::function<Answer()> ask) { m_ask = std::move(ask); }

signals:
    void changed();
    void failed(const QString& title, const QString& detail);
    void noted(const QString& title, const QString& detail);
    void galleryRequested();

private:
    void begin(PlanFile file, const QString& path);
    void remember(const QString& path);
    Answer ask() const;
    void fillRecent(QMenu* menu);
    void add(const char* id, std::function<void()> act);

    PlanDocument& m_document;
    QWidget* m_window;
    QString m_path;
    QString m_title;
    std::string m_about;
    std::function<Answer()> m_ask;
    QList<QAction*> m_actions; ///< by Command
    QMenu* m_recent = nullptr;
};

} // namespace triaxis::ui
