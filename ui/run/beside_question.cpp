#include "ui/run/beside_question.h"
#include "ui/base/words.h"

#include <QMessageBox>
#include <QPushButton>

namespace triaxis::ui
{

BesideAnswer askBeside(const QString& name, QWidget* parent)
{
    QMessageBox box(QMessageBox::Question, Words::tr("A run goes on"),
                    Words::tr("%1 still runs. Stop it before the new run starts?").arg(name),
                    QMessageBox::Cancel, parent);
    box.setObjectName(QStringLiteral("besideQuestion"));
    box.setInformativeText(Words::tr("Runs beside each other share the cores: both are slower, "
                                          "and what they measure tells little. What a stopped run has "
                                          "measured is kept."));
    QPushButton* stop = box.addButton(Words::tr("Stop and start"), QMessageBox::AcceptRole);
    QPushButton* beside = box.addButton(Words::tr("Start beside"), QMessageBox::ActionRole);
    stop->setObjectName(QStringLiteral("stopAndStart"));
    beside->setObjectName(QStringLiteral("startBeside"));
    box.setDefaultButton(stop);
    box.exec();
    if (box.clickedButton() == stop)
        return BesideAnswer::StopFirst;
    return box.clickedButton() == beside ? BesideAnswer::Beside : BesideAnswer::Cancel;
}

} // namespace triaxis::ui
