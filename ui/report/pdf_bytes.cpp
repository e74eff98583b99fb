#include "ui/report/pdf_bytes.h"

#include <QDateTime>
#include <QHash>

namespace triaxis::ui
{

SteadyHashes::SteadyHashes()
{
    QHashSeed::setDeterministicGlobalSeed();
}

SteadyHashes::~SteadyHashes()
{
    QHashSeed::resetRandomGlobalSeed();
}

void setCreationDate(QByteArray& pdf, const std::string& utc)
{
    static const QByteArray key = "/CreationDate (D:";
    const qsizetype at = pdf.indexOf(key);
    const qsizetype end = pdf.indexOf(')', at);
    if (at < 0 || end < 0)
        return;
    QDateTime date = QDateTime::fromString(QString::fromStdString(utc), Qt::ISODate);
    if (!date.isValid())
        date = QDateTime::currentDateTimeUtc();
    const qsizetype first = at + key.size();
    // As long as what was there: the table of offsets stays right.
    QByteArray text = date.toUTC().toString(QStringLiteral("yyyyMMddHHmmss")).toLatin1();
    const qsizetype room = end - first;
    text += room >= text.size() + 7 ? "+00'00'" : "Z";
    pdf.replace(first, room, text.leftJustified(room, ' ', true));
}

} // namespace triaxis::ui
