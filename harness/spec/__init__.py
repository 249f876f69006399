"""Problem specs: YAML to a validated ``Problem``.

    load.py      the way in                          models.py, check.py, examples.py
    yamlpos.py   YAML values with their lines
    memo.py      validated specs, remembered

This module stays empty: a remembered spec needs neither YAML nor pydantic.
"""
