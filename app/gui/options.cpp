#include "app/gui/options.h"

#include <QCommandLineParser>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <cstdio>

namespace triaxis::gui
{
namespace
{

std::optional<QSize> sizeFrom(const QString& text)
{
    static const QRegularExpression form(QStringLiteral("^([1-9][0-9]{2,3})x([1-9][0-9]{2,3})$"));
    const auto match = form.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    return QSize(match.captured(1).toInt(), match.captured(2).toInt());
}

std::optional<Options> refuse(const QString& what, int& exitCode)
{
    std::fprintf(stderr, "triaxis-gui: %s\n", qPrintable(what));
    exitCode = 2;
    return std::nullopt;
}

} // namespace

std::optional<Options> readOptions(const QStringList& arguments, int& exitCode)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Draw how a transformer is spread over ranks, run it, watch it, compare."));
    const QCommandLineOption help({QStringLiteral("h"), QStringLiteral("help")},
                                  QStringLiteral("Show this help"));
    const QCommandLineOption version(QStringLiteral("version"), QStringLiteral("Show the version"));
    const QCommandLineOption run(QStringLiteral("run-directory"),
                                 QStringLiteral("Open the run in this directory"),
                                 QStringLiteral("DIR"));
    const QCommandLineOption plan(
        QStringLiteral("plan"),
        QStringLiteral(
            "Begin with the plan in this file (.triaxis, or run.json of an earlier run)"),
        QStringLiteral("FILE"));
    const QCommandLineOption page(QStringLiteral("page"),
                                  QStringLiteral("Begin with plan, run or history"),
                                  QStringLiteral("NAME"));
    const QCommandLineOption demo(QStringLiteral("demo"),
                                  QStringLiteral("Start the demonstration run and show it"));
    const QCommandLineOption screenshot(QStringLiteral("screenshot"),
                                        QStringLiteral("Write a picture of the window, then quit"),
                                        QStringLiteral("FILE"));
    const QCommandLineOption size(QStringLiteral("size"), QStringLiteral("Size of the window"),
                                  QStringLiteral("WIDTHxHEIGHT"));
    const QCommandLineOption theme(QStringLiteral("theme"), QStringLiteral("system, light, dark or high-contrast"),
                                   QStringLiteral("NAME"));
    const QCommandLineOption scale({QStringLiteral("text-size"), QStringLiteral("text-scale")},
                                   QStringLiteral("Text size in percent, 100 to 200"),
                                   QStringLiteral("PERCENT"));
    const QCommandLineOption language(QStringLiteral("language"),
                                      QStringLiteral("system, en (English) or ru (Russian)"),
                                      QStringLiteral("NAME"));
    const QCommandLineOption after(QStringLiteral("after"),
                                   QStringLiteral("Seconds before the picture is taken"),
                                   QStringLiteral("SECONDS"));
    // Between the programs: `triaxis export` asks for what needs fonts.
    QCommandLineOption render(QStringLiteral("render"), QString(), QStringLiteral("PARCEL"));
    QCommandLineOption renderTo(QStringLiteral("render-to"), QString(), QStringLiteral("FILE"));
    QCommandLineOption renderAs(QStringLiteral("render-as"), QString(), QStringLiteral("FORMAT"));
    QCommandLineOption renderView(QStringLiteral("render-view"), QString(), QStringLiteral("ID"));
    QCommandLineOption renderPaper(QStringLiteral("render-paper"), QString(),
                                   QStringLiteral("NAME"));
    QCommandLineOption renderWidth(QStringLiteral("render-width"), QString(),
                                   QStringLiteral("PIXELS"));
    for (QCommandLineOption* option :
         {&render, &renderTo, &renderAs, &renderView, &renderPaper, &renderWidth}) {
        option->setFlags(QCommandLineOption::HiddenFromHelp);
        parser.addOption(*option);
    }
    parser.addPositionalArgument(QStringLiteral("FILE"),
                                 QStringLiteral("A plan to open (.triaxis)"),
                                 QStringLiteral("[FILE]"));
    parser.addOptions(
        {help, version, run, plan, page, demo, screenshot, size, theme, scale, language, after});
    if (!parser.parse(arguments))
        return refuse(parser.errorText(), exitCode);
    exitCode = 0;
    if (parser.isSet(help)) {
        std::printf("%s", qPrintable(parser.helpText().replace(QStringLiteral("<executable_name>"),
                                                               QStringLiteral("triaxis-gui"))));
        return std::nullopt;
    }
    if (parser.isSet(version)) {
        std::printf("triaxis-gui %s\n", TRIAXIS_VERSION);
        return std::nullopt;
    }
    const QStringList files = parser.positionalArguments();
    if (files.size() > 1 || (!files.isEmpty() && parser.isSet(plan)))
        return refuse(QStringLiteral("one plan at a time: \"%1\" is one too many; see --help")
                          .arg(files.last()),
                      exitCode);

    const QString file = files.isEmpty() ? parser.value(plan) : files.first();
    if (!file.isEmpty() && !QFileInfo(file).isReadable())
        return refuse(
            QStringLiteral("%1 is no file that can be read; give a .triaxis plan").arg(file),
            exitCode);

    Options options;
    if (parser.isSet(render)) {
        options.render = {parser.value(render),     parser.value(renderTo),
                          parser.value(renderAs),   parser.value(renderView),
                          parser.value(renderPaper), 1190};
        if (parser.isSet(renderWidth))
            options.render.width = std::clamp(parser.value(renderWidth).toDouble(), 200.0, 8000.0);
        return options;
    }
    options.runDirectory = parser.value(run);
    options.plan = file;
    options.page = parser.value(page);
    options.demo = parser.isSet(demo);
    options.screenshot = parser.value(screenshot);
    options.theme = parser.value(theme);
    const QStringList pages{QString(), QStringLiteral("plan"), QStringLiteral("run"),
                            QStringLiteral("history")};
    if (!pages.contains(options.page))
        return refuse(
            QStringLiteral("there is no page \"%1\"; use plan, run or history").arg(options.page),
            exitCode);
    const QStringList themes{QString(), QStringLiteral("system"), QStringLiteral("light"),
                             QStringLiteral("dark"), QStringLiteral("high-contrast")};
    if (!themes.contains(options.theme))
        return refuse(QStringLiteral("there is no theme \"%1\"; use system, light, dark or high-contrast")
                          .arg(options.theme),
                      exitCode);
    options.language = parser.value(language);
    const QStringList languages{QString(), QStringLiteral("system"), QStringLiteral("en"),
                                QStringLiteral("ru")};
    if (!languages.contains(options.language))
        return refuse(QStringLiteral("there is no language \"%1\"; use system, en or ru")
                          .arg(options.language),
                      exitCode);
    if (parser.isSet(size)) {
        const auto wanted = sizeFrom(parser.value(size));
        if (!wanted)
            return refuse(QStringLiteral("--size \"%1\" is no size; use one like 1280x800")
                              .arg(parser.value(size)),
                          exitCode);
        options.size = *wanted;
    }
    bool isNumber = true;
    if (parser.isSet(scale)) {
        options.textScale = parser.value(scale).toDouble(&isNumber) / 100;
        if (!isNumber || options.textScale < 1 || options.textScale > 2)
            return refuse(QStringLiteral("--text-size takes 100 to 200"), exitCode);
    }
    if (parser.isSet(after)) {
        options.after = parser.value(after).toDouble(&isNumber);
        if (!isNumber || options.after < 0 || options.after > 3600)
            return refuse(QStringLiteral("--after takes seconds, 0 to 3600"), exitCode);
    }
    return options;
}

} // namespace triaxis::gui
