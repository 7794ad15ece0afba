#!/usr/bin/env python3
"""Reference forward pass of the model in this folder: numpy only, float64.

usage: reference_forward.py PROMPT                     the ten likeliest next tokens
       reference_forward.py PROMPT --continue 60       and a greedy continuation
       reference_forward.py PROMPT --continue 60 --temperature 0.8 --seed 1
       reference_forward.py --write-reference          (re)write reference.json
       reference_forward.py --perplexity FILE          mean loss over a text file
Option: --weights FILE (model.safetensors beside this script).

It is written to be read, not to be fast; an inference engine can be tested
against it.
"""
import argparse, json, os, re, struct
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


# ------------------------------------------------------------------ tokenizer
class Tokenizer:
    """Byte-level BPE as tokenizer.json describes it."""
    SPLIT = re.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?[^\W\d_]+| ?\d+| ?(?:[^\s\w]|_)+|\s+(?!\S)|\s+")

    def __init__(self, path):
        d = json.load(open(path, encoding='utf-8'))
        self.vocab = d['model']['vocab']
        self.special = {t['content']: t['id'] for t in d['added_tokens']}
        self.rank = {tuple(m.split(' ')): i for i, m in enumerate(d['model']['merges'])}
        keep = list(range(33, 127)) + list(range(161, 173)) + list(range(174, 256))
        self.char, extra = {b: chr(b) for b in keep}, 0
        for b in range(256):                              # every byte has a printable stand-in
            if b not in self.char:
                self.char[b] = chr(256 + extra)
                extra += 1
        self.byte = {c: b for b, c in self.char.items()}
        self.text = {i: t for t, i in self.vocab.items()}

    def encode(self, text):
        out = []
        for part in re.split('(' + '|'.join(map(re.escape, self.special)) + ')', text):
            if part in self.special:
                out.append(self.special[part])
                continue
            for word in self.SPLIT.findall(part):
                s = [self.char[b] for b in word.encode()]
                while len(s) > 1:                         # join the pair that was learned first
                    i = min(range(len(s) - 1), key=lambda k: self.rank.get((s[k], s[k + 1]), 1 << 30))
                    if (s[i], s[i + 1]) not in self.rank:
                        break
                    s[i:i + 2] = [s[i] + s[i + 1]]
                out += [self.vocab[t] for t in s]
        return out

    def decode(self, ids):
        back = {i: t for t, i in self.special.items()}
        return b''.join(back[i].encode() if i in back else bytes(self.byte[c] for c in self.text[i])
                        for i in ids).decode('utf-8', 'replace')


# ---------------------------------------------------------------------- model
def read_safetensors(path):
    with open(path, 'rb') as f:
        n, = struct.unpack('<Q', f.read(8))
        head = json.loads(f.read(n))
        data = f.read()
    kinds = {'F32': np.float32, 'F16': np.float16}
    return {k: np.frombuffer(data[v['data_offsets'][0]:v['data_offsets'][1]], kinds[v['dtype']])
            .reshape(v['shape']).astype(np.float64) for k, v in head.items() if k != '__metadata__'}


def stored_kinds(path):
    with open(path, 'rb') as f:
        n, = struct.unpack('<Q', f.read(8))
        return {v['dtype'] for k, v in json.loads(f.read(n)).items() if k != '__metadata__'}


class Model:
    def __init__(self, config, weights):
        self.c, self.w = json.load(open(config)), read_safetensors(weights)
        self.kinds = stored_kinds(weights)
        self.heads = self.c['num_attention_heads']
        self.hd = self.c['hidden_size'] // self.heads
        self.reset()

    def reset(self):
        self.past = [([], []) for _ in range(self.c['num_hidden_layers'])]
        self.length = 0

    def norm(self, x, name):
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + self.c['rms_norm_eps']) * self.w[name]

    def rope(self, x, positions):                         # x: tokens, heads, head size
        half = self.hd // 2
        angle = positions[:, None] * self.c['rope_theta'] ** (-np.arange(half) / half)
        c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
        a, b = x[..., :half], x[..., half:]
        return np.concatenate([a * c - b * s, b * c + a * s], -1)

    def forward(self, ids):
        """Logits after each of the tokens ids, which follow those given before."""
        n, start = len(ids), self.length
        positions = np.arange(start, start + n, dtype=np.float64)
        x = self.w['model.embed_tokens.weight'][ids]
        for i in range(self.c['num_hidden_layers']):
            p = 'model.layers.%d.' % i
            h = self.norm(x, p + 'input_layernorm.weight')
            q, k, v = ((h @ self.w[p + 'self_attn.%s_proj.weight' % a].T).reshape(n, self.heads, self.hd) for a in 'qkv')
            q, k = self.rope(q, positions), self.rope(k, positions)
            keys, values = self.past[i]
            keys.extend(k)
            values.extend(v)
            K, V = np.array(keys), np.array(values)
            scores = np.einsum('qhd,khd->hqk', q, K) / np.sqrt(self.hd)
            future = np.arange(start + n)[None, :] > (start + np.arange(n))[:, None]
            scores = np.where(future[None], -np.inf, scores)
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            scores /= scores.sum(-1, keepdims=True)
            x = x + np.einsum('hqk,khd->qhd', scores, V).reshape(n, -1) @ self.w[p + 'self_attn.o_proj.weight'].T
            h = self.norm(x, p + 'post_attention_layernorm.weight')
            gate, up = h @ self.w[p + 'mlp.gate_proj.weight'].T, h @ self.w[p + 'mlp.up_proj.weight'].T
            x = x + (gate / (1 + np.exp(-gate)) * up) @ self.w[p + 'mlp.down_proj.weight'].T
        self.length += n
        return self.norm(x, 'model.norm.weight') @ self.w['model.embed_tokens.weight'].T


def softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum()


def generate(model, ids, count, temperature=0.0, seed=0, stop=None):
    """The count tokens that follow ids, and the logits after ids."""
    rng = np.random.default_rng(seed)
    model.reset()
    first = logits = model.forward(ids)[-1]
    out = []
    for _ in range(count):
        t = int(logits.argmax()) if temperature <= 0 else int(rng.choice(len(logits), p=softmax(logits / temperature)))
        out.append(t)
        if t == stop:
            break
        logits = model.forward([t])[-1]
    return out, first


PROMPTS = ['Once upon a time, there was a little girl named',
           'One day, Tom and his dog went to the park. They saw a big',
           '"I am sorry," said the bear. "I did not mean to',
           'The sun was shining and the children wanted to',
           'Lily was sad because she could not find her']


def main():
    a = argparse.ArgumentParser()
    a.add_argument('prompt', nargs='?')
    a.add_argument('--continue', dest='count', type=int, default=0)
    a.add_argument('--temperature', type=float, default=0.0)
    a.add_argument('--seed', type=int, default=0)
    a.add_argument('--weights', default=os.path.join(HERE, 'model.safetensors'))
    a.add_argument('--write-reference', action='store_true')
    a.add_argument('--perplexity')
    a = a.parse_args()
    tok = Tokenizer(os.path.join(HERE, 'tokenizer.json'))
    model = Model(os.path.join(HERE, 'config.json'), a.weights)
    eot = model.c['eos_token_id']
    if a.write_reference:
        items = []
        for prompt in PROMPTS:
            ids = tok.encode(prompt)
            out, logits = generate(model, ids, 25)
            p = softmax(logits)
            items.append({'prompt': prompt, 'ids': ids, 'pieces': [tok.decode([i]) for i in ids],
                          'top10': [{'id': int(i), 'piece': tok.decode([int(i)]), 'logit': round(float(logits[i]), 6),
                                     'probability': round(float(p[i]), 8)} for i in np.argsort(-logits, kind='stable')[:10]],
                          'greedy25': out, 'greedy25_text': tok.decode(out)})
        kind = '/'.join(sorted(model.kinds))
        json.dump({'weights': 'model.safetensors (%s), computed in float64; no token is put before the prompt' % kind,
                   'items': items}, open(os.path.join(HERE, 'reference.json'), 'w'), indent=1, ensure_ascii=False)
        return
    if a.perplexity:
        ids, loss, n, size = tok.encode(open(a.perplexity, encoding='utf-8').read()), 0.0, 0, model.c['max_position_embeddings']
        for at in range(0, len(ids) - 1, size):
            part = ids[at:at + size + 1]
            model.reset()
            logits = model.forward(part[:-1])
            z = logits.max(-1, keepdims=True)
            loss -= ((logits - z)[np.arange(len(part) - 1), part[1:]] - np.log(np.exp(logits - z).sum(-1))).sum()
            n += len(part) - 1
        print('tokens %d  loss %.4f  perplexity %.3f' % (n, loss / n, np.exp(loss / n)))
        return
    ids = tok.encode(a.prompt)
    out, logits = generate(model, ids, a.count, a.temperature, a.seed, eot)
    print('tokens:', ' '.join('%d=%r' % (i, tok.decode([i])) for i in ids))
    p = softmax(logits)
    for i in np.argsort(-logits, kind='stable')[:10]:
        print('%5d  %-14r  logit %9.5f  probability %.6f' % (i, tok.decode([int(i)]), logits[i], p[i]))
    if a.count:
        print(a.prompt + tok.decode(out))


if __name__ == '__main__':
    main()
