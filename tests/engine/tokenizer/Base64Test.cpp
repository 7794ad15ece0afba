#include "engine/tokenizer/Base64.h"

#include <QByteArray>
#include <QtTest/QTest>

#include <random>

using engine::fromBase64;

class Base64Test : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // The vectors of RFC 4648, section 10.
    void readsTheVectorsOfTheStandard_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("none") << QByteArray("") << QByteArray("");
        QTest::newRow("f") << QByteArray("Zg==") << QByteArray("f");
        QTest::newRow("fo") << QByteArray("Zm8=") << QByteArray("fo");
        QTest::newRow("foo") << QByteArray("Zm9v") << QByteArray("foo");
        QTest::newRow("foob") << QByteArray("Zm9vYg") << QByteArray("foob");
        QTest::newRow("fooba") << QByteArray("Zm9vYmE=") << QByteArray("fooba");
        QTest::newRow("foobar") << QByteArray("Zm9vYmFy") << QByteArray("foobar");
    }
    void readsTheVectorsOfTheStandard()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, bytes);
        QCOMPARE(fromBase64(text.toStdString()).value_or("none"), bytes.toStdString());
    }

    void readsWhatQtWrites()
    {
        std::mt19937 random(5);
        for (int round = 0; round < 200; ++round) {
            QByteArray bytes;
            for (auto i = random() % 40; i > 0; --i)
                bytes += static_cast<char>(random());
            QCOMPARE(fromBase64(bytes.toBase64().toStdString()).value_or("none"),
                     bytes.toStdString());
        }
    }

    void refusesWhatIsNone()
    {
        for (const char* text : {"Z", "Zm9v\n", "Zm-v", "Zm=v", "Zm9vY"})
            QVERIFY2(!fromBase64(text), text);
    }
};

QTEST_APPLESS_MAIN(Base64Test)
#include "Base64Test.moc"
