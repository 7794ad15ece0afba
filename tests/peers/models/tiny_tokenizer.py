"""The tokenizer of the tiny models: bytes, a few merges, one special token."""


def byte_alphabet():
    keep = list(range(33, 127)) + list(range(161, 173)) + list(range(174, 256))
    chars, n = {}, 0
    for b in range(256):
        if b in keep:
            chars[b] = chr(b)
        else:
            chars[b] = chr(256 + n); n += 1
    return chars


def tokenizer():
    """(tokens by id, merges); the last token is the special one."""
    chars = byte_alphabet()
    tokens = [chars[b] for b in range(256)]
    space = chars[32]
    merges = [("t", "h"), ("h", "e"), ("i", "n"), ("th", "e"), (space, "a"), (space, "the"), ("r", "e"), ("o", "n"), (space, "s"), ("e", "r"), ("a", "n"), (space, "w"), ("an", "d"), ("in", "g"), (space, "and")]
    tokens += [a + b for a, b in merges] + ["<|endoftext|>"]
    return tokens, merges


VOCABULARY = len(tokenizer()[0])
