"""mutmut's own command line, with quicker parts of ours in it: ``python -m`` of this is a run."""

from __future__ import annotations

from types import ModuleType, SimpleNamespace

from pytest_lift.mutation.inside import rendering, trampoline


def main() -> None:
    import mutmut.__main__ as theirs
    from mutmut.mutation import file_mutation
    from mutmut.mutation import trampoline as trampolines

    rendering.install(file_mutation)
    trampoline.install(trampolines)
    check_by_compiling(theirs)
    theirs.cli(prog_name="mutmut")


def check_by_compiling(theirs: ModuleType) -> None:
    """Makes mutmut check the syntax of its output without a tree of Python objects, which
    takes several seconds for the mutants of one file. Does nothing if that module is not the
    expected one."""
    if hasattr(theirs, "ast"):
        theirs.ast = SimpleNamespace(parse=_compiled)  # type: ignore[attr-defined]


def _compiled(text: str) -> None:
    compile(text, "<mutants>", "exec", dont_inherit=True)


if __name__ == "__main__":
    main()
