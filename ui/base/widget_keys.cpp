#include "ui/base/widget_keys.h"

#include <QVariant>
#include <QWidget>

namespace triaxis::ui
{
namespace
{

constexpr const char* sectionProperty = "keySection";
constexpr const char* keysProperty = "widgetKeys";

} // namespace

void setKeySection(QWidget* widget, const QString& section)
{
    widget->setProperty(sectionProperty, section);
}

QString keySectionOf(const QObject* object, const QString& otherwise)
{
    for (const QObject* at = object; at; at = at->parent()) {
        const QVariant section = at->property(sectionProperty);
        if (section.isValid())
            return section.toString();
    }
    return otherwise;
}

void setWidgetKeys(QWidget* widget, const std::vector<WidgetKey>& keys)
{
    QVariantList kept;
    for (const WidgetKey& key : keys)
        kept << QVariant(QVariantList{key.keys, key.text, key.mouse});
    widget->setProperty(keysProperty, kept);
}

std::vector<WidgetKey> widgetKeys(const QWidget* widget)
{
    std::vector<WidgetKey> keys;
    for (const QVariant& kept : widget->property(keysProperty).toList()) {
        const QVariantList parts = kept.toList();
        keys.push_back(
            {parts.value(0).toStringList(), parts.value(1).toString(), parts.value(2).toBool()});
    }
    return keys;
}

} // namespace triaxis::ui
