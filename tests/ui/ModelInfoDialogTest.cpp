#include "ui/ModelInfoDialog.h"

#include "tests/ui/support/DrawnText.h"

#include <QLabel>
#include <QPointer>
#include <QScrollBar>
#include <QTest>

using ui::ModelFacts;
using ui::modelFacts;
using ui::ModelInfoDialog;

namespace {

engine::ModelInfo model()
{
    engine::ModelInfo info;
    info.name = "<b>bold</b>";
    info.architecture = "llama";
    info.path = "/models/<i>story</i>.gguf";
    info.parameters = 4328192;
    info.bitsPerWeight = 4.5;
    info.tensorTypes = {{"F32", 11}, {"Q4_0", 36}};
    info.layers = 5;
    info.width = 256;
    info.heads = 8;
    info.kvHeads = 2;
    info.contextLength = 512;
    info.vocabularySize = 4096;
    return info;
}

engine::TokenizerInfo tokenizer()
{
    engine::TokenizerInfo info;
    info.kind = "byte-level BPE";
    info.sha256 = "ab12";
    engine::TokenPiece end;
    end.id = engine::TokenId{4095};
    end.bytes = "<|endoftext|>";
    info.specialTokens = {{"eos", end}};
    return info;
}

} // namespace

class ModelInfoDialogTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysWhatTheModelIs()
    {
        engine::ModelNotes notes;
        notes.fileBytes = 8661400;
        notes.sampling.temperature = 0.8;
        notes.sampling.origin = "generation_config.json";
        notes.warnings = {"unknown pre-tokenizer"};
        QPointer<ModelInfoDialog> dialog = new ModelInfoDialog;
        dialog->show(modelFacts(model(), tokenizer(), notes, QStringLiteral("computing, 40 %")));
        QCOMPARE(dialog->value(QStringLiteral("Parameters")), QStringLiteral("4,328,192"));
        QCOMPARE(dialog->value(QStringLiteral("Size")), QStringLiteral("8.66 MB"));
        QCOMPARE(dialog->value(QStringLiteral("Bits per weight")), QStringLiteral("4.50"));
        QCOMPARE(dialog->value(QStringLiteral("Tensor types")),
                 QStringLiteral("F32 × 11, Q4_0 × 36"));
        QCOMPARE(dialog->value(QStringLiteral("Heads")),
                 QStringLiteral("8, in 2 key-value groups"));
        QVERIFY(dialog->value(QStringLiteral("Special tokens"))
                    .startsWith(QStringLiteral("eos: 4095")));
        QCOMPARE(dialog->value(QStringLiteral("Chat template")), QStringLiteral("none"));
        QVERIFY(dialog->value(QStringLiteral("Suggested decoding"))
                    .contains(QStringLiteral("generation_config.json")));
        QCOMPARE(dialog->value(QStringLiteral("Warning")), QStringLiteral("unknown pre-tokenizer"));
        // "Model" is the fingerprint's name; until it is known, how far it is.
        QCOMPARE(dialog->value(QStringLiteral("Model")), QStringLiteral("computing, 40 %"));
        QTRY_COMPARE(support::textFaults(*dialog), QStringList());
        dialog->close();
        QTRY_VERIFY(dialog.isNull());
    }

    void namesAreNeverRichText()
    {
        ModelInfoDialog* dialog = new ModelInfoDialog;
        dialog->show(modelFacts(model(), tokenizer(), {}, QString()));
        bool found = false;
        for (const QLabel* label : dialog->findChildren<QLabel*>()) {
            QCOMPARE(label->textFormat(), Qt::PlainText);
            found |= label->text() == QStringLiteral("<b>bold</b>");
        }
        QVERIFY(found);
        dialog->close();
    }

    void staysWhereItWasWhenAFactChanges()
    {
        engine::ModelInfo info = model();
        ModelInfoDialog* dialog = new ModelInfoDialog;
        dialog->show(modelFacts(info, tokenizer(), {}, QStringLiteral("computing")));
        dialog->resize(420, 200);
        QScrollBar* bar = nullptr;
        for (QScrollBar* one : dialog->findChildren<QScrollBar*>())
            if (one->orientation() == Qt::Vertical)
                bar = one;
        QTRY_VERIFY(bar->maximum() > 40);
        bar->setValue(40);
        info.sha256 = "cd34";
        dialog->show(modelFacts(info, tokenizer(), {}, QString()));
        QCOMPARE(dialog->value(QStringLiteral("Model")), QStringLiteral("cd34"));
        QTRY_COMPARE(bar->value(), 40);
        dialog->close();
    }
};

QTEST_MAIN(ModelInfoDialogTest)
#include "ModelInfoDialogTest.moc"
