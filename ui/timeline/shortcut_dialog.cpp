#include "ui/timeline/shortcut_dialog.h"

#include "ui/theme/fonts.h"
#include "ui/timeline/key_commands.h"
#include "ui/base/words.h"
#include "ui/widgets/dialog_size.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace triaxis::ui
{
namespace
{

constexpr int idRole = Qt::UserRole;

} // namespace

ShortcutDialog::ShortcutDialog(QWidget* parent)
    : QDialog(parent), m_list(new QTreeWidget), m_edit(new QKeySequenceEdit), m_message(new QLabel),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel |
                                     QDialogButtonBox::RestoreDefaults))
{
    setObjectName(QStringLiteral("shortcutDialog"));
    setWindowTitle(tr("Keyboard shortcuts"));
    for (const KeyCommand& command : keyCommands())
        m_chosen.insert(QLatin1String(command.id), keysOf(QLatin1String(command.id)));

    m_list->setObjectName(QStringLiteral("shortcutList"));
    m_list->setAccessibleName(tr("Commands and their keys"));
    m_list->setColumnCount(2);
    m_list->setHeaderLabels({tr("Command"), tr("Keys")});
    m_list->setRootIsDecorated(false);
    m_list->header()->setStretchLastSection(true);
    m_edit->setObjectName(QStringLiteral("shortcutEdit"));
    m_edit->setAccessibleName(tr("New key for the selected command"));
    auto* add = new QPushButton(tr("Add key"));
    add->setObjectName(QStringLiteral("addKey"));
    auto* clear = new QPushButton(tr("Remove its keys"));
    clear->setObjectName(QStringLiteral("clearKeys"));
    auto* own = new QPushButton(tr("Its own keys"));
    own->setObjectName(QStringLiteral("ownKeys"));
    m_message->setWordWrap(true);
    m_message->setObjectName(QStringLiteral("shortcutConflict"));

    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(m_edit, 1);
    line->addWidget(add);
    line->addWidget(clear);
    line->addWidget(own);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 14);
    layout->setSpacing(10);
    layout->addWidget(m_list, 1);
    layout->addLayout(line);
    layout->addWidget(m_message);
    layout->addWidget(m_buttons);
    resizeWithinScreen(*this, {560, 560});

    connect(m_list, &QTreeWidget::currentItemChanged, this, &ShortcutDialog::select);
    connect(add, &QPushButton::clicked, this, &ShortcutDialog::addPressed);
    connect(clear, &QPushButton::clicked, this, [this] { choose(currentId(), {}); });
    connect(own, &QPushButton::clicked, this, [this] {
        if (const KeyCommand* command = keyCommand(currentId()))
            choose(currentId(), command->keys);
    });
    connect(m_buttons, &QDialogButtonBox::accepted, this, &ShortcutDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &ShortcutDialog::reject);
    connect(m_buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this,
            [this] {
                for (const KeyCommand& command : keyCommands())
                    m_chosen.insert(QLatin1String(command.id), command.keys);
                refresh();
            });
    fill();
    refresh();
}

void ShortcutDialog::fill()
{
    QTreeWidgetItem* section = nullptr;
    for (const KeyCommand& command : keyCommands()) {
        if (!section || section->text(0) != Words::tr(command.section)) {
            section = new QTreeWidgetItem(m_list, {Words::tr(command.section)});
            section->setFlags(Qt::ItemIsEnabled);
            section->setFont(0, fontOf(FontRole::BodyBold));
        }
        auto* item = new QTreeWidgetItem(section, {Words::tr(command.text)});
        item->setData(0, idRole, QLatin1String(command.id));
    }
    m_list->expandAll();
    m_list->resizeColumnToContents(0);
    m_list->setCurrentItem(m_list->topLevelItem(0)->child(0));
}

QString ShortcutDialog::currentId() const
{
    const QTreeWidgetItem* item = m_list->currentItem();
    return item ? item->data(0, idRole).toString() : QString();
}

void ShortcutDialog::select()
{
    m_edit->clear();
    m_edit->setEnabled(!currentId().isEmpty());
}

void ShortcutDialog::addPressed()
{
    const QKeySequence pressed = m_edit->keySequence();
    if (pressed.isEmpty() || currentId().isEmpty())
        return;
    QList<QKeySequence> keys = m_chosen.value(currentId());
    // One stroke: several in a row would take the time of the first alone.
    const QKeySequence stroke(pressed[0]);
    if (!keys.contains(stroke))
        keys << stroke;
    choose(currentId(), keys);
    m_edit->clear();
}

void ShortcutDialog::choose(const QString& id, const QList<QKeySequence>& keys)
{
    if (!m_chosen.contains(id))
        return;
    m_chosen.insert(id, keys);
    refresh();
}

QString ShortcutDialog::conflict() const
{
    QMultiHash<QString, const KeyCommand*> taken;
    for (const KeyCommand& command : keyCommands()) {
        for (const QKeySequence& key : m_chosen.value(QLatin1String(command.id))) {
            const QString name = key.toString(QKeySequence::PortableText);
            for (const KeyCommand* other : taken.values(name))
                if (meet(*other, command))
                    return tr("%1 belongs to “%2” and to “%3”. Take it from one of them.")
                        .arg(key.toString(QKeySequence::NativeText), Words::tr(other->text),
                             Words::tr(command.text));
            taken.insert(name, &command);
        }
    }
    return {};
}

void ShortcutDialog::refresh()
{
    for (int s = 0; s < m_list->topLevelItemCount(); ++s) {
        QTreeWidgetItem* section = m_list->topLevelItem(s);
        for (int i = 0; i < section->childCount(); ++i) {
            QTreeWidgetItem* item = section->child(i);
            item->setText(1, keysText(m_chosen.value(item->data(0, idRole).toString())));
        }
    }
    const QString problem = conflict();
    m_message->setText(problem.isEmpty()
                           ? tr("Select a command, press a key in the field, then “Add key”.")
                           : problem);
    m_message->setProperty("role", problem.isEmpty() ? "muted" : "problem");
    m_message->style()->unpolish(m_message);
    m_message->style()->polish(m_message);
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(problem.isEmpty());
}

void ShortcutDialog::accept()
{
    if (!conflict().isEmpty())
        return;
    for (const KeyCommand& command : keyCommands())
        setKeysOf(QLatin1String(command.id), m_chosen.value(QLatin1String(command.id)));
    QDialog::accept();
}

} // namespace triaxis::ui
