#include "engine/generation/Fingerprint.h"

#include "tests/engine/generation/SessionTesting.h"

#include <QTest>

using namespace engine;
using namespace testing;

class FingerprintTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // By sha256sum over the same bytes, e.g. printf '\001\000\000\000\002\001\000\000' | sha256sum.
    void digestsIdsAsLittleEndianInt32()
    {
        QCOMPARE(contextDigest(std::vector<TokenId>{}),
                 std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
        QCOMPARE(contextDigest(std::vector<TokenId>{{1}, {258}}),
                 std::string("fb8bbe2ad3ab5292f19bc5d75bbab9b5fbddc5a78ce47ab41b2d3d59bca08596"));
    }

    // printf '\000\000\200\077\000\000\000\300' | sha256sum: 1 and -2.
    void digestsLogitsAsLittleEndianFloat32()
    {
        QCOMPARE(logitsDigest(std::vector<float>{1.0F, -2.0F}),
                 std::string("ee4ac73c2bd27756ab82780f27c73a7bc4d3f0bb6acb37e008bc27eccd7e588b"));
    }

    void addsTheDigestsOfModelAndTokenizer()
    {
        Run run;
        addDigests(run, *bundledModel());
        QCOMPARE(run.model.sha256, bundledModel()->fingerprint());
        QCOMPARE(run.model.sha256.size(), std::size_t{64});
        QCOMPARE(run.tokenizer.sha256.size(), std::size_t{64});
    }
};

QTEST_APPLESS_MAIN(FingerprintTest)
#include "FingerprintTest.moc"
