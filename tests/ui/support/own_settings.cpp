#include "tests/ui/support/own_settings.h"

#include <QCoreApplication>
#include <QSettings>
#include <QStandardPaths>

namespace triaxis::tests
{

OwnSettings::OwnSettings()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("triaxis-test"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
    QSettings().clear();
}

} // namespace triaxis::tests
