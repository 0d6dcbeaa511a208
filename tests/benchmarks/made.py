"""What a made-up figure was made with."""

MADE = {
    "cepts": "cepts 9.9",
    "options": "",
    "threads": 1,
    "packages": {},
    "python": "3",
    "processor": "x",
    "cores": 2,
}
