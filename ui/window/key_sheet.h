#pragma once

#include <QDialog>

class QDialogButtonBox;
class QScrollArea;

namespace triaxis::ui
{

/// Every key of the window on one sheet, and the way to change those that can be changed.
class KeySheet : public QDialog
{
    Q_OBJECT
public:
    explicit KeySheet(QWidget* parent = nullptr);

private:
    void fill();
    void changeKeys();

    QScrollArea* m_scroll;
    QDialogButtonBox* m_buttons;
};

} // namespace triaxis::ui
