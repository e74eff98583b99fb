#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>

namespace triaxis::gui
{

struct Options
{
    QString runDirectory;
    QString plan;              ///< file with the plan to begin with; empty: the demonstration
    QString page;              ///< "plan", "run", "history"; empty: decided by what is going on
    bool demo = false;
    QString screenshot;        ///< file to write, then quit
    QSize size;
    QString theme;             ///< "system", "light", "dark"; empty: as remembered
    double textScale = 0;      ///< 0: as remembered
    double after = 1;          ///< seconds before the picture is taken
};

/// Reads the command line; prints help, version or what is wrong with it. Nothing: leave with `exitCode`.
std::optional<Options> readOptions(const QStringList& arguments, int& exitCode);

} // namespace triaxis::gui
