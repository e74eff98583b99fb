#include "ui/theme/text_size.h"

#include <QEvent>
#include <QWidget>

namespace triaxis::ui
{
namespace
{

class Follower : public QObject
{
public:
    Follower(QWidget* widget, std::function<void()> apply)
        : QObject(widget), m_apply(std::move(apply))
    {
        widget->installEventFilter(this);
        m_apply();
    }

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (watched == parent() && event->type() == QEvent::FontChange)
            m_apply();
        return false;
    }

private:
    std::function<void()> m_apply;
};

} // namespace

void followTextSize(QWidget* widget, std::function<void()> apply)
{
    new Follower(widget, std::move(apply));
}

} // namespace triaxis::ui
