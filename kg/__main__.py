"""`python -m kg` is `kg`."""

from kg.cli import main

main(prog_name="kg")
