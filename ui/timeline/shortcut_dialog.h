#pragma once

#include <QDialog>
#include <QHash>
#include <QKeySequence>
#include <QList>

class QDialogButtonBox;
class QKeySequenceEdit;
class QLabel;
class QTreeWidget;

namespace triaxis::ui
{

/// The keys of every command, to be changed. A key that belongs to another command already is told of and cannot be kept
/// until one of the two lets go of it.
class ShortcutDialog : public QDialog
{
    Q_OBJECT
public:
    explicit ShortcutDialog(QWidget* parent = nullptr);

    void accept() override;
    /// Keys of a command as chosen here.
    QList<QKeySequence> chosen(const QString& id) const { return m_chosen.value(id); }
    void choose(const QString& id, const QList<QKeySequence>& keys);
    /// "W belongs to Zoom in and Earlier"; empty: no two commands share a key.
    QString conflict() const;

private:
    void fill();
    void refresh();
    void select();
    void addPressed();
    QString currentId() const;

    QHash<QString, QList<QKeySequence>> m_chosen;
    QTreeWidget* m_list;
    QKeySequenceEdit* m_edit;
    QLabel* m_message;
    QDialogButtonBox* m_buttons;
};

} // namespace triaxis::ui
