#pragma once

#include "ui/window/key_list.h"

#include <QDialog>

class QDialogButtonBox;
class QScrollArea;

namespace triaxis::ui
{

/// Every key of the parent's window on one sheet, and the way to change those that can be changed.
class KeySheet : public QDialog
{
    Q_OBJECT
public:
    explicit KeySheet(QWidget* parent = nullptr);

    const std::vector<KeySection>& sections() const { return m_sections; }

private:
    void fill();
    void changeKeys();

    std::vector<KeySection> m_sections;
    QScrollArea* m_scroll;
    QDialogButtonBox* m_buttons;
};

} // namespace triaxis::ui
