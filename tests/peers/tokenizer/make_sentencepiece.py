#!/usr/bin/env python3
"""Small SentencePiece models of both kinds, and what SentencePiece itself makes of hostile texts with them.

    make_sentencepiece.py FOLDER [--texts N] [--seed S]

Needs Debian's python3-sentencepiece. Writes FOLDER/NAME/tokenizer.model, and FOLDER/cases.json:
{"version": ..., "models": {NAME: [[text, [id, ...]], ...]}}. tests/data/tokenizer/sentencepiece is
made by `make_sentencepiece.py tests/data/tokenizer/sentencepiece --texts 60`; the sentences that
the models learn from are made here, so that the files are ours."""
import argparse
import json
import pathlib
import random

import sentencepiece

WORDS = """the a small old dark bright river stone house garden winter summer cat bird fox child mother
runs sings sleeps finds opens closes under over near behind quickly slowly never always with without
and but because when café naïve Straße größer été señor привет мир вода γειά σου שלום 日本 漢字 かな
12 345 2024 3.14 http://example.org foo_bar HTTPServer don't it's """.split()
SPACES = [" ", "  ", "   ", "\t", "\n", "\r\n", "\u00a0", "\u3000", "\u2003", "\u200b", "\u2028"]
ODD = ["▁", "▁▁", "▁the", "<s>", "</s>", "<unk>", "<table>", "<0x41>", "é", "e\u0301", "ﬁ", "①", "½", "Å",
       "😀", "👩\u200d👩\u200d👧", "\u0301", "\x01", "\ufeff", "\ufffd", "𝕳", "aaaaaaaaaaaa", "0000000000000", "----------",
       "!?", "…", "“q”", "ＡＢＣ", "각", "각", "  x"]
MODELS = {
    "bpe-bytes": dict(model_type="bpe", byte_fallback=True, normalization_rule_name="identity",
                      remove_extra_whitespaces=False, allow_whitespace_only_pieces=True, split_digits=True),
    "bpe-defined": dict(model_type="bpe", user_defined_symbols=["<table>", "▁▁", "é"]),
    "unigram": dict(model_type="unigram"),
    "unigram-bytes": dict(model_type="unigram", byte_fallback=True, remove_extra_whitespaces=False,
                          add_dummy_prefix=False, user_defined_symbols=["<table>"]),
}


def rules(path):
    """A few rules of our own; the ready ones would make each file larger by 240 kB."""
    pairs = {"ﬁ": "fi", "①": "1", "½": "1/2", "é": "é", "e\u0301": "é", "\u3000": " ", "\u00a0": " ", "\t": " ",
             "\n": " ", "\r": " ", "\u200b": "", "Å": "å", "\u1100\u1161": "가"}
    with open(path, "w", encoding="utf-8") as file:
        for left, right in pairs.items():
            codes = [" ".join(f"{ord(c):X}" for c in text) for text in (left, right)]
            file.write("\t".join(codes) + "\n")


def sentences(random_source):
    for _ in range(3000):
        yield " ".join(random_source.choice(WORDS) for _ in range(random_source.randint(3, 12))) + "."


def hostile(random_source):
    text = ""
    for _ in range(random_source.choice([0, 1, 2, 3, 5, 9])):
        kind = random_source.random()
        text += random_source.choice(SPACES if kind < 0.35 else ODD if kind < 0.6 else WORDS)
        if random_source.random() < 0.1:
            code = random_source.choice([0x80, 0x800, 0x3100, 0xD800, 0x20000])
            point = random_source.randrange(1, code)
            text += "?" if 0xD800 <= point < 0xE000 else chr(point)
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--texts", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    source = random.Random(options.seed)
    options.folder.mkdir(parents=True, exist_ok=True)
    corpus, table = options.folder / "corpus.txt", options.folder / "rules.tsv"
    corpus.write_text("\n".join(sentences(random.Random(1))), encoding="utf-8")
    rules(table)
    texts = ["", " ", "  ", "\n"] + [hostile(source) for _ in range(options.texts - 4)]
    models = {}
    for name, settings in MODELS.items():
        (options.folder / name).mkdir(exist_ok=True)
        if settings.get("normalization_rule_name") is None:
            settings = dict(settings, normalization_rule_tsv=str(table))
        sentencepiece.SentencePieceTrainer.train(
            input=str(corpus), model_prefix=str(options.folder / name / "tokenizer"), vocab_size=600,
            hard_vocab_limit=False, character_coverage=0.999, num_threads=1, minloglevel=2,
            self_test_sample_size=0, **settings)
        (options.folder / name / "tokenizer.vocab").unlink()
        processor = sentencepiece.SentencePieceProcessor(
            model_file=str(options.folder / name / "tokenizer.model"))
        models[name] = [[text, processor.encode(text)] for text in texts]
    corpus.unlink()
    table.unlink()
    with open(options.folder / "cases.json", "w", encoding="utf-8") as file:
        file.write('{"version": "sentencepiece %s", "models": {\n' % sentencepiece.__version__)
        blocks = [json.dumps(name) + ": [\n" + ",\n".join(json.dumps(case) for case in cases) + "]"
                  for name, cases in models.items()]
        file.write(",\n".join(blocks) + "}}\n")


main()
