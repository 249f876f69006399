"""Occupancy, against what NVIDIA's own calculator says."""

from __future__ import annotations

import pytest

from harness.analysis.occupancy import Occupancy, multiprocessor, occupancy

# Compute capability, threads a block, registers a thread, bytes of shared memory a block, and the
# blocks that are resident, as cudaOccMaxActiveBlocksPerMultiprocessor of CUDA 13.0's
# cuda_occupancy.h gives them.
PUBLISHED = [
    (70, 276, 156, 19626, 1),
    (70, 18, 216, 19038, 5),
    (70, 560, 22, 11263, 3),
    (70, 64, 16, 0, 32),
    (75, 398, 93, 18475, 1),
    (75, 22, 128, 878, 16),
    (75, 425, 21, 5382, 2),
    (75, 17, 229, 13516, 4),
    (80, 224, 108, 13682, 2),
    (80, 832, 30, 9738, 2),
    (80, 671, 18, 11821, 3),
    (80, 128, 117, 66615, 2),
    (86, 526, 225, 9381, 0),
    (86, 160, 42, 46067, 2),
    (86, 394, 39, 4457, 3),
    (86, 160, 130, 18258, 2),
    (87, 1005, 65, 9403, 0),
    (87, 21, 163, 13254, 11),
    (87, 74, 191, 4899, 2),
    (87, 768, 28, 1894, 2),
    (89, 148, 227, 9320, 1),
    (89, 16, 244, 16651, 5),
    (89, 506, 22, 2301, 3),
    (89, 459, 33, 21803, 3),
    (90, 480, 251, 170568, 0),
    (90, 199, 101, 3765, 2),
    (90, 198, 50, 114954, 2),
    (90, 576, 18, 1580, 3),
    (100, 816, 108, 53655, 0),
    (100, 273, 32, 100728, 2),
    (100, 247, 118, 330, 2),
    (100, 170, 16, 19692, 10),
    (103, 106, 90, 15675, 5),
    (103, 924, 28, 15577, 2),
    (103, 80, 81, 102038, 2),
    (103, 276, 19, 4014, 7),
    (110, 527, 181, 7306, 0),
    (110, 247, 98, 5454, 2),
    (110, 64, 16, 0, 24),
    (110, 113, 35, 9744, 12),
    (120, 148, 245, 3123, 1),
    (120, 605, 40, 5331, 2),
    (120, 18, 124, 15909, 6),
    (120, 140, 89, 19891, 4),
]


def of(arch: str, threads: int, registers: int, shared: int) -> Occupancy:
    sm = multiprocessor(arch)
    assert sm is not None
    return occupancy(sm, threads=threads, registers=registers, shared=shared)


@pytest.mark.parametrize(("capability", "threads", "registers", "shared", "blocks"), PUBLISHED)
def test_resident_blocks(
    capability: int, threads: int, registers: int, shared: int, blocks: int
) -> None:
    assert of(f"sm_{capability}", threads, registers, shared).blocks == blocks


@pytest.mark.parametrize(
    ("threads", "registers", "shared", "share", "limit"),
    [
        (256, 32, 5120, 1.0, "threads"),
        (256, 64, 0, 0.5, "registers"),
        (256, 32, 48 * 1024, 0.5, "shared memory"),
        (32, 16, 0, 0.5, "blocks"),
        (1024, 65, 0, 0.0, "registers"),  # such a launch fails
        (1056, 16, 0, 0.0, "threads"),
        (256, 16, 228 * 1024, 0.0, "shared memory"),
    ],
)
def test_what_bounds_it(
    threads: int, registers: int, shared: int, share: float, limit: str
) -> None:
    found = of("sm_90", threads, registers, shared)
    assert (found.share, found.limit) == (share, limit)


def test_the_accelerated_variants_have_the_same_multiprocessor() -> None:
    assert multiprocessor("sm_90a") == multiprocessor("compute_90") == multiprocessor("sm_90")


@pytest.mark.parametrize("arch", ["sm_61", "sm_999", "gfx90a", ""])
def test_what_is_not_known_is_not_guessed(arch: str) -> None:
    assert multiprocessor(arch) is None
