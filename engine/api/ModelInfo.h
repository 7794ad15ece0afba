#pragma once

#include "engine/api/Token.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace engine {

/// What the window and `inspect` say about a model. Digests are lower-case hex SHA-256 and are
/// empty until computed (see LanguageModel::fingerprint), since hashing a large file takes seconds.
struct ModelInfo
{
    std::string name;         ///< from the file's metadata, else the file or folder name
    std::string architecture; ///< "llama", "gpt2", ...
    std::string path;         ///< as opened; empty for a trace
    std::int64_t parameters = 0;
    double bitsPerWeight = 0;
    std::string quantization; ///< what the file is called ("Q4_K_M"), else its weights' chief type
    std::map<std::string, int> tensorTypes; ///< type name to number of tensors
    int layers = 0;
    int width = 0;
    int heads = 0;
    int kvHeads = 0;
    int contextLength = 0;
    int vocabularySize = 0;
    std::string sha256;

    bool operator==(const ModelInfo&) const = default;
};

struct NamedToken
{
    std::string role; ///< "bos", "eos", "eot", "unknown", "padding", ...
    TokenPiece piece;

    bool operator==(const NamedToken&) const = default;
};

/// What is said about a tokenizer. `sha256` is of its content (pieces, merges or scores, rules), so
/// the same tokenizer read from two file formats has the same digest.
struct TokenizerInfo
{
    std::string kind; ///< "byte-level BPE", "SentencePiece BPE" or "Unigram"
    int vocabularySize = 0;
    bool addsBos = false;
    bool addsEos = false;
    std::vector<NamedToken> specialTokens;
    std::string chatTemplate;          ///< as the file has it; empty if it has none
    std::vector<std::string> warnings; ///< e.g. an unknown pre-tokenizer name
    std::string sha256;

    bool operator==(const TokenizerInfo&) const = default;
};

} // namespace engine
