#pragma once

#include <QTemporaryDir>

namespace triaxis::tests
{

/// Settings of a test's own, empty, in a folder that ends with it; nothing of the user is read or written.
class OwnSettings
{
public:
    OwnSettings();
    QString folder() const { return m_folder.path(); }

private:
    QTemporaryDir m_folder;
};

} // namespace triaxis::tests
