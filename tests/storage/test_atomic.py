import gzip
import io
import lzma
import os
import re
import stat
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepts.errors import OptionError, OutputError
from cepts.storage import atomic_writer, check_folder_writable, check_writable, together


def permissions_bind() -> bool:
    """Tell whether a protected file is protected from us too: it is not from root."""
    with tempfile.NamedTemporaryFile() as file:
        Path(file.name).chmod(0o400)
        return not os.access(file.name, os.W_OK)


needs_permissions = pytest.mark.skipif(not permissions_bind(), reason="root may write where others may not")


def test_text_appears_when_the_block_ends(tmp_path: Path) -> None:
    path = tmp_path / "links"
    with atomic_writer(path) as file:
        file.write("0-0 été\n")
        assert not path.exists()
    assert path.read_bytes() == "0-0 été\n".encode()
    assert os.listdir(tmp_path) == ["links"]


def test_bytes(tmp_path: Path) -> None:
    with atomic_writer(tmp_path / "raw", binary=True) as file:
        file.write(b"\x00\xff")
    assert (tmp_path / "raw").read_bytes() == b"\x00\xff"


@pytest.mark.parametrize(("name", "module"), [("a.gz", gzip), ("a.xz", lzma)])
def test_compressed_by_name(tmp_path: Path, name: str, module: object) -> None:
    lines = "".join(f"{i}-{i}\n" for i in range(50_000))
    with atomic_writer(tmp_path / name) as file:
        file.write(lines)
    with module.open(tmp_path / name, "rt", encoding="utf-8") as file:  # type: ignore[attr-defined]
        assert file.read() == lines
    assert (tmp_path / name).stat().st_size < len(lines) // 2


def test_equal_text_gives_equal_gzip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, now in (("a.gz", 1e9), ("b.gz", 2e9)):
        monkeypatch.setattr("time.time", lambda now=now: now)
        with atomic_writer(tmp_path / name) as file:
            file.write("0-0\n")
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


@given(text=st.text(st.characters(exclude_categories=["Cs"])), name=st.sampled_from(["a", "a.gz", "a.xz"]))
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, text: str, name: str) -> None:
    path = tmp_path_factory.mktemp("round") / name
    with atomic_writer(path) as file:
        file.write(text)
    reader = {"a": io.open, "a.gz": gzip.open, "a.xz": lzma.open}[name]
    with reader(path, "rb") as file:
        assert file.read() == text.encode()


@pytest.mark.parametrize("name", ["old", "old.gz", "old.xz"])
@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt, SystemExit])
def test_after_a_failure_the_old_file_stands(tmp_path: Path, name: str, failure: type[BaseException]) -> None:
    path = tmp_path / name
    path.write_text("before")

    def fail() -> None:
        with atomic_writer(path) as file:
            file.write("half" * 100_000)
            raise failure

    with pytest.raises(failure):
        fail()
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == [name]


def test_an_os_error_of_the_block_is_not_ours(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), atomic_writer(tmp_path / "out"):
        (tmp_path / "absent").read_text()
    assert os.listdir(tmp_path) == []


def test_a_killed_write_is_never_seen(tmp_path: Path) -> None:
    program = """
        import os, sys
        from cepts.storage import atomic_writer
        with atomic_writer(sys.argv[1]) as file:
            file.write("half" * 100_000)
            os._exit(9)
    """
    command = [sys.executable, "-c", textwrap.dedent(program), str(tmp_path / "out")]
    assert subprocess.run(command, check=False).returncode == 9
    assert not (tmp_path / "out").exists()


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("before")
    (tmp_path / "link").symlink_to("real")
    with atomic_writer(tmp_path / "link") as file:
        file.write("after")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "after"


def test_permissions_are_kept(tmp_path: Path) -> None:
    (tmp_path / "old").touch()
    (tmp_path / "old").chmod(0o640)
    umask = os.umask(0o022)
    try:
        for name in ("old", "new"):
            with atomic_writer(tmp_path / name) as file:
                file.write("x")
    finally:
        os.umask(umask)
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("old", "new")]
    assert modes == [0o640, 0o644]


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="no devices here")
def test_a_device_stays_a_device() -> None:
    with atomic_writer("/dev/null") as file:
        file.write("gone")
    check_writable("/dev/null")
    assert Path("/dev/null").is_char_device()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
@pytest.mark.parametrize("size", [1, 1_000_000])
def test_a_full_disk(size: int) -> None:
    with (
        pytest.raises(OutputError, match=r"^cannot write /dev/full: No space left on device$"),
        atomic_writer("/dev/full") as file,
    ):
        file.write("x" * size)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_reader_that_leaves_is_a_broken_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)

    def write() -> None:
        with atomic_writer(tmp_path / "pipe") as file:
            os.close(reader)
            file.write("x" * 1_000_000)

    with pytest.raises(BrokenPipeError):
        write()


