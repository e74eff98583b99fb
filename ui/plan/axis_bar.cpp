#include "ui/plan/axis_bar.h"

#include "ui/base/text.h"
#include "ui/base/language.h"
#include "ui/base/words.h"
#include "ui/commands/set_axis_size.h"
#include "ui/commands/set_rank_order.h"
#include "ui/plan/axis_name.h"
#include "ui/plan/plan_document.h"
#include "ui/theme/fonts.h"
#include "ui/theme/text_size.h"
#include "ui/widgets/axis_chip.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

QString orderText(const RankOrder& order)
{
    QStringList names;
    for (const Axis axis : order)
        names << axisName(axis);
    return names.join(QStringLiteral(" → "));
}

std::vector<RankOrder> allOrders()
{
    std::vector<RankOrder> orders{megatronOrder};
    RankOrder order{Axis::Data, Axis::Tensor, Axis::Pipeline};
    do {
        if (order != megatronOrder)
            orders.push_back(order);
    } while (std::next_permutation(order.begin(), order.end()));
    return orders;
}

/// A chip says which axis it is by itself, and has little room.
QString shortened(std::string advice)
{
    static constexpr std::string_view begin = "use a ";
    static constexpr std::string_view end = "-parallel size of ";
    const std::size_t at = advice.find(end);
    if (advice.starts_with(begin) && at != std::string::npos)
        advice = "use " + advice.substr(at + end.size());
    return spoken(advice);
}

/// The order has no line of its own for what is wrong with it.
void showAt(QComboBox* box, const PlanFinding* finding)
{
    const bool wrong = finding != nullptr;
    const QString text = wrong ? adviceOf(finding->finding) : QString();
    if (box->property("problem").toBool() == wrong && box->accessibleDescription() == text)
        return;
    box->setProperty("problem", wrong);
    box->setAccessibleDescription(text);
    box->setToolTip(wrong ? text
                          : Words::tr("The order in which ranks run through the axes, "
                                      "fastest first"));
    box->style()->unpolish(box);
    box->style()->polish(box);
}

} // namespace

AxisBar::AxisBar(PlanDocument& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_order(new QComboBox)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    addChip(Axis::Data, "layout.dp", row);
    addChip(Axis::Tensor, "layout.tp", row);
    addChip(Axis::Pipeline, "layout.pp", row);
    QBoxLayout* order = buildOrder();
    m_whole = new QBoxLayout(QBoxLayout::LeftToRight, this);
    m_whole->setContentsMargins(0, 0, 0, 0);
    m_whole->addLayout(row, 1);
    m_whole->addLayout(order);
    m_orderRow = order;
    followTextSize(this, [this] { arrange(); });
    connect(&m_document, &PlanDocument::changed, this, &AxisBar::refresh);
    refresh();
}

/// A large text, or a narrow window, leaves no room for the order beside the chips.
void AxisBar::arrange()
{
    const int chips = 3 * m_chips[0]->minimumSizeHint().width() + 2 * 12 + 12;
    const bool below = fontScale() > 1.2 || width() < chips + m_order->sizeHint().width();
    const auto direction = below ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
    if (m_whole->direction() == direction && m_arranged)
        return;
    m_arranged = true;
    m_whole->setDirection(direction);
    m_whole->setSpacing(below ? 6 : 12);
    m_orderRow->setDirection(below ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_orderRow->setSpacing(below ? 8 : 1);
}

void AxisBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void AxisBar::addChip(Axis axis, const char* name, QBoxLayout* row)
{
    auto* chip = new AxisChip(axis);
    chip->setObjectName(QLatin1String(name));
    m_chips[std::size_t(axis)] = chip;
    row->addWidget(chip, 1);
    connect(chip, &AxisChip::valueRequested, this, [this, axis](int size) {
        m_document.apply(std::make_unique<SetAxisSize>(m_document, axis, size));
    });
}

QBoxLayout* AxisBar::buildOrder()
{
    m_order->setObjectName(QStringLiteral("layout.order"));
    m_order->setSizeAdjustPolicy(QComboBox::AdjustToContents); // also when the text size changes
    m_order->setAccessibleName(tr("Rank order, fastest axis first"));
    m_order->setToolTip(tr("The order in which ranks run through the axes, fastest first"));
    for (const RankOrder& order : allOrders())
        m_order->addItem(orderText(order), toQString(toText(order)));
    connect(m_order, &QComboBox::activated, this, [this](int index) {
        const RankOrder order = parseRankOrder(m_order->itemData(index).toString().toStdString());
        m_document.apply(std::make_unique<SetRankOrder>(m_document, order));
    });
    auto* title = new QLabel(tr("Rank order"));
    title->setProperty("role", "small");
    auto* order = new QBoxLayout(QBoxLayout::TopToBottom);
    order->addWidget(title);
    order->addWidget(m_order, 1);
    return order;
}

void AxisBar::refresh()
{
    const Layout& layout = m_document.plan().layout;
    m_chips[std::size_t(Axis::Data)]->setValue(layout.dp);
    m_chips[std::size_t(Axis::Tensor)]->setValue(layout.tp);
    m_chips[std::size_t(Axis::Pipeline)]->setValue(layout.pp);
    m_order->setCurrentIndex(m_order->findData(toQString(toText(layout.order))));
}

void AxisBar::showFinding(AxisChip* chip, const PlanFinding* finding)
{
    const bool wrong = finding != nullptr && finding->finding.severity == Severity::Error;
    chip->setProblem(wrong ? shortened(adviceText(finding->finding)) : QString());
    chip->setNote(finding != nullptr && !wrong ? adviceOf(finding->finding) : QString());
    const bool mendable = finding != nullptr && !finding->mends.empty();
    chip->setMend(mendable ? finding->mends.front().change : QString());
    if (mendable)
        chip->setProperty("mend", QVariant::fromValue(finding->mends.front()));
}

void AxisBar::addPlaces(FindingPlaces& places)
{
    for (AxisChip* chip : m_chips) {
        places.insert(chip->objectName(), {chip, [this, chip](const PlanFinding* finding) {
                                               showFinding(chip, finding);
                                           }});
        connect(chip, &AxisChip::mendRequested, this,
                [this, chip] { emit mendRequested(chip->property("mend").value<DrawnMend>()); });
    }
    places.insert(m_order->objectName(),
                  {m_order, [this](const PlanFinding* finding) { showAt(m_order, finding); }});
}

} // namespace triaxis::ui
