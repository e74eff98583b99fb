#include "ui/plan/plan_autosave.h"

#include "engine/core/error.h"
#include "engine/formats/plan_file.h"
#include "ui/base/text.h"
#include "ui/plan/plan_document.h"
#include "ui/plan/plan_files.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include <csignal>

namespace triaxis::ui
{
namespace
{

constexpr int quietMilliseconds = 400;
constexpr const char* ownKey = "autosave"; // beside what plan files have

bool isRunning(qint64 process)
{
    return process == QCoreApplication::applicationPid() ||
           (process > 0 && ::kill(pid_t(process), 0) == 0);
}

/// The newest file of a window that is no more; empty without one.
QString leftBehind(const std::filesystem::path& folder)
{
    const QDir directory(toQString(folder.string()));
    for (const QFileInfo& file :
         directory.entryInfoList({QStringLiteral("*.triaxis")}, QDir::Files, QDir::Time))
        if (!isRunning(file.completeBaseName().toLongLong()))
            return file.absoluteFilePath();
    return {};
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
      m_file(m_folder / (std::to_string(QCoreApplication::applicationPid()) + ".triaxis")),
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
    QFile::remove(toQString(m_file.string()));
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
    const QString left = leftBehind(m_folder);
    if (left.isEmpty())
        return false;
    try {
        QFile file(left);
        if (!file.open(QIODevice::ReadOnly))
            return false;
        nlohmann::json json = nlohmann::json::parse(file.readAll().toStdString());
        const nlohmann::json own = json.value(ownKey, nlohmann::json::object());
        json.erase(ownKey);
        PlanFile plan = planFileFromJson(json, left.toStdString());
        const QString path = toQString(own.value("path", std::string()));
        m_files.restore(std::move(plan), path, !own.value("clean", false));
    } catch (const std::exception&) {
        QFile::rename(left, left + QStringLiteral(".damaged"));
        return false;
    }
    write(m_file, m_files.asFile(), m_files.path(), !m_files.isUnsaved());
    if (left != toQString(m_file.string()))
        QFile::remove(left);
    return true;
}

} // namespace triaxis::ui
