#include "ui/report/export_dialog.h"

#include "engine/core/error.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/theme/fonts.h"
#include "ui/widgets/dialog_size.h"

#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

constexpr int lateMilliseconds = 500;
constexpr int choiceRole = Qt::UserRole;
const char* const folderKey = "export/folder";
const char* const paperKey = "export/paper";

QString formatText(const QString& ending)
{
    if (ending == QLatin1String("html"))
        return ExportDialog::tr("HTML page");
    if (ending == QLatin1String("json"))
        return ExportDialog::tr("JSON");
    return ending.toUpper();
}

} // namespace

QString exportFolder()
{
    const QString folder = QSettings().value(QLatin1String(folderKey)).toString();
    return !folder.isEmpty() && QFileInfo(folder).isDir() ? folder : QDir::homePath();
}

void rememberExportFolder(const QString& file)
{
    QSettings().setValue(QLatin1String(folderKey), QFileInfo(file).absolutePath());
}

ExportDialog::ExportDialog(const QString& subject, std::vector<ExportChoice> choices,
                           QWidget* parent)
    : QDialog(parent), m_choices(std::move(choices)), m_tree(new QTreeWidget),
      m_format(new QComboBox), m_paper(new QComboBox), m_state(new QLabel),
      m_progress(new QProgressBar), m_export(new QPushButton(tr("Export…"))),
      m_close(new QPushButton(tr("Close")))
{
    setObjectName(QStringLiteral("exportDialog"));
    setWindowTitle(tr("Export %1").arg(subject));
    m_tree->setObjectName(QStringLiteral("exportChoices"));
    m_tree->setAccessibleName(tr("What to export"));
    m_tree->setHeaderHidden(true);
    m_tree->setRootIsDecorated(false);
    m_tree->setIndentation(scaled(14));
    QTreeWidgetItem* group = nullptr;
    for (std::size_t i = 0; i < m_choices.size(); ++i) {
        if (!group || group->text(0) != m_choices[i].group) {
            group = new QTreeWidgetItem(m_tree, {m_choices[i].group});
            group->setFlags(Qt::ItemIsEnabled);
            QFont font = group->font(0);
            font.setWeight(QFont::DemiBold);
            group->setFont(0, font);
        }
        auto* item = new QTreeWidgetItem(group, {m_choices[i].name});
        item->setData(0, choiceRole, int(i));
        if (i == 0)
            m_tree->setCurrentItem(item);
    }
    m_tree->expandAll();
    m_tree->setItemsExpandable(false);
    m_format->setObjectName(QStringLiteral("exportFormat"));
    m_format->setAccessibleName(tr("Format"));
    m_paper->setObjectName(QStringLiteral("exportPaper"));
    m_paper->setAccessibleName(tr("Paper"));
    m_paper->addItem(tr("A4, landscape"), QStringLiteral("a4"));
    m_paper->addItem(tr("Letter, landscape"), QStringLiteral("letter"));
    m_paper->setCurrentIndex(std::max(
        0, m_paper->findData(QSettings().value(QLatin1String(paperKey), QStringLiteral("a4")))));
    m_state->setObjectName(QStringLiteral("exportState"));
    m_state->setWordWrap(true);
    m_state->setProperty("role", "small");
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Export goes on"));
    m_export->setObjectName(QStringLiteral("exportStart"));
    m_export->setProperty("look", "primary");
    m_export->setDefault(true);
    m_close->setObjectName(QStringLiteral("exportClose"));

    auto* form = new QFormLayout;
    form->addRow(tr("Format"), m_format);
    form->addRow(tr("Paper"), m_paper);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(m_close);
    buttons->addWidget(m_export);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 14);
    layout->setSpacing(12);
    layout->addWidget(m_tree, 1);
    layout->addLayout(form);
    layout->addWidget(m_state);
    layout->addWidget(m_progress);
    layout->addLayout(buttons);
    resizeWithinScreen(*this, {460, 560});

    m_late.setSingleShot(true);
    m_late.setInterval(lateMilliseconds);
    connect(&m_late, &QTimer::timeout, m_progress, &QWidget::show);
    connect(m_tree, &QTreeWidget::currentItemChanged, this, &ExportDialog::refresh);
    connect(m_tree, &QTreeWidget::itemActivated, this, &ExportDialog::begin);
    connect(m_format, &QComboBox::currentIndexChanged, this, [this] {
        const ExportChoice* choice = chosen();
        m_paper->setEnabled(choice && choice->paged &&
                            m_format->currentData() == QLatin1String("pdf"));
    });
    connect(m_export, &QPushButton::clicked, this, &ExportDialog::begin);
    connect(m_close, &QPushButton::clicked, this, &ExportDialog::reject);
    connect(&m_exporter, &Exporter::written, this, [this](const QString& file) {
        setBusy(false);
        say(tr("Written: %1").arg(QDir::toNativeSeparators(file)), false);
        emit written(file);
    });
    connect(&m_exporter, &Exporter::failed, this,
            [this](const QString& title, const QString& detail) {
                setBusy(false);
                say(title + QStringLiteral(". ") + detail, true);
            });
    connect(&m_exporter, &Exporter::cancelled, this, [this] {
        setBusy(false);
        say(tr("Cancelled; nothing was written."), false);
    });
    m_askFile = [this](const QString& proposal, const QString& filter) {
        return QFileDialog::getSaveFileName(this, tr("Export"), proposal, filter);
    };
    setBusy(false);
    refresh();
    m_tree->setFocus();
}

