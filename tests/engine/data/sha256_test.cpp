#include "engine/data/sha256.h"
#include "engine/data/token_source.h"
#include "tests/engine/core/expect_error.h"

#include <QCryptographicHash>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>

using namespace triaxis;

namespace
{

std::string hashOf(const QByteArray& data)
{
    Sha256 hash;
    hash.add(data.constData(), std::size_t(data.size()));
    return hash.finish();
}

} // namespace

class Sha256Test : public QObject
{
    Q_OBJECT

private slots:
    void givesThePublishedDigests_data();
    void givesThePublishedDigests();
    void agreesWithQtForEveryLengthAroundTheBlockSize();
    void piecesGiveTheSameDigestAsTheWhole();
    void hashesFiles();
    void refusesWhatIsNoFile();
};

// FIPS 180-4 examples and the NIST test vectors for SHA-256.
void Sha256Test::givesThePublishedDigests_data()
{
    QTest::addColumn<QByteArray>("data");
    QTest::addColumn<QString>("digest");
    QTest::newRow("empty") << QByteArray()
                           << "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    QTest::newRow("abc") << QByteArray("abc")
                         << "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    QTest::newRow("two blocks")
        << QByteArray("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        << "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";
    QTest::newRow("a million a")
        << QByteArray(1'000'000, 'a')
        << "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
    QTest::newRow("one byte") << QByteArray("\xbd")
                              << "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b";
}

void Sha256Test::givesThePublishedDigests()
{
    QFETCH(QByteArray, data);
    QFETCH(QString, digest);
    QCOMPARE(QString::fromStdString(hashOf(data)), digest);
}

void Sha256Test::agreesWithQtForEveryLengthAroundTheBlockSize()
{
    QByteArray data;
    for (int length = 0; length < 300; ++length) {
        const QByteArray expected =
            QCryptographicHash::hash(data, QCryptographicHash::Sha256).toHex();
        QCOMPARE(QByteArray::fromStdString(hashOf(data)), expected);
        data.append(char(length * 7 + 1));
    }
}

void Sha256Test::piecesGiveTheSameDigestAsTheWhole()
{
    QByteArray data;
    for (int i = 0; i < 1000; ++i)
        data.append(char(i % 251));
    for (const int piece : {1, 3, 63, 64, 65, 130, 999}) {
        Sha256 hash;
        for (int first = 0; first < data.size(); first += piece) {
            const QByteArray part = data.mid(first, piece);
            hash.add(part.constData(), std::size_t(part.size()));
        }
        QCOMPARE(hash.finish(), hashOf(data));
    }
}

void Sha256Test::hashesFiles()
{
    QTemporaryDir folder;
    const QString path = folder.filePath("data");
    const QByteArray data(200'001, 'x');
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(data);
    file.close();
    QCOMPARE(fileSha256(path.toStdString()), hashOf(data));
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.close();
    QCOMPARE(fileSha256(path.toStdString()), hashOf({}));
}

void Sha256Test::refusesWhatIsNoFile()
{
    QTemporaryDir folder;
    const std::string base = folder.path().toStdString();
    QVERIFY(errorText([&] { fileSha256(base); }).contains("no regular file"));
    QVERIFY(errorText([&] { fileSha256(base + "/none"); }).contains("none"));
    QCOMPARE(::mkfifo((base + "/pipe").c_str(), 0600), 0);
    QVERIFY(errorText([&] { fileSha256(base + "/pipe"); }).contains("no regular file"));
}

QTEST_APPLESS_MAIN(Sha256Test)
#include "sha256_test.moc"
