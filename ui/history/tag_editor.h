#pragma once

#include <QStringList>
#include <QWidget>

class QLineEdit;
class QStringListModel;

namespace triaxis::ui
{

class FlowLayout;

/// Tags as chips that take themselves away, and a field that adds one: Return or a comma. Backspace
/// in the empty field takes the last one away.
class TagEditor : public QWidget
{
    Q_OBJECT
public:
    explicit TagEditor(QWidget* parent = nullptr);

    /// `partly`: tags that only some of the runs have, shown as such.
    void setTags(const QStringList& tags, const QStringList& partly = {});
    /// What the field offers.
    void setKnown(const QStringList& tags);
    void setReadOnly(bool readOnly);
    void focusField();

signals:
    void added(const QString& tag);
    void removed(const QString& tag);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void takeField();
    void addChip(const QString& tag, bool partly);

    QStringList m_tags, m_partly;
    bool m_readOnly = false;
    FlowLayout* m_flow;
    QLineEdit* m_field;
    QStringListModel* m_known;
};

} // namespace triaxis::ui
