// node huggingface_ids.mjs PROGRAM FOLDER TEXTS: what @huggingface/tokenizers makes of texts.
// PROGRAM: its tokenizers.mjs; FOLDER has tokenizer.json and tokenizer_config.json; TEXTS is a JSON array of strings.
// Writes a JSON array of arrays of ids; special tokens in the texts are parsed, none are put around them.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import path from "node:path";

const [program, folder, texts] = process.argv.slice(2);
const read = (file) => JSON.parse(readFileSync(file, "utf8"));
const { Tokenizer } = await import(pathToFileURL(path.resolve(program)).href);
const tokenizer = new Tokenizer(read(path.join(folder, "tokenizer.json")), read(path.join(folder, "tokenizer_config.json")));
const ids = read(texts).map((text) => Array.from(tokenizer.encode(text, { add_special_tokens: false }).ids, Number));
process.stdout.write(JSON.stringify(ids));
