#pragma once

#include "engine/timeline/span_partners.h"
#include "engine/timeline/span_place.h"

#include <QList>
#include <QPair>
#include <QString>
#include <QWidget>

#include <optional>

class QGridLayout;
class QLabel;
class QPushButton;

namespace triaxis::ui
{

class LaneView;
struct PredictedTimes;

/// A line of the details: what and how much.
using DetailLine = QPair<QString, QString>;

/// Everything known of a span, for people. `partners` may be null.
QList<DetailLine> detailLines(const Lanes& lanes, const SpanPlace& place,
                              const std::optional<PredictedTimes>& predicted,
                              const SpanPartners* partners);
/// What held a span up: the other end of its transfer, the last member of its collective, the
/// sender of what it consumes. None where nobody did.
std::optional<RankInstruction> waitedFor(const Lanes& lanes, const SpanPlace& place,
                                         const SpanPartners& partners);

/// Details of the span that has the focus in a timeline, and a way to the one it waited for.
class SpanPanel : public QWidget
{
    Q_OBJECT
public:
    explicit SpanPanel(LaneView& view, QWidget* parent = nullptr);

    QString text() const; ///< all lines, for reading out and tests

private:
    void refresh();
    void goToCause();

    LaneView& m_view;
    QLabel* m_title;
    QLabel* m_hint;
    QGridLayout* m_grid;
    QPushButton* m_cause;
    QList<QPair<QLabel*, QLabel*>> m_rows;
    QList<DetailLine> m_lines;
};

} // namespace triaxis::ui
