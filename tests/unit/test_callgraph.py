"""Reading GCC's call graph: the dump, the places, and the names in both."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.backends.cpu.callgraph import (
    base_name,
    is_lambda,
    of_library,
    read_dump,
    read_places,
    split_name,
)
from harness.backends.cpu.sources import Place

DUMP = """noise _Z1kv/9 (void k()) @0x7f
  Type: function definition

Initial Symbol table:

_Z1kPi/1 (void k(int*)) @0x7fb95610c330
  Type: function definition analyzed
  Visibility: public
  References: const uint3 threadIdx/12 (read) _Z1hi/4 (addr) __gxx_personality_v0/8 (addr)
  Function flags: body
  Called by: solve/2 (can throw external)
  Calls: _ZN1SC1Ei/3 (can throw external) _Z1hi/4 float fmaf(float, float, float)/5
   Indirect call
const int N/7 (const int N) @0x7fb95610c440
  Type: variable definition
  References:
_ZN1SC1Ei/3 (S::S(int))
  Type: function definition analyzed alias cpp_implicit_alias
  References: _ZN1SC2Ei/6 (alias)
  Calls:
Removing unused symbols: _Z1xv/10
_Z1xv/10 (void x()) @0x7f
  Type: function
"""

PLACES = r"""graph: { title: "tree/a.cu"
node: { title: "_Z1kPi" label: "void k(int*)\na.cu:3:17" }
node: { title: "tree/a.cu:_ZN1SC2Ei" label: "S::S(int)\na.cu:2:20\n16 bytes (static)" }
node: { title: "fmaf" label: "__builtin_fmaf" shape : ellipse }
edge: { sourcename: "_Z1kPi" targetname: "tree/a.cu:_ZN1SC1Ei" label: "a.cu:4:5" }
edge: { sourcename: "_Z1kPi" targetname: "fmaf" label: "a.cu:5:5" }
edge: { sourcename: "_Z1kPi" targetname: "__stack_chk_fail" }
edge: { sourcename: "solve" targetname: "tree/a.cu:_Z1kPi.localalias" label: "a.cu:9:1" }
}
"""


def test_the_dump() -> None:
    found = read_dump(DUMP)
    assert set(found) == {1, 3}
    assert (found[1].mangled, found[1].shown) == ("_Z1kPi", "void k(int*)")
    assert found[1].calls == (3, 4, 5)
    assert found[1].addressed == (4, 8)
    assert (found[1].alias, found[3].alias) == (-1, 6)


@pytest.mark.parametrize("text", ["", "Initial Symbol table:", DUMP.partition("Removing")[0]])
def test_another_text_is_no_dump(text: str) -> None:
    assert read_dump(text) == {}


def test_the_places() -> None:
    found = read_places(PLACES, lambda place: replace(place, column=place.column + 1))
    assert set(found) == {"_Z1kPi", "_ZN1SC2Ei"}
    assert found["_Z1kPi"].place == Place("a.cu", 3, 18)
    assert found["_ZN1SC2Ei"].place == Place("a.cu", 2, 21)
    calls = [name for name, _ in found["_Z1kPi"].calls if name in found]
    assert calls == ["_ZN1SC2Ei"]


@pytest.mark.parametrize(
    ("shown", "scope", "name"),
    [
        ("void k(const float*, int)", "void", "k"),
        ("T g(T, T) [with T = int (*)(int)]", "T", "g"),
        ("S::S(int)", "S", "S"),
        ("n::S<T>::~S() [with T = int]", "n::S<T>", "~S"),
        ("S::operator int() const", "S", "operatorint"),
        ("int S::operator+(int) const &", "int S", "operator+"),
        ("constexpr _Tp std::plus<_Tp>::operator()(const _Tp&, const _Tp&) const [with _Tp = int]",
         "constexpr _Tp std::plus<_Tp>", "operator()"),
        ("V operator,(V, int)", "V", "operator,"),
        ("float& V::operator[](int)", "float& V", "operator[]"),
        ("int k(int*)::L::get()", "int k(int*)::L", "get"),
        ("k(int*)::<lambda(int)>", "", ""),
        ("float tile [16]", "", ""),
        ("", "", ""),
    ],
)  # fmt: skip
def test_names(shown: str, scope: str, name: str) -> None:
    found = split_name(shown)
    assert found[1] == name == base_name(shown)
    if "::" in scope:
        assert found[0] == scope


def test_what_mangled_names_tell() -> None:
    assert is_lambda("_ZZ1kPiENKUliE_clEi") and is_lambda("_ZNK1fMUliE0_clEi")
    assert not is_lambda("_Z1kPi") and not is_lambda("_ZNK1FclEi")
    assert of_library("_ZSt3maxIiERKT_S2_S2_") and of_library("_ZNKSt4plusIiEclERKiS2_")
    assert not of_library("_ZN2StC1Ev") and not of_library("_Z3Stdv")
