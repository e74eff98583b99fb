#pragma once

#include <QString>

class QWidget;

namespace triaxis::ui
{

/// What becomes of a run that goes on when another is to begin.
enum class BesideAnswer { Cancel, StopFirst, Beside };

/// Asks it of a person; `name` of the run that goes on.
BesideAnswer askBeside(const QString& name, QWidget* parent);

} // namespace triaxis::ui