void ExportDialog::setAskFile(
    std::function<QString(const QString& proposal, const QString& filter)> ask)
{
    m_askFile = std::move(ask);
}

const ExportChoice* ExportDialog::chosen() const
{
    const QTreeWidgetItem* item = m_tree->currentItem();
    const QVariant index = item ? item->data(0, choiceRole) : QVariant();
    return index.isValid() ? &m_choices[std::size_t(index.toInt())] : nullptr;
}

void ExportDialog::refresh()
{
    const ExportChoice* choice = chosen();
    const QVariant before = m_format->currentData();
    m_format->clear();
    if (choice)
        for (const QString& format : choice->formats)
            m_format->addItem(formatText(format), format);
    m_format->setCurrentIndex(std::max(0, m_format->findData(before)));
    m_format->setEnabled(m_format->count() > 1);
    m_export->setEnabled(choice && !m_exporter.isBusy());
}

void ExportDialog::begin()
{
    const ExportChoice* choice = chosen();
    if (!choice || m_exporter.isBusy())
        return;
    const QString ending = m_format->currentData().toString();
    const QString proposal =
        QDir(exportFolder()).filePath(choice->stem + QLatin1Char('.') + ending);
    QString file =
        m_askFile(proposal, QStringLiteral("%1 (*.%2)").arg(m_format->currentText(), ending));
    if (file.isEmpty())
        return;
    // The ending says what is written.
    if (QFileInfo(file).suffix().compare(ending, Qt::CaseInsensitive) != 0)
        file += QLatin1Char('.') + ending;
    rememberExportFolder(file);
    QSettings().setValue(QLatin1String(paperKey), m_paper->currentData());
    write(*choice, file);
}

void ExportDialog::write(const ExportChoice& choice, const QString& file)
{
    try {
        if (!choice.write) {
            const QStringList arguments = choice.arguments(file, m_paper->currentData().toString());
            setBusy(true);
            m_exporter.run(arguments, file);
            return;
        }
        choice.write(file);
        say(tr("Written: %1").arg(QDir::toNativeSeparators(file)), false);
        emit written(file);
    } catch (const Error& error) {
        say(spoken(error.what()), true);
    }
}

void ExportDialog::setBusy(bool busy)
{
    m_late.stop();
    m_progress->hide();
    if (busy) {
        m_late.start();
        say(tr("Exporting…"), false);
    }
    m_tree->setEnabled(!busy);
    m_export->setEnabled(!busy && chosen());
    m_close->setText(busy ? tr("Cancel") : tr("Close"));
}

void ExportDialog::say(const QString& text, bool problem)
{
    m_state->setText(text);
    m_state->setProperty("tone", problem ? "problem" : "plain");
    m_state->setAccessibleName(text);
}

void ExportDialog::reject()
{
    if (m_exporter.isBusy())
        m_exporter.cancel();
    else
        QDialog::reject();
}

} // namespace triaxis::ui
