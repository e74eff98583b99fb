#pragma once

#include <QDialog>

#include <vector>

class QLabel;
class QLineEdit;
class QScrollArea;

namespace triaxis::ui
{

/// Every number that is shown, with its definition, formula and unit, as reports define it; a word
/// narrows the list.
class GlossaryDialog : public QDialog
{
    Q_OBJECT
public:
    explicit GlossaryDialog(QWidget* parent = nullptr);

    void setSearch(const QString& words);
    /// Scrolls to an entry of engine/formats/glossary.h.
    void showEntry(const QString& id);
    /// Ids of the entries that the search leaves.
    QStringList shownEntries() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Entry
    {
        QString id;
        QString text; ///< that is searched, in lower case
        QWidget* card = nullptr;
    };
    void build();
    void refresh();

    std::vector<Entry> m_entries;
    QLineEdit* m_search;
    QLabel* m_count;
    QLabel* m_none;
    QScrollArea* m_scroll;
};

} // namespace triaxis::ui
