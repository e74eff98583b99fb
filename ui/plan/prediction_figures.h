#pragma once

#include "engine/plan/drawn_prediction.h"
#include "ui/base/words.h"
#include "ui/widgets/figure_strip.h"

namespace triaxis::ui
{

/// The seven figures of what is drawn: step time, tokens, MFU, bubble, exposed communication, peak
/// memory, expected error. Where `before` is known each says what the last edit changed, with an
/// arrow and in the colour of better or worse. `now` null: still being worked out.
std::vector<Figure> predictionFigures(const DrawnPlan& plan, const DrawnPrediction* now,
                                      const DrawnPrediction* before, const MachineFacts& machine,
                                      const QString& since = Words::tr("since the last edit"));

/// "▼ 3.1 %": from `before` to `now`, relative; empty where nothing changed or one is not known.
QString changeText(double now, double before);

} // namespace triaxis::ui
