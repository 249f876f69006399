"""Entry of the worker process: ``python -I -S boot.py '<json>'``.

``site`` is skipped because it costs as much as the rest of the start; the judge hands over its own
``sys.path`` instead.
"""

import json
import sys

if __name__ == "__main__":
    options = json.loads(sys.argv[1])
    sys.path[:] = options["path"]
    from harness.worker.child import main

    main(options["read"], options["write"], options["arena"], options["parent"])
