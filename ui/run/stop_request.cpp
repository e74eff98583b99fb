#include "ui/run/stop_request.h"

#include "engine/core/error.h"
#include "engine/record/run_directory.h"
#include "ui/base/text.h"

#include <QFile>

namespace triaxis::ui
{

void requestStop(const std::filesystem::path& directory)
{
    const std::filesystem::path file = RunDirectory::open(directory).stopRequest();
    QFile request(toQString(file.string()));
    if (!request.open(QIODevice::WriteOnly))
        throw Error("cannot stop the run", file.string() + ": " + request.errorString().toStdString(),
                    "see that its folder can be written");
}

} // namespace triaxis::ui
