#include "ui/plan/data_form.h"

#include "ui/base/text.h"
#include "ui/commands/set_data.h"
#include "ui/plan/form_row.h"
#include "ui/plan/plan_document.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/choice_box.h"

#include <QAction>
#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>

#include <memory>

namespace triaxis::ui
{
namespace
{

QIcon folder(const QPalette& palette)
{
    const Theme& theme = themeOf(palette);
    return iconOf(QStringLiteral("folder"), theme.muted, theme.faint);
}

} // namespace

DataForm::DataForm(PlanDocument& document, QWidget* parent)
    : FormSection(tr("Data"), parent), m_document(document), m_file(new QLineEdit)
{
    setObjectName(QStringLiteral("dataForm"));
    m_kind = addChoice(QStringLiteral("data"), tr("Source"));
    m_kind->addItem(tr("text file"), int(DataKind::Text));
    m_kind->addItem(tr("synthetic"), int(DataKind::Synthetic));
    m_kind->setToolTip(tr("A text file is read as bytes. The synthetic source is "
                          "random, and its best reachable loss is "
                          "known and drawn in the loss chart."));
    m_file->setPlaceholderText(tr("path of a text file"));
    m_browse = m_file->addAction(folder(palette()), QLineEdit::TrailingPosition);
    m_browse->setText(tr("Choose a text file"));
    m_browse->setToolTip(m_browse->text());
    addRow(QStringLiteral("data.path"), tr("File"), m_file)->setBelow();
    connect(m_kind, &ChoiceBox::activated, this, &DataForm::chooseKind);
    connect(m_browse, &QAction::triggered, this, &DataForm::chooseFile);
    connect(m_file, &QLineEdit::editingFinished, this, [this] { takeFile(m_file->text()); });
    connect(&m_document, &PlanDocument::changed, this, &DataForm::refresh);
    refresh();
}

void DataForm::refresh()
{
    const DrawnPlan& plan = m_document.drawn();
    const DataPlan& data = plan.run.data;
    const bool runs = plan.cluster.thisMachine && plan.trainable;
    setWanted(runs);
    // Batches come with a plan that names them; nobody chooses them here.
    const int batches = m_kind->findData(int(DataKind::Batches));
    if (data.kind == DataKind::Batches && batches < 0)
        m_kind->addItem(tr("batches"), int(DataKind::Batches));
    m_kind->setCurrentIndex(m_kind->findData(int(data.kind)));
    showRow(QStringLiteral("data.path"), data.kind != DataKind::Synthetic);
    m_file->setText(toQString(data.path));
    m_file->setToolTip(toQString(data.path));
}

void DataForm::chooseKind(int index)
{
    DataPlan data = m_document.plan().data;
    data.kind = DataKind(m_kind->itemData(index).toInt());
    data.sha256.clear();
    data.bestLoss = -1;
    if (data.kind == DataKind::Synthetic)
        data.path.clear();
    m_document.apply(std::make_unique<SetData>(m_document, data));
}

void DataForm::chooseFile()
{
    const QString now = toQString(m_document.plan().data.path);
    const QString path = QFileDialog::getOpenFileName(
        window(), tr("Choose a text file"),
        now.isEmpty() ? QDir::homePath() : QFileInfo(now).absolutePath());
    if (!path.isEmpty())
        takeFile(path);
}

void DataForm::takeFile(const QString& path)
{
    DataPlan data = m_document.plan().data;
    const QString trimmed = path.trimmed();
    data.path =
        trimmed.isEmpty() ? std::string() : QFileInfo(trimmed).absoluteFilePath().toStdString();
    data.sha256.clear();
    data.bestLoss = -1;
    m_document.apply(std::make_unique<SetData>(m_document, data));
}

void DataForm::changeEvent(QEvent* event)
{
    FormSection::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_browse->setIcon(folder(palette()));
}

} // namespace triaxis::ui
