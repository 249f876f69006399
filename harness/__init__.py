"""leetk: a local judge for people who learn and practise CUDA."""

__version__ = "0.1.0"
