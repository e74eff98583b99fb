// Holds the arrows of the design: which folder may include which, and where Qt, MPI and BLAS may appear.

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

namespace
{

struct Arrow
{
    const char* folder;   ///< path prefix of the including file
    const char* forbidden; ///< regular expression over the included path
};

const Arrow arrows[] = {
    {"kernels/", "^(engine|storage|launcher|ui|app)/"},
    {"engine/", "^(storage|launcher|ui|app)/"},
    {"storage/", "^(kernels|launcher|ui|app|engine/train)/"},
    {"launcher/", "^(kernels|storage|ui|app|engine/train)/"},
    {"ui/", "^(kernels|app|engine/train)/"},
    {"app/cli/", "^(kernels|ui|engine/train)/"},
    {"app/rank/", "^(storage|launcher|ui)/"},
    {"app/gui/", "^(kernels|engine/train)/"},
    // outside ui, app/gui: no Qt; outside kernels: no MPI, BLAS, CUDA, NCCL; outside storage: no SQLite
    {"kernels/", "^(Q[A-Z]|qcustomplot|Qt)"},
    {"engine/", "^(Q[A-Z]|qcustomplot|Qt)"},
    {"storage/", "^(Q[A-Z]|qcustomplot|Qt)"},
    {"launcher/", "^(Q[A-Z]|qcustomplot|Qt)"},
    {"app/cli/", "^(Q[A-Z]|qcustomplot|Qt)"},
    {"app/rank/", "^(Q[A-Z]|qcustomplot|Qt)"},
    {"engine/", "^(mpi\\.h|cblas|openblas|cuda|nccl|sqlite3)"},
    {"storage/", "^(mpi\\.h|cblas|openblas|cuda|nccl)"},
    {"launcher/", "^(mpi\\.h|cblas|openblas|cuda|nccl|sqlite3)"},
    {"ui/", "^(mpi\\.h|cblas|openblas|cuda|nccl|sqlite3)"},
    {"app/", "^(mpi\\.h|cblas|openblas|cuda|nccl|sqlite3)"},
};

QString contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Whether a source converts floating-point numbers with functions of the C library.
bool heedsLocale(const QString& source)
{
    static const QRegularExpression reads("\\b(strto(f|d|ld)|sto(f|d|ld)|atof|sscanf)\\s*\\(");
    static const QRegularExpression writes("printf\\s*\\([^;\"]*\"[^\"]*%[-+ #0-9.*]*[aefgAEFG][^;]*");
    return reads.match(source).hasMatch() || writes.match(source).hasMatch();
}

QStringList includesOf(const QString& path)
{
    QStringList found;
    static const QRegularExpression include("^\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"]",
                                            QRegularExpression::MultilineOption);
    auto match = include.globalMatch(contentOf(path));
    while (match.hasNext())
        found.append(match.next().captured(1));
    return found;
}

/// Only engine/train may include kernels.
bool kernelsFromPlainEngine(const QString& file, const QString& include)
{
    return file.startsWith("engine/") && !file.startsWith("engine/train/") &&
           (include.startsWith("kernels/") || include.startsWith("engine/train/"));
}

QString broken(const QString& file, const QString& include)
{
    for (const Arrow& arrow : arrows)
        if (file.startsWith(arrow.folder) && QRegularExpression(arrow.forbidden).match(include).hasMatch())
            return file + " includes " + include;
    return kernelsFromPlainEngine(file, include) ? file + " includes " + include : QString();
}

} // namespace

class StructureTest : public QObject
{
    Q_OBJECT

private slots:
    void includesFollowTheArrows()
    {
        const QDir top(TRIAXIS_SOURCE);
        int files = 0;
        QStringList findings;
        for (const char* folder : {"kernels", "engine", "storage", "launcher", "ui", "app"}) {
            QDirIterator it(top.filePath(folder), {"*.h", "*.cpp", "*.cu"}, QDir::Files, QDirIterator::Subdirectories);
            while (it.hasNext()) {
                const QString path = it.next();
                ++files;
                for (const QString& include : includesOf(path))
                    if (const QString finding = broken(top.relativeFilePath(path), include); !finding.isEmpty())
                        findings.append(finding);
            }
        }
        QVERIFY2(files > 50, "the source tree was not found");
        QVERIFY2(findings.isEmpty(), qPrintable(findings.join('\n')));
    }

    /// These heed the locale, which a window under a German desktop has: a comma in a file, or a file that is not read.
    void numbersDoNotHeedTheLocale()
    {
        const QDir top(TRIAXIS_SOURCE);
        QStringList findings;
        for (const char* folder : {"kernels", "engine", "storage", "launcher", "ui", "app/gui", "app/rank"}) {
            QDirIterator it(top.filePath(folder), {"*.h", "*.cpp", "*.cu"}, QDir::Files, QDirIterator::Subdirectories);
            while (it.hasNext()) {
                const QString path = it.next();
                if (heedsLocale(contentOf(path)))
                    findings.append(top.relativeFilePath(path));
            }
        }
        QVERIFY2(findings.isEmpty(), qPrintable(findings.join('\n')));
        for (const char* text : {"std::stod(text)", "strtof (a, b)", "snprintf(b, n, \"%.3f\", x)",
                                 "fprintf(f,\n    \"%d of %g\", a, x)"})
            QVERIFY2(heedsLocale(text), text);
        for (const char* text : {"snprintf(b, n, \"%04d\", x)", "restore(x)", "\"100 %\" + format"})
            QVERIFY2(!heedsLocale(text), text);
    }

    void theScanFindsABrokenArrow()
    {
        QVERIFY(!broken("engine/model/x.cpp", "QString").isEmpty());
        QVERIFY(!broken("engine/model/x.cpp", "kernels/device.h").isEmpty());
        QVERIFY(broken("engine/train/x.cpp", "kernels/device.h").isEmpty());
        QVERIFY(!broken("ui/x.cpp", "mpi.h").isEmpty());
    }
};

QTEST_APPLESS_MAIN(StructureTest)
#include "structure_test.moc"
