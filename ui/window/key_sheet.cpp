#include "ui/window/key_sheet.h"

#include "ui/theme/fonts.h"
#include "ui/timeline/key_commands.h"
#include "ui/timeline/shortcut_dialog.h"
#include "ui/widgets/dialog_size.h"
#include "ui/widgets/panel.h"
#include "ui/base/words.h"

#include <QDialogButtonBox>
#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace triaxis::ui
{
namespace
{

constexpr int titleLines = 3; ///< what the frame of a section takes, in lines

QWidget* buildSection(const KeySection& section)
{
    auto* panel = new Panel(Words::tr(qUtf8Printable(section.title)));
    auto* content = new QWidget;
    auto* grid = new QGridLayout(content);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(20);
    grid->setVerticalSpacing(5);
    grid->setColumnStretch(0, 2);
    grid->setColumnStretch(1, 3);
    int row = 0;
    for (const KeyLine& line : section.lines) {
        auto* keys = new QLabel(line.keys);
        auto* text = new QLabel(line.text);
        keys->setWordWrap(true);
        text->setWordWrap(true);
        text->setProperty("role", "muted");
        grid->addWidget(keys, row, 0, Qt::AlignTop);
        grid->addWidget(text, row, 1, Qt::AlignTop);
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
    setWindowTitle(tr("Keyboard"));
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* change = m_buttons->addButton(tr("Change shortcuts…"), QDialogButtonBox::ActionRole);
    change->setObjectName(QStringLiteral("changeShortcuts"));
    connect(change, &QPushButton::clicked, this, &KeySheet::changeKeys);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 14);
    layout->setSpacing(12);
    layout->addWidget(m_scroll, 1);
    layout->addWidget(m_buttons);
    fill();
    resizeWithinScreen(*this, {880, 640});
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
    if (parentWidget())
        m_sections = keySections(*parentWidget()->window());
    std::size_t all = 0;
    for (const KeySection& section : m_sections)
        all += section.lines.size() + titleLines;
    std::size_t placed = 0;
    for (const KeySection& section : m_sections) {
        (placed * 2 < all ? left : right)->addWidget(buildSection(section));
        placed += section.lines.size() + titleLines;
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
