#include "ui/panels/run_panel.h"

#include "ui/theme/fonts.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

namespace triaxis::ui
{

RunPanel::RunPanel(const QString& name, const QString& title, QWidget* parent)
    : QWidget(parent), m_title(title), m_basis(new QLabel), m_controls(new QHBoxLayout),
      m_scroll(new QScrollArea), m_content(nullptr)
{
    setObjectName(name);
    setAccessibleName(title);
    m_basis->setProperty("role", "small");
    m_basis->setObjectName(name + QStringLiteral("Basis"));
    m_basis->setWordWrap(true);
    m_basis->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_controls->setSpacing(6);
    m_controls->addWidget(m_basis, 1);
    auto* inside = new QWidget;
    m_content = new QVBoxLayout(inside);
    m_content->setContentsMargins(0, 0, 0, 0);
    m_content->setSpacing(8);
    m_scroll->setWidget(inside);
    inside->setAutoFillBackground(false); // which setWidget() turns on
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->viewport()->setAutoFillBackground(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addLayout(m_controls);
    layout->addWidget(m_scroll, 1);
}

void RunPanel::setRun(const RunData* run)
{
    m_run = run;
    m_steps = {};
    markStale();
}

void RunPanel::setSteps(const ShownSteps& steps)
{
    if (steps == m_steps)
        return;
    m_steps = steps;
    markStale();
}

void RunPanel::runGrown()
{
    markStale();
}

void RunPanel::markStale()
{
    refreshWholeRun();
    m_stale = true;
    if (isVisible()) {
        m_stale = false;
        refresh();
    }
}

void RunPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_stale) {
        m_stale = false;
        refresh();
    }
}

void RunPanel::setBasis(const QString& text)
{
    m_basis->setText(text);
    m_basis->setToolTip(text);
}

void RunPanel::addControl(QWidget* control)
{
    m_controls->addWidget(control);
}

void RunPanel::addWholeRun()
{
    m_wholeRun = new QPushButton(tr("Whole run"));
    m_wholeRun->setObjectName(objectName() + QStringLiteral("WholeRun"));
    m_wholeRun->setProperty("look", "tab");
    m_wholeRun->setToolTip(tr("Show all steps in the timeline, and their means here "
                              "(Home in the timeline)"));
    connect(m_wholeRun, &QPushButton::clicked, this, &RunPanel::wholeRunRequested);
    addControl(m_wholeRun);
    refreshWholeRun();
}

void RunPanel::refreshWholeRun()
{
    if (!m_wholeRun)
        return;
    const auto [first, last] = m_run ? m_run->lanes()->steps() : std::pair(0, -1);
    m_wholeRun->setVisible(first < last && (m_steps.first > first || m_steps.last < last));
}

void RunPanel::addFoldout(const QString& title, const QString& explanation)
{
    auto* button = new QToolButton;
    button->setObjectName(objectName() + QStringLiteral("Help"));
    button->setText(title);
    button->setAccessibleName(title);
    button->setCheckable(true);
    button->setArrowType(Qt::RightArrow);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    auto* text = new QLabel(explanation);
    text->setObjectName(objectName() + QStringLiteral("HelpText"));
    text->setProperty("role", "small");
    text->setTextFormat(Qt::RichText);
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    text->hide();
    connect(button, &QToolButton::toggled, this, [button, text](bool open) {
        button->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
        text->setVisible(open);
    });
    m_content->addWidget(button, 0, Qt::AlignLeft);
    m_content->addWidget(text);
}

QLabel* sectionTitle(const QString& text)
{
    auto* label = new QLabel(text);
    label->setProperty("role", "title");
    return label;
}

QLabel* emptyHint()
{
    auto* label = new QLabel;
    label->setProperty("role", "muted");
    label->setAlignment(Qt::AlignCenter);
    label->setWordWrap(true);
    label->setMinimumHeight(scaled(80));
    return label;
}

} // namespace triaxis::ui
