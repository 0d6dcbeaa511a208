import pytest

import terms_django

CATALOGUE = """\
msgid ""
msgstr "Language: fr\\n"

msgid "File name"
msgstr "Nom de fichier"

msgid "New file name: <b>%s</b>"
msgstr "Nouveau nom de fichier : <b>%s</b>"
"""


@pytest.fixture
def django(tmp_path, monkeypatch):
    """A folder with two small catalogues of one language."""
    monkeypatch.setattr(terms_django, "LANGUAGES", {"fr": "French"})
    for place in ("conf/locale/fr/LC_MESSAGES", "contrib/admin/locale/fr/LC_MESSAGES"):
        folder = tmp_path / "django" / place
        folder.mkdir(parents=True)
        (folder / "django.po").write_text(CATALOGUE)
    return tmp_path / "django"


def test_the_report_has_the_list_and_keeps_what_a_person_wrote(django, tmp_path):
    output = tmp_path / "results"
    output.mkdir()
    (output / "terms-django-remarks.md").write_text("- Quite good.\n")
    terms_django.main(["--django", str(django), "--output", str(output), "--terms", "2"])
    text = (output / "terms-django.md").read_text()
    assert "## Remarks of a reader\n\n- Quite good.\n" in text
    assert "## English-French\n\n2 catalogues." in text
    assert " | file name | nom de fichier | " in text.lower()
    assert "\n| 1 |" in text
    assert "\n| 3 |" not in text
    assert (output / "terms-django-remarks.md").read_text() == "- Quite good.\n"


def test_a_folder_without_catalogues_is_refused(tmp_path):
    with pytest.raises(SystemExit, match="has no catalogues of fr; is it Django's folder"):
        terms_django.main(["--django", str(tmp_path), "--output", str(tmp_path)])


def test_where_django_is_missing_that_is_said(monkeypatch, tmp_path):
    monkeypatch.setattr(terms_django.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(SystemExit, match="Django is not installed"):
        terms_django.main(["--output", str(tmp_path)])
