#include "ui/history/tag_editor.h"

#include "ui/history/chip_button.h"
#include "ui/theme/fonts.h"
#include "ui/theme/text_size.h"
#include "ui/widgets/flow_layout.h"

#include <QCompleter>
#include <QKeyEvent>
#include <QLineEdit>
#include <QStringListModel>
#include <QTimer>

namespace triaxis::ui
{

TagEditor::TagEditor(QWidget* parent)
    : QWidget(parent), m_flow(new FlowLayout(6, this)), m_field(new QLineEdit),
      m_known(new QStringListModel(this))
{
    m_field->setObjectName(QStringLiteral("tagField"));
    m_field->setAccessibleName(tr("Add a tag"));
    m_field->setPlaceholderText(tr("Add a tag"));
    m_field->installEventFilter(this);
    setFocusProxy(m_field);
    followTextSize(m_field, [this] { m_field->setFixedWidth(scaled(140)); });
    auto* completer = new QCompleter(m_known, this);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_field->setCompleter(completer);
    m_flow->insertWidget(0, m_field);
    connect(m_field, &QLineEdit::textEdited, this, [this](const QString& text) {
        if (text.endsWith(QLatin1Char(',')))
            takeField();
    });
    connect(completer, qOverload<const QString&>(&QCompleter::activated), this,
            // After the completer has written its text into the field.
            [this] { QTimer::singleShot(0, this, &TagEditor::takeField); });
}

void TagEditor::setTags(const QStringList& tags, const QStringList& partly)
{
    if (tags == m_tags && partly == m_partly)
        return;
    m_tags = tags;
    m_partly = partly;
    while (m_flow->count() > 1) {
        QLayoutItem* item = m_flow->takeAt(0);
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    for (const QString& tag : m_tags)
        addChip(tag, false);
    for (const QString& tag : m_partly)
        addChip(tag, true);
    updateGeometry();
}

void TagEditor::addChip(const QString& tag, bool partly)
{
    QPushButton* chip =
        chipButton(partly ? tr("#%1 (some)").arg(tag) : QLatin1Char('#') + tag,
                   partly ? tr("Take the tag %1 away from those that have it").arg(tag)
                          : tr("Take the tag %1 away").arg(tag));
    chip->setObjectName(QStringLiteral("tagChip"));
    chip->setEnabled(!m_readOnly);
    connect(chip, &QPushButton::clicked, this, [this, tag] {
        m_field->setFocus();
        emit removed(tag);
    });
    m_flow->insertWidget(m_flow->count() - 1, chip);
}

void TagEditor::setKnown(const QStringList& tags)
{
    if (tags != m_known->stringList())
        m_known->setStringList(tags);
}

void TagEditor::setReadOnly(bool readOnly)
{
    m_readOnly = readOnly;
    m_field->setVisible(!readOnly);
    for (int i = 0; i + 1 < m_flow->count(); ++i)
        m_flow->itemAt(i)->widget()->setEnabled(!readOnly);
}

void TagEditor::focusField()
{
    m_field->setFocus(Qt::ShortcutFocusReason);
}

void TagEditor::takeField()
{
    QString tag = m_field->text();
    tag.remove(QLatin1Char(','));
    tag = tag.trimmed();
    while (tag.startsWith(QLatin1Char('#')))
        tag.remove(0, 1);
    m_field->clear();
    if (!tag.isEmpty() && !m_tags.contains(tag))
        emit added(tag);
}

bool TagEditor::eventFilter(QObject* object, QEvent* event)
{
    if (object != m_field || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(object, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        takeField();
        return true;
    }
    if (key == Qt::Key_Backspace && m_field->text().isEmpty() && !m_tags.isEmpty()) {
        emit removed(m_tags.back());
        return true;
    }
    return QWidget::eventFilter(object, event);
}

} // namespace triaxis::ui
