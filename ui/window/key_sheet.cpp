#include "ui/window/key_sheet.h"

#include "ui/widgets/panel.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <vector>

namespace triaxis::ui
{
namespace
{

struct Key
{
    const char* keys;
    const char* action;
};

struct Section
{
    const char* title;
    std::vector<Key> keys;
};

std::vector<Section> sections()
{
    return {
        {"Window",
         {{"Ctrl+1, 2, 3", "Plan, Run, History"},
          {"Ctrl+Return", "run the plan"},
          {"Ctrl+Z, Ctrl+Shift+Z", "undo, redo a change of the plan"},
          {"Alt+1 … Alt+5", "figures beside a run; Alt+0: in a window of their own"},
          {"Ctrl+Shift+R", "restart a run with a change"},
          {"Ctrl+Q", "close the window; runs go on"},
          {"?", "this sheet"}}},
        {"Plan",
         {{"+ and −, arrows, digits", "size of the focused axis"},
          {"Page up, Page down", "double or halve it"},
          {"arrows on the floor", "select a rank; Escape clears"},
          {"Left, Right on the layer bar", "choose a divider; with Shift move it"}}},
        {"Timeline",
         {{"W, S or wheel", "zoom in, out at the cursor"},
          {"A, D or Shift+wheel", "pan; also with the middle button"},
          {"drag", "measure a range"},
          {"F", "zoom to the measured range"},
          {"Home", "show all steps"},
          {"L", "follow the latest step"},
          {". and ,", "next, previous span of the lane"},
          {"Up, Down", "other lane"},
          {"Ctrl+U, Ctrl+R", "zoom back, forward again"},
          {"Escape", "clear marks"}}},
        {"History",
         {{"/", "search"}, {"Return", "open the selected run"}, {"Escape", "back to all runs"}}},
    };
}

QWidget* buildSection(const Section& section)
{
    auto* panel = new Panel(QString::fromUtf8(section.title));
    auto* content = new QWidget;
    auto* grid = new QGridLayout(content);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(20);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    int row = 0;
    for (const Key& key : section.keys) {
        auto* keys = new QLabel(QString::fromUtf8(key.keys));
        auto* action = new QLabel(QString::fromUtf8(key.action));
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

KeySheet::KeySheet(QWidget* parent) : QDialog(parent)
{
    setObjectName(QStringLiteral("keySheet"));
    setWindowTitle(QStringLiteral("Keyboard"));
    auto* grid = new QGridLayout;
    grid->setSpacing(12);
    const auto all = sections();
    grid->addWidget(buildSection(all[0]), 0, 0);
    grid->addWidget(buildSection(all[1]), 1, 0);
    grid->addWidget(buildSection(all[2]), 0, 1);
    grid->addWidget(buildSection(all[3]), 1, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 14);
    layout->setSpacing(12);
    layout->addLayout(grid);
    layout->addWidget(buttons);
}

} // namespace triaxis::ui
