#include "ui/widgets/page_header.h"

#include "ui/theme/fonts.h"
#include "ui/theme/text_size.h"
#include "ui/widgets/elided_label.h"

#include <QHBoxLayout>

namespace triaxis::ui
{

PageHeader::PageHeader(QWidget* parent)
    : QWidget(parent), m_row(new QHBoxLayout(this)), m_title(new ElidedLabel),
      m_detail(new ElidedLabel)
{
    m_title->setProperty("role", "page");
    m_title->setObjectName(QStringLiteral("pageTitle"));
    m_detail->setProperty("role", "muted");
    m_row->setContentsMargins(4, 0, 0, 0);
    m_row->setSpacing(8);
    m_row->addWidget(m_title);
    m_row->addWidget(m_detail);
    m_row->addStretch(1);
    followTextSize(this, [this] { setMinimumHeight(scaled(28)); });
}

void PageHeader::setTitle(const QString& title, const QString& detail)
{
    m_title->setText(title);
    m_detail->setText(detail);
    setAccessibleName(title);
}

QString PageHeader::title() const
{
    return m_title->text();
}

void PageHeader::addLeading(QWidget* widget)
{
    m_row->insertWidget(m_leading++, widget);
}

void PageHeader::addAction(QWidget* widget)
{
    m_row->addWidget(widget);
}

} // namespace triaxis::ui
