#include "ui/plan/floor_tools.h"

#include "ui/theme/fonts.h"
#include "ui/widgets/icon_button.h"

#include <QAction>
#include <QActionGroup>
#include <QGridLayout>

namespace triaxis::ui
{

std::optional<Axis> axisOf(FloorBrush brush)
{
    switch (brush) {
    case FloorBrush::Tensor:
        return Axis::Tensor;
    case FloorBrush::Pipeline:
        return Axis::Pipeline;
    case FloorBrush::Data:
        return Axis::Data;
    case FloorBrush::Select:
    case FloorBrush::Swap:
        break;
    }
    return std::nullopt;
}

QString hintOf(FloorBrush brush, const QString& deviceNoun)
{
    switch (brush) {
    case FloorBrush::Tensor:
        return QStringLiteral("Drag across %1s to make a tensor group, or use + and −")
            .arg(deviceNoun);
    case FloorBrush::Pipeline:
        return QStringLiteral("Drag along groups to chain them as stages, or use + and −");
    case FloorBrush::Data:
        return QStringLiteral("Drag over copies of the model to stamp replicas, or use + and −");
    case FloorBrush::Swap:
        return QStringLiteral("Drag one rank onto another, or Enter, arrows, Enter");
    case FloorBrush::Select:
        break;
    }
    return {};
}

FloorTools::FloorTools(QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this))
{
    setObjectName(QStringLiteral("floorTools"));
    setAccessibleName(QStringLiteral("Brushes of the floor"));
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(1);
    struct Described
    {
        const char* name;
        const char* text;
        Qt::Key key;
    };
    const std::array<Described, 5> brushes{{{"select", "Select ranks", Qt::Key_V},
                                            {"tensor", "Draw a tensor group", Qt::Key_T},
                                            {"pipeline", "Draw a pipeline", Qt::Key_P},
                                            {"data", "Stamp data replicas", Qt::Key_D},
                                            {"swap", "Swap two ranks", Qt::Key_X}}};
    auto* group = new QActionGroup(this);
    for (const FloorBrush brush : floorBrushes) {
        const Described& one = brushes[std::size_t(brush)];
        const QString name = QString::fromLatin1(one.name);
        QAction* action = add(QStringLiteral("brush.") + name, QString::fromLatin1(one.text),
                              one.key, QStringLiteral("brush-") + name, true);
        group->addAction(action);
        m_brushes[std::size_t(brush)] = action;
        connect(action, &QAction::toggled, this, [this, brush](bool on) {
            if (!on || brush == m_brush)
                return;
            m_brush = brush;
            emit brushChanged(brush);
        });
    }
    action(FloorBrush::Select)->setChecked(true);
    m_zoomIn = add(QStringLiteral("floor.zoomIn"), QStringLiteral("Zoom the floor in"),
                   QKeySequence(QStringLiteral("Ctrl++")), QStringLiteral("zoom-in"), false);
    m_zoomOut = add(QStringLiteral("floor.zoomOut"), QStringLiteral("Zoom the floor out"),
                    QKeySequence(QStringLiteral("Ctrl+-")), QStringLiteral("zoom-out"), false);
    m_fit = add(QStringLiteral("floor.fit"), QStringLiteral("Show the whole floor"), Qt::Key_Home,
                QStringLiteral("fit"), false);
    m_fold = add(QStringLiteral("floor.fold"), QStringLiteral("Fold equal nodes"), Qt::Key_U,
                 QStringLiteral("fold"), true);
    m_fitSelection = new QAction(QStringLiteral("Zoom to the selected rank"), this);
    m_fitSelection->setObjectName(QStringLiteral("floor.fitSelection"));
    m_fitSelection->setShortcut(Qt::Key_F);
    m_fitSelection->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    arrange(10000);
}

QAction* FloorTools::add(const QString& name, const QString& text, const QKeySequence& key,
                         const QString& icon, bool checkable)
{
    auto* action = new QAction(text, this);
    action->setObjectName(name);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setCheckable(checkable);
    auto* button = new IconButton(
        icon, QStringLiteral("%1 (%2)").arg(text, key.toString(QKeySequence::NativeText)), this);
    button->setObjectName(name + QStringLiteral(".button"));
    button->setCheckable(checkable);
    connect(button, &QToolButton::clicked, action, &QAction::trigger);
    connect(action, &QAction::toggled, button, &QToolButton::setChecked);
    // An action of the group stays chosen when its button is pressed again.
    connect(button, &QToolButton::clicked, action,
            [action, button] { button->setChecked(action->isChecked()); });
    m_buttons << button;
    return action;
}

void FloorTools::setBrush(FloorBrush brush)
{
    action(brush)->setChecked(true);
}

QList<QAction*> FloorTools::inOrder() const
{
    QList<QAction*> actions(m_brushes.begin(), m_brushes.end());
    actions << nullptr << m_zoomIn << m_zoomOut << m_fit << m_fitSelection << m_fold;
    return actions;
}

void FloorTools::arrange(int height)
{
    const int button = m_buttons.front()->sizeHint().height() + m_grid->spacing();
    const int columns = button * m_buttons.size() + 8 <= height ? 1 : 2;
    if (columns == m_columns)
        return;
    m_columns = columns;
    const int rows = (int(m_buttons.size()) + columns - 1) / columns;
    for (int i = 0; i < m_buttons.size(); ++i) {
        m_grid->removeWidget(m_buttons[i]);
        m_grid->addWidget(m_buttons[i], i % rows, i / rows);
    }
    for (int row = 0; row < 12; ++row)
        m_grid->setRowStretch(row, row == rows ? 1 : 0);
    adjustSize();
}

} // namespace triaxis::ui
