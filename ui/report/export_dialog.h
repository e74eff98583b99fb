#pragma once

#include "ui/report/export_choice.h"
#include "ui/run/exporter.h"

#include <QDialog>
#include <QTimer>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace triaxis::ui
{

/// Asks what is to be exported and as what, then where to, and writes it: what takes over half a
/// second shows that it goes on and can be ended. The folder and the format are remembered.
class ExportDialog : public QDialog
{
    Q_OBJECT
public:
    /// `subject`: what it is about, for the title: "run 20260214-153012-a1b2".
    ExportDialog(const QString& subject, std::vector<ExportChoice> choices,
                 QWidget* parent = nullptr);

    /// Instead of the dialog that asks for a file.
    void setAskFile(std::function<QString(const QString& proposal, const QString& filter)> ask);
    bool isBusy() const { return m_exporter.isBusy(); }

signals:
    void written(const QString& file);

protected:
    void reject() override;

private:
    const ExportChoice* chosen() const;
    void refresh();
    void begin();
    void write(const ExportChoice& choice, const QString& file);
    void setBusy(bool busy);
    void say(const QString& text, bool problem);

    std::vector<ExportChoice> m_choices;
    QTreeWidget* m_tree;
    QComboBox* m_format;
    QComboBox* m_paper;
    QLabel* m_state;
    QProgressBar* m_progress;
    QPushButton* m_export;
    QPushButton* m_close;
    Exporter m_exporter;
    QTimer m_late; ///< before progress is shown
    std::function<QString(const QString& proposal, const QString& filter)> m_askFile;
};

/// The folder that files were exported into last, else the person's own.
QString exportFolder();
void rememberExportFolder(const QString& file);

} // namespace triaxis::ui
