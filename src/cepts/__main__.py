"""`python -m cepts` is `cepts`."""

from cepts.cli.main import main

main()
