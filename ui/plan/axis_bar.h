#pragma once

#include "engine/layout/layout.h"
#include "ui/plan/plan_findings.h"

#include <QWidget>

#include <array>

class QBoxLayout;
class QComboBox;

namespace triaxis::ui
{

class AxisChip;
class PlanDocument;

/// The sizes of the three axes and the order in which ranks run through them.
class AxisBar : public QWidget
{
    Q_OBJECT
public:
    explicit AxisBar(PlanDocument& document, QWidget* parent = nullptr);

    void addPlaces(FindingPlaces& places);

signals:
    void mendRequested(const triaxis::ui::DrawnMend& mend);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();
    void addChip(Axis axis, const char* name, QBoxLayout* row);
    QBoxLayout* buildOrder();
    void refresh();
    void showFinding(AxisChip* chip, const PlanFinding* finding);

    PlanDocument& m_document;
    std::array<AxisChip*, 3> m_chips{};
    QComboBox* m_order;
    QBoxLayout* m_whole = nullptr;
    QBoxLayout* m_orderRow = nullptr;
    bool m_arranged = false;
};

} // namespace triaxis::ui
