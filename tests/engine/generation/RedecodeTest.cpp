#include "engine/generation/Redecode.h"

#include "engine/generation/Fingerprint.h"
#include "engine/tokenizer/Tokenizer.h"
#include "tests/engine/generation/SessionTesting.h"

#include <QTest>

using namespace engine;
using namespace testing;

namespace {

const std::vector<float> logits = {0.5F, 3.0F, 2.5F, -1.0F, 2.0F};
const std::vector<TokenId> context = {{1}, {4}};

DecodeRequest request(const SamplingConfig& config)
{
    return {.logits = logits,
            .context = context,
            .stepIndex = 2,
            .sampling = config,
            .topCandidates = 3,
            .forced = {}};
}

} // namespace

class RedecodeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesTheCandidatesAndDigestsTheLogits()
    {
        Decoder decoder;
        const Tokenizer& tokenizer = bundledModel()->tokenizer();
        const Step step = need(decodeStep(request({}), decoder, tokenizer));
        QCOMPARE(step.candidates.size(), std::size_t{3});
        for (const Candidate& candidate : step.candidates)
            QVERIFY(candidate.piece == tokenizer.piece(candidate.piece.id));
        QCOMPARE(step.logitsSha256, logitsDigest(logits));
    }

    void givesWhatDecodingAfreshGives()
    {
        Decoder decoder;
        const Tokenizer& tokenizer = bundledModel()->tokenizer();
        Step recorded = need(decodeStep(request({}), decoder, tokenizer));
        recorded.timings.forward = std::chrono::microseconds(123);
        const DecodeRequest other = request(sampling(3, 0.7));
        const Step again = need(redecode(recorded, other, decoder, tokenizer));
        QVERIFY(equalButTimings(again, need(decodeStep(other, decoder, tokenizer))));
        QCOMPARE(again.timings.forward.count(), 123);
    }

    void passesErrorsOn()
    {
        Decoder decoder;
        QCOMPARE(
            decodeStep(request(sampling(1, -1)), decoder, bundledModel()->tokenizer()).error().code,
            ErrorCode::InvalidArgument);
        QCOMPARE(redecode({}, request(sampling(1, -1)), decoder, bundledModel()->tokenizer())
                     .error()
                     .code,
                 ErrorCode::InvalidArgument);
    }
};

QTEST_APPLESS_MAIN(RedecodeTest)
#include "RedecodeTest.moc"
