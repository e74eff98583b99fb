#include "ui/report/save_part.h"

#include "engine/core/csv_table.h"
#include "engine/core/error.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/report/export_dialog.h"
#include "ui/report/report_file.h"

#include <QAbstractItemModel>
#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

namespace triaxis::ui
{
namespace
{

/// Empty: nothing is to be written.
QString askedFile(QWidget* parent, const QString& stem, const QString& filters,
                  const QString& ending)
{
    const QString proposal = QDir(exportFolder()).filePath(stem + QLatin1Char('.') + ending);
    QString file = QFileDialog::getSaveFileName(parent, Words::tr("Export"), proposal, filters);
    if (file.isEmpty())
        return file;
    if (QFileInfo(file).suffix().isEmpty())
        file += QLatin1Char('.') + ending;
    rememberExportFolder(file);
    return file;
}

template <class Write>
void writeOrSay(QWidget* parent, Write&& write)
{
    try {
        write();
    } catch (const Error& error) {
        QMessageBox::warning(parent, Words::tr("Export"), spoken(error.what()));
    }
}

PictureFormat formatOf(const QString& file)
{
    const QString ending = QFileInfo(file).suffix().toLower();
    if (ending == QLatin1String("svg"))
        return PictureFormat::Svg;
    return ending == QLatin1String("pdf") ? PictureFormat::Pdf : PictureFormat::Png;
}

} // namespace

void saveShownPicture(QWidget* parent, const QString& title, const QString& stem,
                      const std::function<DisplayList()>& draw)
{
    const QString file =
        askedFile(parent, stem, QStringLiteral("PNG (*.png);;SVG (*.svg);;PDF (*.pdf)"),
                  QStringLiteral("png"));
    if (!file.isEmpty())
        writeOrSay(parent, [&] { savePicture(file, draw(), formatOf(file), title); });
}

std::string shownTableCsv(const QAbstractItemModel& table)
{
    const auto cell = [](const QVariant& value) {
        return csvCell(value.toString().replace(thinSpace, QLatin1Char(' ')).toStdString());
    };
    const int columns = table.columnCount();
    std::string csv;
    for (int column = 0; column < columns; ++column)
        csv += "," + cell(table.headerData(column, Qt::Horizontal));
    csv += '\n';
    for (int row = 0; row < table.rowCount(); ++row) {
        csv += cell(table.headerData(row, Qt::Vertical));
        for (int column = 0; column < columns; ++column)
            csv += "," + cell(table.index(row, column).data());
        csv += '\n';
    }
    return csv;
}

void saveShownTable(QWidget* parent, const QString& stem, const QAbstractItemModel& table)
{
    const QString file =
        askedFile(parent, stem, QStringLiteral("CSV (*.csv)"), QStringLiteral("csv"));
    if (!file.isEmpty())
        writeOrSay(parent, [&] { saveText(file, shownTableCsv(table)); });
}

QAction* savePictureAction(QWidget* widget, const QString& title, const QString& stem,
                           std::function<DisplayList()> draw)
{
    auto* action = new QAction(Words::tr("Export view…"), widget);
    action->setObjectName(QStringLiteral("exportView"));
    QObject::connect(action, &QAction::triggered, widget,
                     [widget, title, stem, draw = std::move(draw)] {
                         saveShownPicture(widget->window(), title, stem, draw);
                     });
    return action;
}

QAction* saveTableAction(QWidget* widget, const QString& stem,
                         std::function<const QAbstractItemModel*()> table)
{
    auto* action = new QAction(Words::tr("Export table as CSV…"), widget);
    action->setObjectName(QStringLiteral("exportTable"));
    QObject::connect(action, &QAction::triggered, widget, [widget, stem, table = std::move(table)] {
        if (const QAbstractItemModel* model = table())
            saveShownTable(widget->window(), stem, *model);
    });
    return action;
}

} // namespace triaxis::ui
