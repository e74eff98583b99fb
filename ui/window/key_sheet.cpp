#include "ui/window/key_sheet.h"

#include "ui/theme/fonts.h"
#include "ui/timeline/key_commands.h"
#include "ui/timeline/shortcut_dialog.h"
#include "ui/widgets/panel.h"

#include <QDialogButtonBox>
#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <vector>

namespace triaxis::ui
{
namespace
{

struct Key
{
    QString keys;
    QString action;
};

struct Section
{
    QString title;
    std::vector<Key> keys;
};

Key fixedKey(const char* keys, const char* action)
{
    return {QString::fromUtf8(keys), QString::fromUtf8(action)};
}

/// Keys that belong to a widget and cannot be changed.
std::vector<Section> fixedSections()
{
    return {
        {QStringLiteral("Runs"),
         {fixedKey("Alt+1 … Alt+5", "figures beside a run; Alt+0: in a window of their own"),
          fixedKey("Ctrl+Shift+R", "restart a run with a change"), fixedKey("?", "this sheet")}},
        {QStringLiteral("Plan: drawing"),
         {fixedKey("+ and −, arrows, digits", "size of the focused axis"),
          fixedKey("Page up, Page down", "double or halve it"),
          fixedKey("Return on an axis", "take the mend that it offers"),
          fixedKey("arrows on the floor", "select a rank; Escape clears"),
          fixedKey("+ and −, arrows with a brush", "draw: the next size of its axis"),
          fixedKey("Return, arrows, Return", "swap two ranks, with the brush for it"),
          fixedKey("wheel, + and −; Space and drag", "zoom and pan the floor"),
          fixedKey("Left, Right on the layer bar", "choose a divider; with Shift move it")}},
        {QStringLiteral("Timeline: mouse"),
         {fixedKey("wheel, Shift+wheel", "zoom at the pointer, pan"),
          fixedKey("middle button", "pan"), fixedKey("drag", "mark and measure a range"),
          fixedKey("drag on the time axis", "look at a moment"),
          fixedKey("click a group's name", "collapse or open it"),
          fixedKey("right button", "menu of the lane"),
          fixedKey("drag the edge of the names", "their width")}},
        {QStringLiteral("History"),
         {fixedKey("/", "search"), fixedKey("Return", "open the selected run"),
          fixedKey("Escape", "back to all runs")}},
    };
}

/// Those of the commands, as they are now.
std::vector<Section> commandSections()
{
    std::vector<Section> made;
    for (const KeyCommand& command : keyCommands()) {
        const QString title = QString::fromUtf8(command.section);
        if (made.empty() || made.back().title != title)
            made.push_back({title, {}});
        const QString keys = keysText(keysOf(QLatin1String(command.id)));
        made.back().keys.push_back(
            {keys.isEmpty() ? QStringLiteral("–") : keys, QString::fromUtf8(command.text)});
    }
    return made;
}

QWidget* buildSection(const Section& section)
{
    auto* panel = new Panel(section.title);
    auto* content = new QWidget;
    auto* grid = new QGridLayout(content);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(20);
    grid->setVerticalSpacing(5);
    grid->setColumnStretch(1, 1);
    int row = 0;
    for (const Key& key : section.keys) {
        auto* keys = new QLabel(key.keys);
        auto* action = new QLabel(key.action);
        action->setProperty("role", "muted");
        grid->addWidget(keys, row, 0);
        grid->addWidget(action, row, 1);
        ++row;
    }
    grid->setRowStretch(row, 1);
    panel->setContent(content);
    return panel;
}

} // namespace

KeySheet::KeySheet(QWidget* parent)
    : QDialog(parent), m_scroll(new QScrollArea),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Close))
{
    setObjectName(QStringLiteral("keySheet"));
    setWindowTitle(QStringLiteral("Keyboard"));
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* change =
        m_buttons->addButton(QStringLiteral("Change shortcuts…"), QDialogButtonBox::ActionRole);
    change->setObjectName(QStringLiteral("changeShortcuts"));
    connect(change, &QPushButton::clicked, this, &KeySheet::changeKeys);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 14);
    layout->setSpacing(12);
    layout->addWidget(m_scroll, 1);
    layout->addWidget(m_buttons);
    fill();
    resize(scaled(880), scaled(640));
}

void KeySheet::fill()
{
    auto* content = new QWidget;
    auto* columns = new QHBoxLayout(content);
    columns->setContentsMargins(0, 0, 4, 0);
    columns->setSpacing(12);
    auto* left = new QVBoxLayout;
    auto* right = new QVBoxLayout;
    for (QVBoxLayout* column : {left, right}) {
        column->setSpacing(12);
        columns->addLayout(column, 1);
    }
    std::vector<Section> sections = commandSections();
    for (Section& section : fixedSections())
        sections.push_back(std::move(section));
    // Each to the shorter column, a heading counting as two lines.
    std::size_t onLeft = 0;
    std::size_t onRight = 0;
    for (const Section& section : sections) {
        const bool goesLeft = onLeft <= onRight;
        (goesLeft ? left : right)->addWidget(buildSection(section));
        (goesLeft ? onLeft : onRight) += section.keys.size() + 2;
    }
    left->addStretch(1);
    right->addStretch(1);
    m_scroll->setWidget(content);
}

void KeySheet::changeKeys()
{
    ShortcutDialog dialog(this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    if (parentWidget())
        refreshKeys(parentWidget()->window());
    fill();
}

} // namespace triaxis::ui
