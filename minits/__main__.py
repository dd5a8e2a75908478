"""`python -m minits`."""

import sys

from minits.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
