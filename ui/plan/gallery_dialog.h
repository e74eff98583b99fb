#pragma once

#include <QDialog>

class QListWidget;

namespace triaxis::ui
{

/// Plans to begin with: each with a small picture of its floor and a sentence.
class GalleryDialog : public QDialog
{
    Q_OBJECT
public:
    explicit GalleryDialog(QWidget* parent = nullptr);

    /// Name of the example that was chosen.
    std::string chosen() const;

private:
    QListWidget* m_list;
};

} // namespace triaxis::ui
