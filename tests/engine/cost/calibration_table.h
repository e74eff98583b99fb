#pragma once

#include <QDir>
#include <QFile>
#include <QString>
#include <QStringList>

#include <algorithm>
#include <vector>

/// Rows of a measured table under $TRIAXIS_SHARED/published, split at commas outside of quotes;
/// none where the table is not there.
inline std::vector<QStringList> measuredRows(const QString& table)
{
    const QString folder = qEnvironmentVariable("TRIAXIS_SHARED");
    QFile file(QDir(folder).filePath("published/" + table));
    std::vector<QStringList> rows;
    if (folder.isEmpty() || !file.open(QIODevice::ReadOnly | QIODevice::Text))
        return rows;
    file.readLine();
    while (!file.atEnd()) {
        QStringList fields{QString()};
        bool quoted = false;
        for (const QChar letter : QString::fromUtf8(file.readLine()).trimmed()) {
            if (letter == '"')
                quoted = !quoted;
            else if (letter == ',' && !quoted)
                fields.append(QString());
            else
                fields.back() += letter;
        }
        rows.push_back(fields);
    }
    return rows;
}

struct MeasuredReduction
{
    int ranks = 0;
    double bytes = 0;
    double seconds = 0;
};

/// All-reduces within a node of one system. The cube mesh of V100s has fewer links for fewer than 8
/// ranks: those are left out.
inline std::vector<MeasuredReduction> measuredReductions(const QString& table,
                                                         const QString& system)
{
    std::vector<MeasuredReduction> found;
    for (const QStringList& row : measuredRows(table)) {
        if (row[0] != system)
            continue;
        if (table.contains("vidur")) {
            if (row[1] == "all_reduce" && row[2] == row[3])
                found.push_back({row[2].toInt(), row[4].toDouble(), row[5].toDouble() * 1e-3});
        } else if (system != "V100" || row[1] == "8") {
            found.push_back({row[1].toInt(), row[2].toDouble(), row[3].toDouble() * 1e-6});
        }
    }
    return found;
}

inline double medianOf(std::vector<double> values)
{
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}
