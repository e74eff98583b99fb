#include "ui/panels/panel_tabs.h"

#include "ui/panels/run_panel.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"
#include "ui/widgets/icon_button.h"

#include <QAction>
#include <QCloseEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSettings>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <functional>

namespace triaxis::ui
{
namespace
{

const QString pageSetting = QStringLiteral("run/page");

/// A window around a page; tells when it is closed.
class Floating : public QWidget
{
public:
    Floating(QWidget* owner, const QString& title, std::function<void()> closed)
        : QWidget(owner, Qt::Window), m_closed(std::move(closed))
    {
        setWindowTitle(title);
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(14, 12, 14, 12);
    }

protected:
    void closeEvent(QCloseEvent* event) override
    {
        event->accept();
        m_closed();
    }
    void keyPressEvent(QKeyEvent* event) override
    {
        if (event->matches(QKeySequence::Close) || event->key() == Qt::Key_Escape)
            close();
        else
            QWidget::keyPressEvent(event);
    }
    void paintEvent(QPaintEvent*) override
    {
        QPainter(this).fillRect(rect(), themeOf(palette()).panel);
    }

private:
    std::function<void()> m_closed;
};

} // namespace

PanelTabs::PanelTabs(std::vector<RunPanel*> pages, QWidget* shortcuts, QWidget* parent)
    : Panel({}, parent), m_pages(std::move(pages)), m_windows(m_pages.size(), nullptr),
      m_tabs(new QTabBar), m_stack(new QStackedWidget),
      m_detach(new IconButton(QStringLiteral("detach"), tr("Show in a window of its own")))
{
    setObjectName(QStringLiteral("panelTabs"));
    setAccessibleName(tr("Figures of the run"));
    m_tabs->setObjectName(QStringLiteral("panelTabBar"));
    m_tabs->setAccessibleName(tr("Which figures are shown"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(false);
    m_tabs->setElideMode(Qt::ElideRight);
    m_detach->setObjectName(QStringLiteral("detachPanel"));
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        RunPanel* page = m_pages[i];
        connect(page, &RunPanel::wholeRunRequested, this, &PanelTabs::wholeRunRequested);
        const int tab = m_tabs->addTab(page->tabText());
        m_tabs->setTabToolTip(tab, QStringLiteral("%1 (Alt+%2)").arg(page->title()).arg(tab + 1));
        auto* place = new QWidget;
        auto* inside = new QVBoxLayout(place);
        inside->setContentsMargins(0, 0, 0, 0);
        inside->addWidget(page);
        m_stack->addWidget(place);
        auto* action = new QAction(tr("Show %1").arg(page->title()), this);
        action->setObjectName(page->objectName() + QStringLiteral("Action"));
        action->setShortcut(QKeySequence(Qt::ALT | Qt::Key(Qt::Key_1 + tab)));
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, [this, tab] { showPage(tab); });
        m_actions.push_back(action);
        shortcuts->addAction(action);
    }
    auto* out = new QAction(tr("Show figures in a window of their own"), this);
    out->setObjectName(QStringLiteral("detachPanelAction"));
    out->setShortcut(QKeySequence(Qt::ALT | Qt::Key_0));
    out->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(out, &QAction::triggered, this, &PanelTabs::detach);
    m_actions.push_back(out);
    shortcuts->addAction(out);
    auto* row = new QHBoxLayout;
    row->setSpacing(2);
    row->addWidget(m_tabs, 1);
    row->addWidget(m_detach);
    body()->setContentsMargins(10, 6, 10, 10);
    body()->setSpacing(4);
    body()->addLayout(row);
    body()->addWidget(m_stack, 1);
    connect(m_detach, &QToolButton::clicked, this, &PanelTabs::detach);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
        m_stack->setCurrentIndex(index);
        QSettings().setValue(pageSetting, index);
        refreshButton();
    });
    showPage(QSettings().value(pageSetting, 1).toInt());
}

PanelTabs::~PanelTabs() = default;

void PanelTabs::showPage(int index)
{
    if (index < 0 || index >= int(m_pages.size()))
        return;
    m_tabs->setCurrentIndex(index);
    m_stack->setCurrentIndex(index);
    if (QWidget* window = m_windows[std::size_t(index)]) {
        window->raise();
        window->activateWindow();
    }
    refreshButton();
}

int PanelTabs::page() const
{
    return m_tabs->currentIndex();
}

void PanelTabs::setRun(const RunData* run)
{
    for (RunPanel* page : m_pages)
        page->setRun(run);
}

void PanelTabs::setSteps(const ShownSteps& steps)
{
    for (RunPanel* page : m_pages)
        page->setSteps(steps);
}

void PanelTabs::runGrown()
{
    for (RunPanel* page : m_pages)
        page->runGrown();
}

QWidget* PanelTabs::placeOf(int index) const
{
    return m_stack->widget(index);
}

bool PanelTabs::isDetached(int index) const
{
    return m_windows[std::size_t(index)] != nullptr;
}

void PanelTabs::detach()
{
    const int index = page();
    if (isDetached(index)) {
        m_windows[std::size_t(index)]->close();
        return;
    }
    RunPanel* panel = m_pages[std::size_t(index)];
    auto* window = new Floating(this, panel->title(), [this, index] { takeBack(index); });
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->layout()->addWidget(panel);
    window->resize(scaled(560), scaled(560));
    m_windows[std::size_t(index)] = window;
    auto* back = new QPushButton(tr("Bring %1 back").arg(panel->title()));
    back->setObjectName(QStringLiteral("bringBack"));
    connect(back, &QPushButton::clicked, window, &QWidget::close);
    auto* layout = static_cast<QVBoxLayout*>(placeOf(index)->layout());
    layout->addWidget(back, 0, Qt::AlignCenter);
    panel->show();
    window->show();
    refreshButton();
}

void PanelTabs::takeBack(int index)
{
    m_windows[std::size_t(index)] = nullptr;
    auto* layout = static_cast<QVBoxLayout*>(placeOf(index)->layout());
    delete placeOf(index)->findChild<QPushButton*>(QStringLiteral("bringBack"));
    layout->addWidget(m_pages[std::size_t(index)]);
    m_pages[std::size_t(index)]->show();
    refreshButton();
}

void PanelTabs::refreshButton()
{
    const bool out = isDetached(page());
    const QString hint = out ? tr("Bring it back from its window (Alt+0)")
                             : tr("Show in a window of its own (Alt+0)");
    m_detach->setToolTip(hint);
    m_detach->setAccessibleName(hint);
}

void PanelTabs::changeEvent(QEvent* event)
{
    Panel::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        m_tabs->updateGeometry();
}

} // namespace triaxis::ui
