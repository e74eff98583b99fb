#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>

namespace triaxis::gui
{

/// A report to be written instead of opening the window.
struct RenderOptions
{
    QString parcel;  ///< file with the packed report; empty: nothing to write
    QString output;
    QString format;  ///< "pdf", "png"
    QString view;    ///< one picture of it; empty: all of it
    QString paper;   ///< "a4", "letter"
    double width = 1190; ///< pixels that a single picture is drawn for
};

struct Options
{
    RenderOptions render;
    QString runDirectory;
    QString plan;              ///< file with the plan to begin with; empty: the demonstration
    QString page;              ///< "plan", "run", "history"; empty: decided by what is going on
    bool demo = false;
    QString screenshot;        ///< file to write, then quit
    QSize size;
    QString theme;             ///< "system", "light", "dark", "high-contrast"; empty: as remembered
    QString language;          ///< "system", "en", "ru"; empty: as remembered
    double textScale = 0;      ///< 0: as remembered
    double after = 1;          ///< seconds before the picture is taken
};

/// Reads the command line; prints help, version or what is wrong with it. Nothing: leave with `exitCode`.
std::optional<Options> readOptions(const QStringList& arguments, int& exitCode);

} // namespace triaxis::gui
