#include "engine/formats/report_style.h"

#include "engine/timeline/svg_writer.h"

namespace triaxis
{
namespace
{

struct PageColours
{
    const Palette& palette;
    const char* page;
    const char* alarm; ///< text and border of a failure
    const char* alarmFill;
};

std::string variables(const PageColours& colours)
{
    const auto ink = [&](Ink which) { return hexColour(colours.palette.of(which)); };
    return ":root{--page:" + std::string(colours.page) + ";--panel:" + ink(Ink::Background) +
           ";--line:" + ink(Ink::Line) + ";--text:" + ink(Ink::Text) +
           ";--muted:" + ink(Ink::MutedText) + ";--accent:" + ink(Ink::Accent) +
           ";--alarm:" + colours.alarm + ";--alarmfill:" + colours.alarmFill + "}\n";
}

constexpr const char* layoutRules = R"(*{box-sizing:border-box}
html{color-scheme:light dark}
body{margin:0;background:var(--page);color:var(--text);font:13px/1.5 Inter,"Segoe UI","DejaVu Sans",sans-serif;font-variant-numeric:tabular-nums}
main{max-width:1256px;margin:0 auto;padding:24px 16px 40px}
h1{font-size:20px;line-height:1.3;margin:0;font-weight:600;overflow-wrap:anywhere}
h2{font-size:13px;margin:0;font-weight:600}
p{margin:6px 0 0}
header p{color:var(--muted);margin:2px 0 0;overflow-wrap:anywhere}
.panel{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:14px 16px;margin-top:12px;min-width:0}
.head{display:flex;justify-content:space-between;align-items:baseline;gap:16px;margin-bottom:10px}
.head span{color:var(--muted);font-size:12px;text-align:right}
.figures{margin:0;display:grid;grid-template-columns:repeat(auto-fit,minmax(132px,1fr));gap:12px 16px}
.figures div{min-width:0}
.figures dt{color:var(--muted);font-size:12px}
.figures dd{margin:0;font-size:19px;font-weight:600;line-height:1.35;overflow-wrap:anywhere}
.figures dd+dd{font-size:12px;font-weight:400;color:var(--muted)}
.pair{margin-top:12px;display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:12px}
.pair .panel{margin-top:0}
.alarm{border-color:var(--alarm);background:var(--alarmfill)}
.alarm h2{color:var(--alarm)}
.alarm p{white-space:pre-wrap;overflow-wrap:anywhere}
.note{color:var(--muted);font-size:12px}
svg{display:block;max-width:100%;height:auto}
.picture{margin-top:10px}
.head+.picture{margin-top:0}
table{border-collapse:collapse;width:100%}
.scroll{overflow-x:auto}
.picture+.scroll,.scroll+.scroll,p+.scroll,p+.picture{margin-top:12px}
caption{text-align:left;font-weight:600;padding:6px 0 4px}
th{vertical-align:bottom}
.unit{font-weight:400}
.picture svg{min-width:var(--least)}
.pair .picture svg{min-width:min(var(--least),480px)}
th,td{text-align:left;padding:3px 10px 3px 0;vertical-align:top;border-bottom:1px solid var(--line);overflow-wrap:break-word}
tr:last-child td{border-bottom:0}
th{font-weight:600;color:var(--muted);font-size:12px}
td.n,th.n{text-align:right;white-space:nowrap;padding-right:0;padding-left:12px}
td.n .note{white-space:normal}
td.s{white-space:nowrap}
.settings{columns:3;column-gap:32px}
.settings section{break-inside:avoid;margin-bottom:14px}
.settings h3{font-size:12px;font-weight:600;color:var(--muted);margin:0 0 2px}
.settings td{overflow-wrap:anywhere}
.settings td:first-child{width:44%;color:var(--muted)}
.how{margin:0;columns:2;column-gap:32px}
.how div{break-inside:avoid;padding-bottom:8px}
.how dt{font-weight:600}
.how dd{margin:0;color:var(--muted)}
summary{cursor:pointer;color:var(--accent);margin-top:10px}
pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;font:12px/1.5 "DejaVu Sans Mono",monospace}
footer{color:var(--muted);font-size:12px;margin-top:16px}
@media(min-width:901px){.panel th:first-child{min-width:180px}}
@media(max-width:900px){.how{columns:1}.pair{grid-template-columns:minmax(0,1fr)}.settings{columns:2}}
@media(max-width:560px){.settings{columns:1}}
)";

constexpr const char* printRules = R"(@page{size:landscape;margin:10mm}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
html{color-scheme:light}
body{font-size:11px;background:#fff}
main{max-width:none;padding:0}
.picture svg{min-width:0}
.panel{break-inside:avoid}
.figures dd{font-size:15px}
.pair{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}
.figures{grid-template-columns:repeat(auto-fit,minmax(104px,1fr))}
.settings{columns:3}
.how{columns:2}
details>*{display:block}
.screen{display:none}
details::details-content{content-visibility:visible;height:auto}
summary{list-style:none;color:var(--text);font-weight:600}
)";

} // namespace

std::string reportStyle(const std::string& light, const std::string& dark)
{
    const PageColours day{lightPalette(), "#F6F7F9", "#A3261B", "#FDF1EF"};
    const PageColours night{darkPalette(), "#12161B", "#FF9C90", "#2B1B1A"};
    return variables(day) + light + layoutRules + "@media (prefers-color-scheme:dark){\n" +
           variables(night) + dark + "}\n@media print{\n" + variables(day) + light + printRules +
           "}\n";
}

} // namespace triaxis
