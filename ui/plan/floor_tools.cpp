#include "ui/plan/floor_tools.h"

#include "ui/base/words.h"
#include "ui/timeline/key_commands.h"
#include "ui/widgets/follow_action.h"
#include "ui/widgets/icon_button.h"
#include "ui/base/language.h"

#include <QAction>
#include <QActionGroup>
#include <QGridLayout>

namespace triaxis::ui
{
namespace
{

constexpr int gap = 8; ///< pixels between the brushes and the views

} // namespace

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
        return Words::tr("Drag across %1s to make a tensor group, or use + and −").arg(spoken(deviceNoun));
    case FloorBrush::Pipeline:
        return Words::tr("Drag along groups to chain them as stages, or use + and −");
    case FloorBrush::Data:
        return Words::tr("Drag over copies of the model to stamp replicas, or use + and −");
    case FloorBrush::Swap:
        return Words::tr("Drag one rank onto another, or Enter, arrows, Enter");
    case FloorBrush::Select:
        break;
    }
    return {};
}

FloorTools::FloorTools(QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this))
{
    setObjectName(QStringLiteral("floorTools"));
    setAccessibleName(tr("Brushes of the floor"));
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(1);
    addBrushes();
    m_zoomIn = add("floor.zoomIn", "zoom-in", {});
    m_zoomOut = add("floor.zoomOut", "zoom-out", {});
    m_fit = add("floor.fit", "fit", {});
    m_fold = add("floor.fold", "fold", {});
    m_fold->setCheckable(true);
    m_fitSelection = makeCommand(QStringLiteral("floor.fitSelection"), this);
    m_fitSelection->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    arrange(10000);
}

void FloorTools::addBrushes()
{
    struct Described
    {
        const char* id;
        const char* icon;
        const char* label;
    };
    const std::array<Described, 5> brushes{
        {{"floor.select", "brush-select", QT_TRANSLATE_NOOP("Words", "Select")},
         {"floor.tensor", "brush-tensor", QT_TRANSLATE_NOOP("Words", "Tensor")},
         {"floor.pipeline", "brush-pipeline", QT_TRANSLATE_NOOP("Words", "Pipeline")},
         {"floor.data", "brush-data", QT_TRANSLATE_NOOP("Words", "Data")},
         {"floor.swap", "brush-swap", QT_TRANSLATE_NOOP("Words", "Swap")}}};
    auto* group = new QActionGroup(this);
    for (const FloorBrush brush : floorBrushes) {
        const Described& one = brushes[std::size_t(brush)];
        QAction* action = add(one.id, one.icon, Words::tr(one.label));
        action->setCheckable(true);
        group->addAction(action);
        m_brushes[std::size_t(brush)] = action;
        connect(action, &QAction::triggered, this, &FloorTools::brushTaken);
        connect(action, &QAction::toggled, this, [this, brush](bool on) {
            if (!on || brush == m_brush)
                return;
            m_brush = brush;
            emit brushChanged(brush);
        });
    }
    action(FloorBrush::Select)->setChecked(true);
}

/// `label` empty: the icon alone.
QAction* FloorTools::add(const char* id, const char* icon, const QString& label)
{
    QAction* action = makeCommand(QLatin1String(id), this);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setToolTip(
        QStringLiteral("%1 (%2)").arg(action->text(), keysText(action->shortcuts())));
    auto* button = new IconButton(QLatin1String(icon), {}, this);
    followAction(button, action);
    button->setObjectName(action->objectName() + QStringLiteral(".button"));
    button->setText(label);
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
    const int brushes = int(m_brushes.size());
    const int pairs = (int(m_buttons.size()) - brushes + 1) / 2;
    const int button = m_buttons.back()->sizeHint().height() + m_grid->spacing();
    m_isLabelled = button * (brushes + pairs) + gap <= height;
    for (int i = 0; i < m_buttons.size(); ++i) {
        QToolButton* one = m_buttons[i];
        m_grid->removeWidget(one);
        const bool brush = i < brushes;
        one->setToolButtonStyle(brush && m_isLabelled ? Qt::ToolButtonTextBesideIcon
                                                      : Qt::ToolButtonIconOnly);
        one->setSizePolicy(brush ? QSizePolicy::Expanding : QSizePolicy::Fixed, QSizePolicy::Fixed);
        const int rest = i - brushes;
        if (m_isLabelled && brush)
            m_grid->addWidget(one, i, 0, 1, 2);
        else if (m_isLabelled)
            m_grid->addWidget(one, brushes + 1 + rest / 2, rest % 2, Qt::AlignLeft);
        else
            m_grid->addWidget(one, i % brushes, i / brushes);
    }
    m_grid->setRowMinimumHeight(brushes, m_isLabelled ? gap : 0);
    for (int row = 0; row < 12; ++row)
        m_grid->setRowStretch(row, row == 11 ? 1 : 0);
    adjustSize();
}

} // namespace triaxis::ui