def both(path: Path) -> list[str]:
    """Return the messages of the early check and of the writer itself."""
    with pytest.raises(OutputError) as early:
        check_writable(path)
    with pytest.raises(OutputError) as late, atomic_writer(path):
        pass
    return [str(early.value), str(late.value)]


def test_no_such_folder(tmp_path: Path) -> None:
    path = tmp_path / "absent" / "out"
    assert both(path) == [
        f"cannot write {path}: there is no folder {tmp_path / 'absent'}; create it first",
        f"cannot write {path}: No such file or directory",
    ]


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert set(both(tmp_path)) == {f"cannot write {tmp_path}: it is a folder; name a file"}


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    path = tmp_path / "file" / "out"
    early, late = both(path)
    assert early == f"cannot write {path}: there is no folder {tmp_path / 'file'}; create it first"
    assert late == f"cannot write {path}: Not a directory"


def test_a_file_system_that_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("cepts.storage.atomic.os.open", refuse)
    assert set(both(tmp_path / "out")) == {f"cannot write {tmp_path / 'out'}: Read-only file system"}


@needs_permissions
def test_a_folder_without_permission(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        assert set(both(tmp_path / "out")) == {f"cannot write {tmp_path / 'out'}: Permission denied"}
    finally:
        tmp_path.chmod(0o700)


@needs_permissions
def test_a_protected_file(tmp_path: Path) -> None:
    (tmp_path / "old").touch(0o400)
    with pytest.raises(OutputError, match=re.escape("old: it is write-protected")):
        check_writable(tmp_path / "old")


def test_the_check_leaves_nothing(tmp_path: Path) -> None:
    check_writable(tmp_path / "out")
    (tmp_path / "old").write_text("before")
    check_writable(tmp_path / "old")
    assert os.listdir(tmp_path) == ["old"]
    assert (tmp_path / "old").read_text() == "before"


@pytest.mark.parametrize("check", [check_writable, check_folder_writable])
class TestNames:
    def test_a_name_that_the_system_refuses(self, tmp_path, check):
        with pytest.raises(OutputError, match=r"cannot write .*too long.*; name another place"):
            check(tmp_path / ("n" * 300))

    def test_a_name_with_nul(self, check):
        with pytest.raises(OptionError, match=r"path that is not empty and has no NUL, got 'a\\x00b'$"):
            check(Path("a\0b"))


def write_both(folder: Path, names: tuple[str, ...] = ("first", "second"), size: int = 1) -> None:
    """Write files that belong together."""
    with together():
        for name in names:
            with atomic_writer(folder / name) as file:
                file.write("after" * size)


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt, SystemExit])
def test_files_that_belong_together_appear_together(tmp_path: Path, failure: type[BaseException]) -> None:
    def fail() -> None:
        with together():
            with atomic_writer(tmp_path / "first") as file:
                file.write("half")
            assert not (tmp_path / "first").exists()
            raise failure

    with pytest.raises(failure):
        fail()
    assert contents(tmp_path) == {}
    write_both(tmp_path)
    assert contents(tmp_path) == {"first": "after", "second": "after"}
    with atomic_writer(tmp_path / "alone") as file:  # is not held back by a block that has ended
        file.write("after")
    assert (tmp_path / "alone").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of a process here")
def test_a_disk_that_is_full_at_the_second_file_keeps_the_first_as_it_was(tmp_path: Path) -> None:
    import resource

    (tmp_path / "first").write_text("before")

    def write() -> None:
        with together():
            with atomic_writer(tmp_path / "first") as file:
                file.write("after")
            with atomic_writer(tmp_path / "second") as file:
                file.write("after" * 1_000_000)

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, hard))
    try:
        with pytest.raises(OutputError, match=r"^cannot write .*second: File too large$"):
            write()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert contents(tmp_path) == {"first": "before"}


def replace_but(failing: str, error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no file be renamed to a name."""
    replace = Path.replace

    def some(self: Path, target: Path) -> Path:
        if target.name == failing and not self.read_text() == "before":
            raise error
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", some)


@pytest.mark.parametrize("there", [("first", "second"), ("second",), ()])
@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), KeyboardInterrupt()])
def test_if_the_last_file_cannot_be_renamed_the_others_are_restored(
    tmp_path: Path, there: tuple[str, ...], error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in there:
        (tmp_path / name).write_text("before")
    replace_but("third", error, monkeypatch)
    with pytest.raises((OutputError, KeyboardInterrupt)):
        write_both(tmp_path, ("first", "second", "third"))
    assert contents(tmp_path) == dict.fromkeys(there, "before")


def test_without_hard_links_a_file_that_was_renamed_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(1, "Operation not permitted")

    (tmp_path / "first").write_text("before")
    monkeypatch.setattr("cepts.storage.atomic.os.link", refuse)
    replace_but("second", OSError(5, "Input/output error"), monkeypatch)
    with pytest.raises(OutputError, match=r"second: Input/output error$"):
        write_both(tmp_path)
    assert contents(tmp_path) == {"first": "after"}
