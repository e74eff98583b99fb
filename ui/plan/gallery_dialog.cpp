#include "ui/plan/gallery_dialog.h"

#include "engine/core/error.h"
#include "engine/formats/plan_file.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/theme/fonts.h"
#include "ui/theme/text_size.h"
#include "ui/theme/theme.h"
#include "ui/widgets/dialog_size.h"
#include "ui/widgets/panel.h"

#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <memory>

namespace triaxis::ui
{
namespace
{

constexpr int mostColumns = 16;
constexpr int mostRows = 8;
constexpr int largestCell = 26;

constexpr int nameRole = Qt::UserRole;
constexpr int aboutRole = Qt::UserRole + 1;
constexpr int factsRole = Qt::UserRole + 2;
constexpr int planRole = Qt::UserRole + 3;

/// Columns of a picture of few ranks: twice as wide as high at least, and all rows full.
int columnsOf(int ranks)
{
    int columns = std::clamp(int(std::ceil(std::sqrt(double(ranks) * 2))), 1, mostColumns);
    for (int wider = columns; wider <= std::min(ranks, mostColumns); ++wider)
        if (ranks % wider == 0)
            return wider;
    return columns;
}

/// Ranks as squares in the colours of their stages; of large floors every so many ranks one.
void paintFloor(QPainter& painter, const QRectF& box, const Layout& layout)
{
    const Theme& theme = themeOf(QGuiApplication::palette());
    const int ranks = layout.ranks();
    const int columns = columnsOf(ranks);
    const int rows = std::clamp((ranks + columns - 1) / columns, 1, mostRows);
    const double cell =
        std::min({box.width() / columns, box.height() / rows, double(scaled(largestCell))});
    const double left = box.left() + (box.width() - cell * columns) / 2;
    const double top = box.top() + (box.height() - cell * rows) / 2;
    const double each = double(ranks) / std::min(ranks, columns * rows);
    painter.setPen(Qt::NoPen);
    for (int i = 0; i < std::min(ranks, columns * rows); ++i) {
        const Coordinates at = coordinatesOf(layout, Rank(std::min(ranks - 1, int(i * each))));
        painter.setBrush(theme.stage(at.pipeline));
        painter.drawRoundedRect(QRectF(left + i % columns * cell + 0.5,
                                       top + i / columns * cell + 0.5, cell - 1.5, cell - 1.5),
                                1.5, 1.5);
    }
}

class ExampleDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override
    {
        return {scaled(420), scaled(84)};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const Theme& theme = themeOf(QGuiApplication::palette());
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const QRectF box = QRectF(option.rect).adjusted(1, 2, -1, -2);
        const bool selected = option.state & QStyle::State_Selected;
        painter->setPen(QPen(selected ? theme.accent : theme.line, 1));
        painter->setBrush(selected ? theme.accentSoft : theme.raised);
        painter->drawRoundedRect(box, 6, 6);
        const QRectF picture(box.left() + 12, box.top() + 10, scaled(110), box.height() - 20);
        paintFloor(*painter, picture, *index.data(planRole).value<std::shared_ptr<Layout>>());
        const double left = picture.right() + 16;
        const double width = box.right() - left - 12;
        const auto line = [&](FontRole role, const QColor& colour, double top, double height,
                              const QString& text, int flags) {
            painter->setFont(fontOf(role));
            painter->setPen(colour);
            painter->drawText(QRectF(left, box.top() + scaled(top), width, scaled(height)), flags,
                              text);
        };
        line(FontRole::SmallBold, theme.text, 8, 18, index.data().toString(),
             Qt::AlignLeft | Qt::AlignVCenter);
        line(FontRole::Small, theme.muted, 26, 16, index.data(factsRole).toString(),
             Qt::AlignLeft | Qt::AlignVCenter);
        line(FontRole::Small, theme.text, 43, 34, index.data(aboutRole).toString(),
             Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap);
        painter->restore();
    }
};

QString factsOf(const DrawnPlan& plan)
{
    const Layout& layout = plan.run.layout;
    QString text = QStringLiteral("%1 · %2 × %3 × %4")
                       .arg(toQString(plan.trainable ? plan.run.model.name : plan.shape.name))
                       .arg(layout.dp)
                       .arg(layout.tp)
                       .arg(layout.pp);
    if (plan.cluster.thisMachine)
        return text + Words::tr(" · this machine");
    return text +
           Words::tr(" · %1 on %2")
               .arg(wholeNumber(drawnLayout(plan).ranks()), spoken(plan.cluster.network.title));
}

} // namespace

GalleryDialog::GalleryDialog(QWidget* parent) : QDialog(parent), m_list(new QListWidget)
{
    setObjectName(QStringLiteral("gallery"));
    setWindowTitle(tr("Examples"));
    m_list->setObjectName(QStringLiteral("examples"));
    m_list->setAccessibleName(tr("Examples"));
    m_list->setItemDelegate(new ExampleDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->viewport()->setAutoFillBackground(false);
    for (const ExamplePlan& example : examplePlans()) {
        const PlanFile file = parsePlanFile(example.text, example.name);
        auto* item = new QListWidgetItem(spoken(file.title), m_list);
        item->setData(nameRole, toQString(example.name));
        item->setData(aboutRole, spoken(file.about));
        item->setData(factsRole, factsOf(file.plan));
        item->setData(planRole,
                      QVariant::fromValue(std::make_shared<Layout>(drawnLayout(file.plan))));
        item->setData(Qt::AccessibleDescriptionRole, spoken(file.about));
    }
    m_list->setCurrentRow(0);
    auto* panel = new Panel(tr("Begin with a plan"));
    panel->setHint(tr("it opens as a copy; save it under a name of your own"));
    panel->setContent(m_list);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Open)->setProperty("look", "primary");
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_list, &QListWidget::itemActivated, this, &QDialog::accept);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 14);
    layout->setSpacing(12);
    layout->addWidget(panel, 1);
    layout->addWidget(buttons);
    resizeWithinScreen(*this, {760, 720});
}

std::string GalleryDialog::chosen() const
{
    const QListWidgetItem* item = m_list->currentItem();
    return item == nullptr ? std::string() : item->data(nameRole).toString().toStdString();
}

} // namespace triaxis::ui
