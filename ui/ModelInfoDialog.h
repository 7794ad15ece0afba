#pragma once

#include "engine/api/ModelInfo.h"
#include "engine/api/ModelNotes.h"

#include <QDialog>
#include <QString>

#include <utility>
#include <vector>

class QScrollArea;

namespace ui {

/// Name and value of each fact, in order; a name without a value is a heading. `fingerprint` is how
/// far the model's fingerprint is while it is not known.
using ModelFacts = std::vector<std::pair<QString, QString>>;
ModelFacts modelFacts(const engine::ModelInfo& model, const engine::TokenizerInfo& tokenizer,
                      const engine::ModelNotes& notes, const QString& fingerprint);

/// In one line, of what is known: "pocket-stories · vocab 4,096 · F16".
QString modelText(const engine::ModelInfo& model);

/// What `tokenscope inspect` prints of the open model, to be read and copied. Thread: GUI.
class ModelInfoDialog : public QDialog
{
    Q_OBJECT

public:
    explicit ModelInfoDialog(QWidget* parent = nullptr);

    void show(const ModelFacts& facts);
    QString value(const QString& name) const; ///< as shown; empty where there is none

private:
    QWidget* makeContent(const ModelFacts& facts) const;

    QScrollArea* m_area;
    ModelFacts m_facts;
};

} // namespace ui
