"""The loop that turns bytes into word ids.

Words are kept in a hash table with open addressing: an array of pairs (key, word id), a power of two of them,
where key 0 marks a free place. A word of up to seven bytes is its own key: its bytes behind a leading one.
The key of a longer word is a hash with the highest bit set, and its bytes are compared: the table is exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cepts.running.kernel import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

LONG = np.uint64(1 << 63)
SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2**64 divided by the golden ratio: multiplying mixes all bits upward
BYTE = np.uint64(8)
ONE = np.uint64(1)
SEVEN_BYTES = np.uint64(1 << 56)


@kernel
def _is_space(byte: np.uint8) -> bool:
    """Tell whether a byte is ASCII white space: space, or one of the controls from TAB to CR."""
    return bool(byte <= 32 and (byte == 32 or 9 <= byte <= 13))


@kernel
def _place(key: np.uint64, table: NDArray[np.uint64]) -> np.int64:
    """Return where in a table the search for a key begins."""
    mixed = key * SPREAD
    return np.int64((mixed ^ (mixed >> np.uint64(32))) & np.uint64(len(table) // 2 - 1))


@kernel
def enlarged(table: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return a table four times as large with the same entries."""
    larger = np.zeros(4 * len(table), np.uint64)
    last = len(larger) // 2 - 1
    for entry in range(0, len(table), 2):
        if table[entry] != 0:
            place = _place(table[entry], larger)
            while larger[2 * place] != 0:
                place = (place + 1) & last
            larger[2 * place] = table[entry]
            larger[2 * place + 1] = table[entry + 1]
    return larger


@kernel
def _key_and_end(text: NDArray[np.uint8], start: np.int64) -> tuple[np.uint64, np.int64]:
    """Return the key of the word that begins at `start`, and where the word ends."""
    mixed = np.uint64(0)
    packed = ONE
    end = start
    byte = text[start]
    while not _is_space(byte):
        if packed >= SEVEN_BYTES:
            mixed = ((mixed ^ packed) * SPREAD) | LONG
            mixed ^= (mixed ^ LONG) >> np.uint64(29)
            packed = ONE
        packed = (packed << BYTE) | np.uint64(byte)
        end += 1
        byte = text[end]
    if mixed != 0:
        packed = ((mixed ^ packed) * SPREAD) | LONG
    return packed, end


@kernel
def _find(
    table: NDArray[np.uint64],
    key: np.uint64,
    text: NDArray[np.uint8],
    start: np.int64,
    end: np.int64,
    word_bytes: NDArray[np.uint8],
    word_starts: NDArray[np.int64],
) -> np.int64:
    """Return the place of the word text[start:end] in the table, or the free place where it belongs."""
    last = len(table) // 2 - 1
    place = _place(key, table)
    while table[2 * place] != 0:
        if table[2 * place] == key:
            if key < LONG:
                return place
            first = word_starts[np.int64(table[2 * place + 1])]
            k = 0  # a kept word ends with a newline, which the text's word does not hold: no overrun
            while start + k < end and text[start + k] == word_bytes[first + k]:
                k += 1
            if start + k == end and word_bytes[first + k] == 10:
                return place
        place = (place + 1) & last
    return place


@kernel
def encode_block(
    text: NDArray[np.uint8],
    table: NDArray[np.uint64],
    word_bytes: NDArray[np.uint8],
    word_starts: NDArray[np.int64],
    ids: NDArray[np.int32],
    line_ends: NDArray[np.int64],
    done: NDArray[np.int64],
) -> None:
    """Number the words of whole lines, until the end of the text or until the table is half full.

    `text` holds bytes, each line ended by a newline. `word_bytes` collects the distinct words, each followed
    by a newline, and `word_starts` where each begins (one more entry than words). Filled are `ids`, the word
    of each token, and `line_ends`, the number of tokens up to the end of each line. `done` counts the bytes,
    lines, tokens and words so far; the next call goes on from there.
    """
    position, lines, tokens, words = done[0], done[1], done[2], done[3]
    while position < len(text) and 4 * words < len(table):
        byte = text[position]
        if _is_space(byte):
            if byte == 10:
                line_ends[lines] = tokens
                lines += 1
            position += 1
            continue
        key, end = _key_and_end(text, position)
        place = _find(table, key, text, position, end, word_bytes, word_starts)
        if table[2 * place] == 0:
            table[2 * place] = key
            table[2 * place + 1] = words
            first = word_starts[words]
            for k in range(end - position):
                word_bytes[first + k] = text[position + k]
            word_bytes[first + end - position] = 10
            words += 1
            word_starts[words] = first + end - position + 1
        ids[tokens] = table[2 * place + 1]
        tokens += 1
        position = end
    done[0], done[1], done[2], done[3] = position, lines, tokens, words
