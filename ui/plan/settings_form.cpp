#include "ui/plan/settings_form.h"

#include "ui/base/text.h"
#include "ui/commands/change_plan.h"
#include "ui/widgets/choice_box.h"

#include <QCheckBox>
#include <QSpinBox>

#include <memory>

namespace triaxis::ui
{

SettingsForm::SettingsForm(PlanDocument& document, QWidget* parent)
    : FormSection(QStringLiteral("On the cluster"), parent), m_document(document)
{
    setObjectName(QStringLiteral("settingsForm"));
    buildChoices();
    buildNumbers();
    connect(&m_document, &PlanDocument::changed, this, &SettingsForm::refresh);
    refresh();
}

void SettingsForm::buildChoices()
{
    m_precision = addChoice(QStringLiteral("settings.precision"), QStringLiteral("Precision"));
    for (const NumberFormat format : {NumberFormat::Bf16, NumberFormat::Fp16, NumberFormat::Fp8,
                                      NumberFormat::Fp4, NumberFormat::Tf32, NumberFormat::Fp32})
        m_precision->addItem(QLatin1String(toText(format)), int(format));
    m_zero = addChoice(QStringLiteral("layout.zero"), QStringLiteral("ZeRO"));
    const char* zeroes[] = {"none", "1: optimizer", "2: and gradients", "3: and weights (FSDP)"};
    for (int stage = 0; stage < 4; ++stage)
        m_zero->addItem(QLatin1String(zeroes[stage]), stage);
    m_zero->setToolTip(QStringLiteral("What the data replicas share instead of each keeping it"));
    m_recompute = addChoice(QStringLiteral("layout.recompute"), QStringLiteral("Recompute"));
    const char* recomputes[] = {"none", "selective", "full"};
    for (int choice = 0; choice < 3; ++choice)
        m_recompute->addItem(QLatin1String(recomputes[choice]), choice);
    m_recompute->setToolTip(
        QStringLiteral("Activations that are made again in backward rather than kept"));
    m_software = addChoice(QStringLiteral("settings.software"), QStringLiteral("Software"));
    for (const SoftwareProfile& profile : softwareProfiles()) {
        m_software->addItem(toQString(profile.title), toQString(profile.name));
        m_software->setItemData(m_software->count() - 1, toQString(profile.source),
                                Qt::ToolTipRole);
    }
    connect(m_precision, &ChoiceBox::activated, this, [this](int index) {
        const auto format = NumberFormat(m_precision->itemData(index).toInt());
        change(QStringLiteral("precision"), [=](DrawnPlan& plan) { plan.precision = format; });
    });
    connect(m_zero, &ChoiceBox::activated, this, [this](int index) {
        change(QStringLiteral("ZeRO"), [=](DrawnPlan& plan) { plan.zero = ZeroStage(index); });
    });
    connect(m_recompute, &ChoiceBox::activated, this, [this](int index) {
        change(QStringLiteral("recompute"),
               [=](DrawnPlan& plan) { plan.recompute = Recompute(index); });
    });
    connect(m_software, &ChoiceBox::activated, this, [this](int index) {
        const std::string name = m_software->itemData(index).toString().toStdString();
        change(QStringLiteral("software"), [&](DrawnPlan& plan) { plan.software = name; });
    });
}

void SettingsForm::buildNumbers()
{
    constexpr int most = 1 << 14;
    m_recomputed = addNumber(QStringLiteral("layout.recomputedLayers"),
                             QStringLiteral("Layers a stage"), -1, most);
    m_recomputed->setSpecialValueText(QStringLiteral("all"));
    m_recomputed->setToolTip(QStringLiteral("Layers of a stage that are recomputed"));
    m_sequenceParallel = new QCheckBox(QStringLiteral("split by tokens"));
    addRow(QStringLiteral("layout.sequenceParallel"), QStringLiteral("Sequence"),
           m_sequenceParallel);
    m_sequenceParallel->setToolTip(QStringLiteral(
        "Sequence parallelism: norms and dropout are split over the tensor ranks too"));
    m_context = addNumber(QStringLiteral("layout.cp"), QStringLiteral("Context"), 1, most);
    m_context->setToolTip(QStringLiteral("Context-parallel size: ranks that share a sequence"));
    m_expert = addNumber(QStringLiteral("layout.ep"), QStringLiteral("Expert"), 1, most);
    m_expert->setToolTip(QStringLiteral("Expert-parallel size: ranks over which experts spread"));
    m_expertTensor =
        addNumber(QStringLiteral("layout.expertTp"), QStringLiteral("Expert tensor"), 1, most);
    m_expertTensor->setToolTip(QStringLiteral("Tensor-parallel size inside experts"));
    const auto number = [this](QSpinBox* box, const QString& text, int DrawnPlan::*field) {
        connect(box, &QSpinBox::valueChanged, this, [this, text, field](int value) {
            change(text, [=](DrawnPlan& plan) { plan.*field = value; });
        });
    };
    number(m_recomputed, QStringLiteral("recomputed layers"), &DrawnPlan::recomputedLayers);
    number(m_expert, QStringLiteral("expert-parallel size"), &DrawnPlan::ep);
    number(m_expertTensor, QStringLiteral("tensor size of experts"), &DrawnPlan::expertTp);
    connect(m_context, &QSpinBox::valueChanged, this, [this](int value) {
        change(QStringLiteral("context-parallel size"), [=](DrawnPlan& plan) {
            const Layout layout = plan.run.layout;
            const int data = layout.dp * plan.cp;
            plan.cp = value;
            plan.deviceOfRank.clear();
            // Data ranks make room for context ranks where that divides.
            const int dp = data % value == 0 ? data / value : layout.dp;
            plan = withAxisSizes(plan, dp, layout.tp, layout.pp);
        });
    });
    connect(m_sequenceParallel, &QCheckBox::clicked, this, [this](bool on) {
        change(QStringLiteral("sequence parallelism"),
               [=](DrawnPlan& plan) { plan.sequenceParallel = on; });
    });
}

void SettingsForm::change(const QString& text, const std::function<void(DrawnPlan&)>& edit)
{
    DrawnPlan plan = m_document.drawn();
    edit(plan);
    m_document.apply(std::make_unique<ChangePlan>(m_document, std::move(plan), text));
}

void SettingsForm::refresh()
{
    const DrawnPlan& plan = m_document.drawn();
    setWanted(!plan.cluster.thisMachine);
    const auto put = [](QSpinBox* box, int value) {
        const QSignalBlocker quiet(box);
        box->setValue(value);
    };
    m_precision->setCurrentIndex(m_precision->findData(int(plan.precision)));
    m_zero->setCurrentIndex(int(plan.zero));
    m_recompute->setCurrentIndex(int(plan.recompute));
    m_software->setCurrentIndex(m_software->findData(toQString(plan.software)));
    put(m_recomputed, plan.recomputedLayers);
    put(m_context, plan.cp);
    put(m_expert, plan.ep);
    put(m_expertTensor, plan.expertTp);
    m_sequenceParallel->setChecked(plan.sequenceParallel);
    const bool experts = plan.shape.expert.experts > 0;
    showRow(QStringLiteral("layout.recomputedLayers"), plan.recompute == Recompute::Full);
    showRow(QStringLiteral("layout.ep"), experts || plan.ep > 1);
    showRow(QStringLiteral("layout.expertTp"), experts || plan.expertTp > 1);
}

} // namespace triaxis::ui
