#include "ui/plan/plan_autosave.h"

#include "engine/core/error.h"
#include "engine/formats/plan_file.h"
#include "ui/base/text.h"
#include "ui/plan/plan_document.h"
#include "ui/plan/plan_files.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QUuid>

namespace triaxis::ui
{
namespace
{

constexpr int quietMilliseconds = 400;
constexpr const char* ownKey = "autosave"; // beside what plan files have

constexpr const char* planEnding = ".triaxis";
constexpr const char* lockEnding = ".lock";

std::filesystem::path with(std::filesystem::path stem, const char* ending)
{
    return stem += ending;
}

/// Held by this window as long as the plan is its own.
struct Kept
{
    std::filesystem::path stem; ///< without an ending; empty: there is none
    std::optional<FileLock> lock;
    int others = 0; ///< older ones that nobody holds
};

/// The newest plan whose window is no more.
Kept leftBehind(const std::filesystem::path& folder)
{
    Kept newest;
    const QDir directory(toQString(folder.string()));
    const QStringList plans{QStringLiteral("*") + QLatin1String(planEnding)};
    for (const QFileInfo& file : directory.entryInfoList(plans, QDir::Files, QDir::Time)) {
        std::filesystem::path stem = file.absoluteFilePath().toStdString();
        stem.replace_extension();
        auto lock = FileLock::tryTake(with(stem, lockEnding));
        if (!lock)
            continue;
        if (newest.stem.empty())
            newest = {stem, std::move(lock), 0};
        else
            ++newest.others;
    }
    return newest;
}

void forget(const std::filesystem::path& stem)
{
    std::error_code ignored;
    std::filesystem::remove(with(stem, planEnding), ignored);
    std::filesystem::remove(with(stem, lockEnding), ignored);
}

void write(const std::filesystem::path& path, const PlanFile& plan, const QString& from, bool clean)
{
    nlohmann::ordered_json json = toJson(plan);
    json[ownKey] = {{"path", from.toStdString()}, {"clean", clean}};
    std::error_code code;
    std::filesystem::create_directories(path.parent_path(), code);
    QSaveFile file(toQString(path.string()));
    if (!file.open(QIODevice::WriteOnly))
        return; // a full disk must not stop anybody from drawing
    file.write(QByteArray::fromStdString(json.dump()));
    file.commit();
}

} // namespace

PlanAutosave::PlanAutosave(PlanDocument& document, PlanFiles& files,
                           const std::filesystem::path& home, QObject* parent)
    : QObject(parent), m_document(document), m_files(files), m_folder(home / "unsaved"),
      m_stem(m_folder / QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString()),
      m_file(with(m_stem, planEnding)), m_lock(FileLock::tryTake(with(m_stem, lockEnding))),
      m_background(std::make_unique<Background>())
{
    m_delay.setSingleShot(true);
    m_delay.setInterval(quietMilliseconds);
    connect(&m_delay, &QTimer::timeout, this, &PlanAutosave::writeNow);
    connect(&document, &PlanDocument::changed, &m_delay, qOverload<>(&QTimer::start));
    connect(&files, &PlanFiles::changed, &m_delay, qOverload<>(&QTimer::start));
}

PlanAutosave::~PlanAutosave()
{
    m_background.reset(); // what is being written is so first
    forget(m_stem);
}

void PlanAutosave::writeNow()
{
    m_delay.stop();
    m_background->post(this,
                       [this, path = m_file, plan = m_files.asFile(), from = m_files.path(),
                        clean = !m_files.isUnsaved()]() -> Background::Delivery {
                           write(path, plan, from, clean);
                           return [this] { emit written(); };
                       });
}

bool PlanAutosave::restore()
{
    const Kept left = leftBehind(m_folder);
    if (left.stem.empty())
        return false;
    const QString path = toQString(with(left.stem, planEnding).string());
    try {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            return false;
        nlohmann::json json = nlohmann::json::parse(file.readAll().toStdString());
        const nlohmann::json own = json.value(ownKey, nlohmann::json::object());
        json.erase(ownKey);
        PlanFile plan = planFileFromJson(json, path.toStdString());
        m_files.restore(std::move(plan), toQString(own.value("path", std::string())),
                        !own.value("clean", false), left.others);
    } catch (const std::exception&) {
        QFile::rename(path, path + QStringLiteral(".damaged"));
        forget(left.stem);
        return false;
    }
    write(m_file, m_files.asFile(), m_files.path(), !m_files.isUnsaved());
    forget(left.stem);
    return true;
}

} // namespace triaxis::ui
