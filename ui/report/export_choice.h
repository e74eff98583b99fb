#pragma once

#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

namespace triaxis::ui
{

/// Something that can be written as a file from where a person is.
struct ExportChoice
{
    QString group;       ///< "Report", "View", "Table"
    QString name;        ///< for people: "Timeline as shown"
    QString stem;        ///< of the file that is proposed
    QStringList formats; ///< endings, the first is proposed: "pdf", "svg"
    bool paged = false;  ///< its PDF has pages, of A4 or Letter
    /// Arguments of `triaxis` that write it; empty where `write` does.
    std::function<QStringList(const QString& file, const QString& paper)> arguments = {};
    /// Writes it from what the window shows. Throws Error.
    std::function<void(const QString& file)> write = {};
};

/// All of a stored run: the report, each view and each table of it, its spans, a trace.
std::vector<ExportChoice> runExports(const QString& runId);
/// A comparison of stored runs and .triaxis files: the report and the figures.
std::vector<ExportChoice> comparisonExports(const QStringList& runs);

} // namespace triaxis::ui
