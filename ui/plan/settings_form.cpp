#include "ui/plan/settings_form.h"

#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/commands/change_plan.h"
#include "ui/widgets/choice_box.h"

#include <QCheckBox>
#include <QSpinBox>

#include <memory>

namespace triaxis::ui
{

SettingsForm::SettingsForm(PlanDocument& document, QWidget* parent)
    : FormSection(tr("On the cluster"), parent), m_document(document)
{
    setObjectName(QStringLiteral("settingsForm"));
    buildChoices();
    buildNumbers();
    connect(&m_document, &PlanDocument::changed, this, &SettingsForm::refresh);
    refresh();
}

void SettingsForm::buildChoices()
{
    m_precision = addChoice(QStringLiteral("settings.precision"), tr("Precision"));
    for (const NumberFormat format : {NumberFormat::Bf16, NumberFormat::Fp16, NumberFormat::Fp8,
                                      NumberFormat::Fp4, NumberFormat::Tf32, NumberFormat::Fp32})
        m_precision->addItem(spoken(toText(format)), int(format));
    m_zero = addChoice(QStringLiteral("layout.zero"), tr("ZeRO"));
    const char* zeroes[] = {QT_TRANSLATE_NOOP("Words", "none"),
                            QT_TRANSLATE_NOOP("Words", "1: optimizer"),
                            QT_TRANSLATE_NOOP("Words", "2: and gradients"),
                            QT_TRANSLATE_NOOP("Words", "3: and weights (FSDP)")};
    for (int stage = 0; stage < 4; ++stage)
        m_zero->addItem(Words::tr(zeroes[stage]), stage);
    m_zero->setToolTip(tr("What the data replicas share instead of each keeping it"));
    m_recompute = addChoice(QStringLiteral("layout.recompute"), tr("Recompute"));
    const char* recomputes[] = {QT_TRANSLATE_NOOP("Words", "none"),
                                QT_TRANSLATE_NOOP("Words", "selective"),
                                QT_TRANSLATE_NOOP("Words", "full")};
    for (int choice = 0; choice < 3; ++choice)
        m_recompute->addItem(Words::tr(recomputes[choice]), choice);
    m_recompute->setToolTip(tr("Activations that are made again in backward rather than kept"));
    m_software = addChoice(QStringLiteral("settings.software"), tr("Software"));
    for (const SoftwareProfile& profile : softwareProfiles()) {
        m_software->addItem(spoken(profile.title), toQString(profile.name));
        m_software->setItemData(m_software->count() - 1, spoken(profile.source), Qt::ToolTipRole);
    }
    connect(m_precision, &ChoiceBox::activated, this, [this](int index) {
        const auto format = NumberFormat(m_precision->itemData(index).toInt());
        change(tr("precision"), [=](DrawnPlan& plan) { plan.precision = format; });
    });
    connect(m_zero, &ChoiceBox::activated, this, [this](int index) {
        change(tr("ZeRO"), [=](DrawnPlan& plan) { plan.zero = ZeroStage(index); });
    });
    connect(m_recompute, &ChoiceBox::activated, this, [this](int index) {
        change(tr("recompute"), [=](DrawnPlan& plan) { plan.recompute = Recompute(index); });
    });
    connect(m_software, &ChoiceBox::activated, this, [this](int index) {
        const std::string name = m_software->itemData(index).toString().toStdString();
        change(tr("software"), [&](DrawnPlan& plan) { plan.software = name; });
    });
}

void SettingsForm::buildNumbers()
{
    constexpr int most = 1 << 14;
    m_recomputed =
        addNumber(QStringLiteral("layout.recomputedLayers"), tr("Layers a stage"), -1, most);
    m_recomputed->setSpecialValueText(tr("all"));
    m_recomputed->setToolTip(tr("Layers of a stage that are recomputed"));
    m_sequenceParallel = new QCheckBox(tr("split by tokens"));
    addRow(QStringLiteral("layout.sequenceParallel"), tr("Sequence"), m_sequenceParallel);
    m_sequenceParallel->setToolTip(
        tr("Sequence parallelism: norms and dropout are split over the tensor ranks too"));
    m_context = addNumber(QStringLiteral("layout.cp"), tr("Context"), 1, most);
    m_context->setToolTip(tr("Context-parallel size: ranks that share a sequence"));
    m_expert = addNumber(QStringLiteral("layout.ep"), tr("Expert"), 1, most);
    m_expert->setToolTip(tr("Expert-parallel size: ranks over which experts spread"));
    m_expertTensor = addNumber(QStringLiteral("layout.expertTp"), tr("Expert tensor"), 1, most);
    m_expertTensor->setToolTip(tr("Tensor-parallel size inside experts"));
    const auto number = [this](QSpinBox* box, const QString& text, int DrawnPlan::*field) {
        connect(box, &QSpinBox::valueChanged, this, [this, text, field](int value) {
            change(text, [=](DrawnPlan& plan) { plan.*field = value; });
        });
    };
    number(m_recomputed, tr("recomputed layers"), &DrawnPlan::recomputedLayers);
    number(m_expert, tr("expert-parallel size"), &DrawnPlan::ep);
    number(m_expertTensor, tr("tensor size of experts"), &DrawnPlan::expertTp);
    connect(m_context, &QSpinBox::valueChanged, this, [this](int value) {
        change(tr("context-parallel size"), [=](DrawnPlan& plan) {
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
        change(tr("sequence parallelism"), [=](DrawnPlan& plan) { plan.sequenceParallel = on; });
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
