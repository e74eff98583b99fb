#include "ui/window/glossary_dialog.h"

#include "engine/formats/glossary.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/theme/fonts.h"
#include "ui/widgets/dialog_size.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/scrolling.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

QString capitalised(QString text)
{
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

QLabel* textLabel(const QString& text, const char* role)
{
    auto* label = new QLabel(text);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    if (role)
        label->setProperty("role", role);
    return label;
}

QWidget* makeCard(const GlossaryEntry& entry)
{
    auto* card = new Panel(capitalised(spoken(entry.term)));
    if (!entry.unit.empty())
        card->setHint(spoken(entry.unit));
    if (!entry.formula.empty())
        card->body()->addWidget(textLabel(QStringLiteral("= ") + spoken(entry.formula), nullptr));
    card->body()->addWidget(textLabel(spoken(entry.definition), "muted"));
    card->setAccessibleName(spoken(entry.term));
    card->setAccessibleDescription(spoken(entry.definition));
    return card;
}

QString searchedText(const GlossaryEntry& entry)
{
    QString text;
    for (const std::string& part : {entry.term, entry.unit, entry.formula, entry.definition})
        text += spoken(part) + QLatin1Char('\n') + toQString(part) + QLatin1Char('\n');
    return text.toLower();
}

} // namespace

GlossaryDialog::GlossaryDialog(QWidget* parent)
    : QDialog(parent), m_search(new QLineEdit), m_count(new QLabel),
      m_none(new QLabel(tr("No number is called or defined so."))), m_scroll(nullptr)
{
    setObjectName(QStringLiteral("glossary"));
    setWindowTitle(tr("Glossary"));
    build();
    connect(m_search, &QLineEdit::textChanged, this, &GlossaryDialog::refresh);
    m_search->installEventFilter(this);
    resizeWithinScreen(*this, {680, 640});
    refresh();
    m_search->setFocus();
}

void GlossaryDialog::build()
{
    m_search->setObjectName(QStringLiteral("glossarySearch"));
    m_search->setPlaceholderText(tr("Search terms, definitions, units"));
    m_search->setAccessibleName(tr("Search the glossary"));
    m_search->setClearButtonEnabled(true);
    m_count->setProperty("role", "small");
    m_none->setProperty("role", "muted");
    m_none->setAlignment(Qt::AlignCenter);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 4, 0);
    column->setSpacing(8);
    for (const GlossaryEntry& entry : glossary()) {
        m_entries.push_back({toQString(entry.id), searchedText(entry), makeCard(entry)});
        column->addWidget(m_entries.back().card);
    }
    column->addWidget(m_none);
    column->addStretch(1);
    m_scroll = scrolling(content);
    m_scroll->setFocusPolicy(Qt::StrongFocus);
    m_scroll->setAccessibleName(tr("Terms"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* head = new QHBoxLayout;
    head->setSpacing(12);
    head->addWidget(m_search, 1);
    head->addWidget(m_count);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 14);
    layout->setSpacing(12);
    layout->addLayout(head);
    layout->addWidget(m_scroll, 1);
    layout->addWidget(buttons);
}

void GlossaryDialog::setSearch(const QString& words)
{
    m_search->setText(words);
}

void GlossaryDialog::refresh()
{
    const QStringList words =
        m_search->text().toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    std::int64_t shown = 0;
    for (const Entry& entry : m_entries) {
        const bool matches = std::all_of(words.begin(), words.end(), [&](const QString& word) {
            return entry.text.contains(word);
        });
        entry.card->setVisible(matches);
        shown += matches;
    }
    m_none->setVisible(shown == 0);
    m_count->setText(counted(shown, QStringLiteral("term")));
    m_scroll->verticalScrollBar()->setValue(0);
}

QStringList GlossaryDialog::shownEntries() const
{
    QStringList ids;
    for (const Entry& entry : m_entries)
        if (!entry.card->isHidden())
            ids << entry.id;
    return ids;
}

void GlossaryDialog::showEntry(const QString& id)
{
    m_search->clear();
    for (const Entry& entry : m_entries) {
        if (entry.id != id)
            continue;
        m_scroll->widget()->layout()->activate();
        m_scroll->verticalScrollBar()->setValue(entry.card->y());
    }
}

/// Keys that scroll reach the list also from the search field.
bool GlossaryDialog::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down || key == Qt::Key_Up || key == Qt::Key_PageDown ||
            key == Qt::Key_PageUp) {
            keyPressEvent(static_cast<QKeyEvent*>(event));
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

void GlossaryDialog::keyPressEvent(QKeyEvent* event)
{
    QScrollBar* bar = m_scroll->verticalScrollBar();
    switch (event->key()) {
    case Qt::Key_Down:
        bar->triggerAction(QScrollBar::SliderSingleStepAdd);
        return;
    case Qt::Key_Up:
        bar->triggerAction(QScrollBar::SliderSingleStepSub);
        return;
    case Qt::Key_PageDown:
        bar->triggerAction(QScrollBar::SliderPageStepAdd);
        return;
    case Qt::Key_PageUp:
        bar->triggerAction(QScrollBar::SliderPageStepSub);
        return;
    default:
        QDialog::keyPressEvent(event);
    }
}

} // namespace triaxis::ui
