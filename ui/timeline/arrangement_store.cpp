#include "ui/timeline/arrangement_store.h"

#include "engine/core/error.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/widgets/lane_view.h"

#include <QScopedValueRollback>
#include <QSettings>

namespace triaxis::ui
{
namespace
{

constexpr int delayMilliseconds = 400;
const QString groupSetting = QStringLiteral("timeline/group");
const QString colourSetting = QStringLiteral("timeline/colour");
const QString streamsSetting = QStringLiteral("timeline/streams");
const QString none = QStringLiteral("none");

QString nameOf(const std::optional<Axis>& axis)
{
    return axis ? QString::fromLatin1(shortName(*axis)) : none;
}

std::optional<Axis> axisOf(const QString& name, std::optional<Axis> otherwise)
{
    for (const Axis axis : {Axis::Data, Axis::Tensor, Axis::Pipeline}) {
        if (name == QLatin1String(shortName(axis)))
            return axis;
    }
    return name == none ? std::nullopt : otherwise;
}

/// As it was last chosen for any run.
RunArrangement usual()
{
    const QSettings settings;
    RunArrangement made;
    made.lanes.group = axisOf(settings.value(groupSetting).toString(), made.lanes.group);
    made.colourBy = axisOf(settings.value(colourSetting).toString(), std::nullopt);
    made.streams = settings.value(streamsSetting, false).toBool();
    return made;
}

void rememberAsUsual(const RunArrangement& arrangement)
{
    QSettings settings;
    settings.setValue(groupSetting, nameOf(arrangement.lanes.group));
    settings.setValue(colourSetting, nameOf(arrangement.colourBy));
    settings.setValue(streamsSetting, arrangement.streams);
}

} // namespace

ArrangementStore::ArrangementStore(LaneView& view, QObject* parent) : QObject(parent), m_view(view)
{
    m_delay.setSingleShot(true);
    m_delay.setInterval(delayMilliseconds);
    connect(&m_delay, &QTimer::timeout, this, &ArrangementStore::flush);
    connect(&view, &LaneView::arrangementChanged, this, &ArrangementStore::noteChange);
}

ArrangementStore::~ArrangementStore()
{
    flush();
}

RunArrangement ArrangementStore::shown() const
{
    return {m_view.arrangement(), m_view.colourBy(), m_view.areStreamsShown()};
}

void ArrangementStore::show(const RunArrangement& arrangement)
{
    const QScopedValueRollback loading(m_loading, true);
    m_view.setArrangement(arrangement.lanes);
    m_view.setColourBy(arrangement.colourBy);
    m_view.setStreamsShown(arrangement.streams);
    m_kept = arrangement;
}

void ArrangementStore::open(const std::filesystem::path& directory, const Layout& layout)
{
    flush();
    m_directory = directory;
    m_writable = !directory.empty();
    RunArrangement wanted = usual();
    QString problem;
    if (m_writable) {
        try {
            if (const auto kept = readArrangement(directory, layout))
                wanted = *kept;
        } catch (const Error& error) {
            m_writable = false;
            problem = tr("%1 Its lanes are shown as usual, and changes are not kept.")
                          .arg(spoken(error.what()));
        }
    }
    show(wanted);
    if (!problem.isEmpty())
        emit failed(problem);
}

void ArrangementStore::noteChange()
{
    if (m_loading)
        return;
    const RunArrangement now = shown();
    if (now == m_kept)
        return;
    m_kept = now;
    rememberAsUsual(now);
    m_unwritten = m_writable;
    if (m_unwritten)
        m_delay.start();
}

void ArrangementStore::flush()
{
    m_delay.stop();
    if (!m_unwritten)
        return;
    m_unwritten = false;
    try {
        writeArrangement(m_directory, m_kept);
    } catch (const Error&) {
        m_writable = false; // a run of somebody else: arranged for now only
    }
}

} // namespace triaxis::ui
