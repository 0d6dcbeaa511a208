"""What the corpus pages do without any element of a page: the editing state, saving, drafts, queries."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import SEED
from tests.reference.editing import PlainEditing
from tests.web.browser.browsing import Visitor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

STEPS = ("sure", "possible", "mark", "undo", "redo", "clear", "back")
SAVING = """
    const { Saver } = await import('/static/saving.js');
    const sent = [], statuses = [], kept = [];
    const answers = []; // each is called with {resolve, reject} of a request
    let pair = { correction: null, version: 0 };
    const saver = new Saver({
        line: 1, stored: null, version: 0,
        send: (line, state, version) => new Promise((resolve, reject) => {
            sent.push([state, version]);
            answers.push({ resolve, reject });
        }),
        fetchPair: async () => pair,
        drafts: { keep: (draft) => kept.push(structuredClone(draft)), forget: () => kept.push(null) },
        onChange: () => statuses.push(saver.status),
    });
    const settle = () => new Promise((resolve) => setTimeout(resolve));
    const fail = (status) => Object.assign(new Error('no'), { status });
    const [A, B, C] = [[[0, 0, 'S']], [[1, 1, 'S']], [[2, 2, 'P']]];
"""


@pytest.fixture(scope="module")
def page(browser: Browser, corpus: str) -> Iterator[Page]:
    """A page that can import the modules."""
    visitor = Visitor(browser, corpus)
    yield visitor.open("#names")
    visitor.leave()
    assert visitor.troubles() == []


def run(page: Page, body: str, argument: Any = None) -> Any:
    """Run an asynchronous function in the browser."""
    return page.evaluate(f"async (given) => {{ {body} }}", argument)


def test_editing_does_as_its_twin(page: Page) -> None:
    drawn = random.Random(SEED)
    walks = [
        [(drawn.choice(STEPS), (drawn.randrange(3), drawn.randrange(2))) for _ in range(40)]
        for _ in range(50)
    ]
    found = run(
        page,
        """
        const { Editing, marked, toggled } = await import('/static/editing.js');
        const next = {
            sure: (state, cell) => toggled(state ?? [], ...cell),
            possible: (state, cell) => toggled(state ?? [], ...cell, 'P'),
            mark: (state, cell) => marked(state ?? [], ...cell),
            clear: () => [],
            back: () => null,
        };
        return given.map((walk) => {
            const editing = new Editing();
            return walk.map(([name, cell]) => {
                if (name === 'undo') editing.undo();
                else if (name === 'redo') editing.redo();
                else editing.become(next[name](editing.state, cell));
                return [editing.state, editing.canUndo, editing.canRedo];
            });
        });
        """,
        walks,
    )
    for walk, states in zip(walks, found, strict=True):
        twin = PlainEditing()
        for (name, cell), state in zip(walk, states, strict=True):
            twin.do(name, cell)
            assert state == [twin.links(), twin.place > 0, twin.place < len(twin.states) - 1]


def test_one_request_at_a_time_and_the_newest_state_wins(page: Page) -> None:
    body = """
        saver.want(A); saver.want(B); saver.want(C);
        const inFlight = sent.length;
        answers[0].resolve({ version: 1 });
        await settle();
        answers[1].resolve({ version: 2 });
        await settle();
        return [inFlight, sent, saver.status, saver.version, kept.at(-1)];
    """
    in_flight, sent, *rest = run(page, SAVING + body)
    assert in_flight == 1
    assert sent == [[[[0, 0, "S"]], 0], [[[2, 2, "P"]], 1]]
    assert rest == ["saved", 2, None]


def test_an_answer_that_was_lost_is_no_conflict(page: Page) -> None:
    body = """
        saver.want(A);
        answers[0].reject(fail(0));
        await settle();
        const draft = kept.at(-1);
        saver.want(B); // sent at once, from the version that we know
        pair = { correction: { links: A, version: 1 }, version: 1 };
        answers[1].reject(fail(409));
        await settle();
        answers[2].resolve({ version: 2 });
        await settle();
        return [draft.state, sent[2], saver.status, statuses.includes('conflict')];
    """
    assert run(page, SAVING + body) == [[[0, 0, "S"]], [[[1, 1, "S"]], 1], "saved", False]


def test_another_persons_version_is_a_conflict_until_one_chooses(page: Page) -> None:
    body = """
        pair = { correction: { links: C, version: 4, by: 'Ann', saved: '' }, version: 4 };
        saver.want(A);
        answers[0].reject(fail(409));
        await settle();
        const { status, current } = saver;
        saver.want(B);
        const quiet = sent.length;
        saver.resolve(B);
        answers[1].resolve({ version: 5 });
        await settle();
        return [status, current.by, current.state, quiet, sent[1], saver.status];
    """
    assert run(page, SAVING + body) == ["conflict", "Ann", [[2, 2, "P"]], 1, [[[1, 1, "S"]], 4], "saved"]


@pytest.mark.parametrize(
    ("status", "becomes"),
    [(0, "retrying"), (429, "retrying"), (507, "retrying"), (401, "token"), (422, "refused")],
)
def test_what_fails_is_kept_and_named(page: Page, status: int, becomes: str) -> None:
    body = "saver.want(A); answers[0].reject(fail(given)); await settle(); return [saver.status, kept.at(-1).state];"
    assert run(page, SAVING + body, status) == [becomes, [[0, 0, "S"]]]


def test_an_old_draft_does_not_overwrite_what_came_after_it(page: Page) -> None:
    body = """
        saver.stored = C; saver.version = 7; // as the server has it now
        pair = { correction: { links: C, version: 7 }, version: 7 };
        saver.resume({ state: A, version: 3, stored: B, unsure: [] });
        answers[0].reject(fail(409));
        await settle();
        return [sent, saver.status];
    """
    assert run(page, SAVING + body) == [[[[[0, 0, "S"]], 3]], "conflict"]


def test_a_correction_that_is_gone_already_is_taken_back(page: Page) -> None:
    body = """
        saver.stored = A; saver.wanted = A; saver.version = 2;
        pair = { correction: null, version: 3 };
        saver.want(null);
        answers[0].reject(fail(404));
        await settle();
        return [saver.status, saver.version];
    """
    assert run(page, SAVING + body) == ["saved", 3]


def test_drafts_belong_to_their_words_and_windows(page: Page) -> None:
    found = run(
        page,
        """
        const { Drafts, allDrafts } = await import('/static/drafts.js');
        const windows = [0, 1].map(() => { // two windows of one browser
            const kept = new Map();
            return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
        });
        const pair = { source_words: ['a'], target_words: ['b'] };
        const of = (words, which) => new Drafts(17, words, localStorage, windows[which]);
        localStorage.setItem('cepts:draft:x:1', 'broken');
        of(pair, 0).keep({ state: [[0, 0, 'S']], version: 1, stored: null, unsure: [] });
        of(pair, 1).keep({ state: [], version: 1, stored: null, unsure: [] });
        const own = of(pair, 0).find().state;
        const foreign = of({ source_words: ['other'], target_words: ['b'] }, 0).find();
        of(pair, 0).forget([[0, 0, 'S']]);
        const left = of(pair, 0).find().state; // the other window's work is still there
        of(pair, 0).forget([]);
        return [own, foreign, left, allDrafts().length];
        """,
    )
    assert found == [[[0, 0, "S"]], None, [], 0]


def test_queries_survive_the_address(page: Page) -> None:
    found = run(
        page,
        """
        const { listAddress, listPath, pairAddress, readQuery } = await import('/static/query.js');
        const query = readQuery('order=best&word=%C3%A9t%C3%A9+%26&show=odd&min_score=-1.5&max_words=x&offset=-3');
        const usual = readQuery('');
        return [listAddress(query), pairAddress(3, query, 7), listAddress(usual), listPath({ ...usual, offset: 50 })];
        """,
    )
    assert found == [
        "#corpus?order=best&word=%C3%A9t%C3%A9+%26&min_score=-1.5",
        "#corpus/3?order=best&word=%C3%A9t%C3%A9+%26&min_score=-1.5&at=7",
        "#corpus",
        "/api/corpus?order=worst&offset=50&limit=50",
    ]
