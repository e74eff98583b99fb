#pragma once

#include <QDialog>

namespace triaxis::ui
{

/// Every key of the window on one sheet.
class KeySheet : public QDialog
{
    Q_OBJECT
public:
    explicit KeySheet(QWidget* parent = nullptr);
};

} // namespace triaxis::ui
