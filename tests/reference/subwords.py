"""Slow twin of subword links: one pair at a time, words as lists of the places of their subwords."""

SPLITTERS = {
    "sentencepiece": lambda words: [
        ("▁" if k == 0 else "") + piece for word in words for k, piece in enumerate(word)
    ],
    "wordpiece": lambda words: [
        ("##" if k else "") + piece for word in words for k, piece in enumerate(word)
    ],
    "bpe": lambda words: [
        piece + ("@@" if k < len(word) - 1 else "") for word in words for k, piece in enumerate(word)
    ],
    "bytelevel": lambda words: [
        ("Ġ" if k == 0 and n else "") + letters(piece)
        for n, word in enumerate(words)
        for k, piece in enumerate(word)
    ],
}


def letters(piece):
    """Write bytes as byte-level BPE does: what is printable in Latin-1 as it is, the rest from U+0100 on."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    rest = [byte for byte in range(256) if byte not in printable]
    return "".join(chr(byte) if byte in printable else chr(256 + rest.index(byte)) for byte in piece.encode())


def places(words):
    """Return, for each word, a list of pieces, the places of its pieces in the line."""
    found, place = [], 0
    for word in words:
        found.append(list(range(place, place + len(word))))
        place += len(word)
    return found


def expanded(links, source, target):
    """Link each subword of one word with each of the other."""
    left, right = places(source), places(target)
    best = {}
    for i, j, confidence, sure in links:
        for a in left[i]:
            for b in right[j]:
                best[a, b] = (confidence, sure)
    return sorted((a, b, *rest) for (a, b), rest in best.items())


def merged(links, source, target):
    """Link two words where any of their subwords are linked."""
    left, right = places(source), places(target)
    best = {}
    for a, b, confidence, sure in links:
        i = next(k for k, inside in enumerate(left) if a in inside)
        j = next(k for k, inside in enumerate(right) if b in inside)
        old = best.get((i, j), (0.0, False))
        best[i, j] = (max(old[0], confidence), old[1] or sure)
    return sorted((i, j, *rest) for (i, j), rest in best.items())
