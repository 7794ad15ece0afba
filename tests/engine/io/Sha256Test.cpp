#include "engine/io/Sha256.h"

#include <QtTest/QTest>

using engine::Sha256;

class Sha256Test : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Examples of FIPS 180-4 (NIST, "SHA256.pdf" of the example algorithms).
    void givesThePublishedDigests()
    {
        QCOMPARE(Sha256::of(std::string_view("")),
                 std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
        QCOMPARE(Sha256::of(std::string_view("abc")),
                 std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
        QCOMPARE(Sha256::of(
                     std::string_view("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
                 std::string("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"));
    }

    void addsPiecesAsOneText()
    {
        QCOMPARE(Sha256().add("a").add("bc").hex(), Sha256::of(std::string_view("abc")));
    }

    void fieldsThatJoinToTheSameTextDiffer()
    {
        QVERIFY(Sha256().addField("ab").addField("c").hex() !=
                Sha256().addField("a").addField("bc").hex());
    }

    void numbersAreEightBytesLowestFirst()
    {
        QCOMPARE(Sha256().addNumber(0x0201).hex(),
                 Sha256::of(std::string_view("\1\2\0\0\0\0\0\0", 8)));
    }
};

QTEST_APPLESS_MAIN(Sha256Test)
#include "Sha256Test.moc"
