"""``python -m harness`` is ``leetk``."""

from harness.cli import main

if __name__ == "__main__":
    main()
