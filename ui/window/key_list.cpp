#include "ui/window/key_list.h"

#include "ui/base/widget_keys.h"
#include "ui/timeline/key_commands.h"
#include "ui/base/words.h"

#include <QAbstractButton>
#include <QAction>
#include <QKeySequence>
#include <QWidget>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

/// Sections are known by their English names and said in the language of the window.
constexpr const char* sectionNames[] = {
    QT_TRANSLATE_NOOP("Words", "Window"),      QT_TRANSLATE_NOOP("Words", "Plan"),
    QT_TRANSLATE_NOOP("Words", "Plan: floor"), QT_TRANSLATE_NOOP("Words", "Plan: form"),
    QT_TRANSLATE_NOOP("Words", "Run"),         QT_TRANSLATE_NOOP("Words", "Run: figures"),
    QT_TRANSLATE_NOOP("Words", "History"),     QT_TRANSLATE_NOOP("Words", "Timeline: mouse")};

const QString windowSection = QStringLiteral("Window");

/// Sections in the order of the pages; others come behind.
const QStringList& order()
{
    static const QStringList sections(std::begin(sectionNames), std::end(sectionNames));
    return sections;
}

class Gathered
{
public:
    void add(const QString& section, KeyLine line)
    {
        if (line.text.isEmpty())
            return;
        auto at = std::find_if(m_sections.begin(), m_sections.end(),
                               [&](const KeySection& one) { return one.title == section; });
        if (at == m_sections.end())
            at = m_sections.insert(m_sections.end(), {section, {}});
        const bool there =
            std::any_of(at->lines.begin(), at->lines.end(),
                        [&](const KeyLine& other) { return other.text == line.text; });
        if (!there)
            at->lines.push_back(std::move(line));
    }
    std::vector<KeySection> inOrder()
    {
        std::stable_sort(m_sections.begin(), m_sections.end(),
                         [](const KeySection& a, const KeySection& b) {
                             return placeOf(a.title) < placeOf(b.title);
                         });
        return std::move(m_sections);
    }

private:
    static qsizetype placeOf(const QString& title)
    {
        const qsizetype at = order().indexOf(title);
        return at < 0 ? order().size() : at;
    }

    std::vector<KeySection> m_sections;
};

QString plainText(QString text)
{
    return text.remove(QLatin1Char('&'));
}

/// "Shift+Left" as the system writes it; gestures stay as they are.
QString forPeople(const WidgetKey& key)
{
    QStringList names;
    for (const QString& one : key.keys) {
        const QKeySequence sequence(one, QKeySequence::PortableText);
        const bool known =
            !key.mouse && !sequence.isEmpty() && sequence[0].key() != Qt::Key_unknown;
        names << (known ? sequence.toString(QKeySequence::NativeText) : one);
    }
    return names.join(QStringLiteral(", "));
}

void addActions(Gathered& gathered, const QWidget& window)
{
    const auto actions = window.findChildren<QAction*>();
    for (const QAction* action : actions) {
        const QList<QKeySequence> keys = action->shortcuts();
        if (keys.isEmpty() || action->isSeparator() || keyCommand(action->objectName()))
            continue;
        gathered.add(keySectionOf(action, windowSection),
                     {keysText(keys), plainText(action->text())});
    }
    const auto buttons = window.findChildren<QAbstractButton*>();
    for (const QAbstractButton* button : buttons) {
        if (!button->shortcut().isEmpty())
            gathered.add(keySectionOf(button, windowSection),
                         {keysText({button->shortcut()}), plainText(button->text())});
    }
}

void addWidgetKeys(Gathered& gathered, const QWidget& window)
{
    const auto widgets = window.findChildren<QWidget*>();
    for (const QWidget* widget : widgets) {
        for (const WidgetKey& key : widgetKeys(widget))
            gathered.add(keySectionOf(widget, windowSection), {forPeople(key), key.text});
    }
}

void addCommands(Gathered& gathered)
{
    for (const KeyCommand& command : keyCommands()) {
        const QString keys = keysText(keysOf(QLatin1String(command.id)));
        gathered.add(
            QString::fromUtf8(command.section),
            {keys.isEmpty() ? QStringLiteral("–") : keys, Words::tr(command.text)});
    }
}

} // namespace

std::vector<KeySection> keySections(const QWidget& window)
{
    Gathered gathered;
    addActions(gathered, window);
    addWidgetKeys(gathered, window);
    addCommands(gathered);
    return gathered.inOrder();
}

} // namespace triaxis::ui
