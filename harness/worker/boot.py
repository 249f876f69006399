"""Entry of the worker process: ``python -I -S boot.py '<json>'``.

``site`` is skipped because it costs as much as the rest of the start; the judge hands over its own
``sys.path`` instead. Under a ``prefix``, a command such as a profiler's that runs the worker as its
child, this process first becomes that command.
"""

import json
import sys

if __name__ == "__main__":
    options = json.loads(sys.argv[1])
    sys.path[:] = options["path"]
    from harness.worker.child import become, main

    if options["prefix"]:
        become(options)
    main(options["read"], options["write"], options["arena"], options["parent"])
