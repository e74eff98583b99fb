#pragma once

#include "storage/run_summary.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QToolButton;

namespace triaxis::ui
{

class ElidedLabel;
class TagEditor;

/// What a person notes with the selected runs, and the facts of one that no column shows. What is
/// typed is kept by itself: after a moment, and when another run is selected.
class RunDetails : public QWidget
{
    Q_OBJECT
public:
    explicit RunDetails(QWidget* parent = nullptr);

    /// The selected runs as they are stored now. What is being typed stays.
    void setRuns(const std::vector<RunSummary>& runs);
    void setKnownTags(const QStringList& tags);
    /// Keeps what was typed, now.
    void flush();
    /// What was to be kept could not be: what is stored counts again.
    void forgetSent();
    void focusLabel();
    void focusTags();
    void focusNote();

signals:
    void labelEdited(const QString& id, const QString& label);
    void noteEdited(const QString& id, const QString& note);
    void tagAdded(const QStringList& ids, const QString& tag);
    void tagRemoved(const QStringList& ids, const QString& tag);
    void starEdited(const QStringList& ids, bool starred);
    /// Escape: back to the table.
    void leaveRequested();

protected:
    bool eventFilter(QObject* object, QEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* buildNames();
    QWidget* buildNote();
    QWidget* buildFacts();
    void showOne(const RunSummary& run);
    void showSeveral();
    void showFacts();
    void showTags();
    void refreshStar();
    QStringList ids() const;

    std::vector<RunSummary> m_runs;
    QString m_shown;         ///< id of the run whose label and note stand in the fields
    QString m_label, m_note; ///< as they are stored
    std::optional<QString> m_sentLabel, m_sentNote; ///< on their way there
    QTimer m_save;
    QLabel* m_title;
    QToolButton* m_star;
    QLineEdit* m_labelField;
    TagEditor* m_tags;
    QPlainTextEdit* m_noteField;
    ElidedLabel* m_facts[5];
    QLabel* m_factNames[5];
};

} // namespace triaxis::ui
