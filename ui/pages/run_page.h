#pragma once

#include <QWidget>

class QPushButton;
class QStackedWidget;

namespace triaxis::ui
{

class EmptyState;
class PageHeader;
class RunView;

/// The run that goes on, or the last one that did, with a button to stop it.
class RunPage : public QWidget
{
    Q_OBJECT
public:
    explicit RunPage(QWidget* parent = nullptr);

    void open(const QString& directory, int starter = 0);
    RunView* view() const { return m_view; }
    /// A run is shown and not over.
    bool isActive() const;

signals:
    void planRequested();
    void historyRequested();
    /// The run may have begun, gone on or ended.
    void changed();

private:
    void refresh();
    void stop();
    void showFolder();

    PageHeader* m_header;
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    RunView* m_view;
    QPushButton* m_folder;
    QPushButton* m_stop;
    bool m_stopAsked = false;
};

} // namespace triaxis::ui
