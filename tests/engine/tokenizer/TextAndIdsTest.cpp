#include "engine/tokenizer/TextAndIds.h"

#include "tests/engine/tokenizer/TokenizerTesting.h"

#include <QtTest/QTest>

using namespace engine;
using namespace tokenizerTesting;

class TextAndIdsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void goesFromTextToIdsAndBack()
    {
        Folder folder;
        folder.add("tokenizer.json", byteLevelJson({"a", "b", "Ġ", "ab"}, {"a b"}));
        const auto tokenizer = folder.load();
        QVERIFY(tokenizer);
        const auto ids = text_to_token_ids("ab ab", **tokenizer);
        QVERIFY(ids);
        QVERIFY(*ids == (std::vector<TokenId>{{3}, {2}, {3}}));
        const auto back = token_ids_to_text(*ids, **tokenizer);
        QVERIFY(back);
        QCOMPARE(*back, std::string("ab ab"));
        QVERIFY(!text_to_token_ids("\xFF", **tokenizer));
    }

    void namesAnIdOutsideTheVocabulary()
    {
        Folder folder;
        folder.add("tokenizer.json", byteLevelJson({"a", "b"}, {}));
        const auto tokenizer = folder.load();
        QVERIFY(tokenizer);
        for (const int id : {-1, 2, 2147483647}) {
            const std::vector<TokenId> ids = {{0}, {id}};
            const auto bytes = token_ids_to_text(ids, **tokenizer);
            QVERIFY(!bytes);
            QCOMPARE(bytes.error().code, ErrorCode::InvalidArgument);
            QCOMPARE(text(bytes.error().message),
                     u"token ids: expected ids from 0 to 1, found %1"_qs.arg(id));
        }
    }
};

QTEST_APPLESS_MAIN(TextAndIdsTest)
#include "TextAndIdsTest.moc"
