"""PyCUDA's own tests, on the simulator, with kernels that the toolkit's nvcc compiles.

usage: pycuda_tests.py FOLDER [pytest's options]

FOLDER has PyCUDA's test_driver.py, test_gpuarray.py and test_cumath.py. Run with LD_LIBRARY_PATH set to the library's
folder and PATH to the toolkit's, by a Python that has PyCUDA, built without cuRAND. Tests of pycuda_failures.csv may
fail, any other failure fails this program. So does a listed test that passes, unless it is marked "sometimes".
"""
import csv
import pathlib
import sys

import numpy as np
import pycuda._driver
import pytest

FILES = ["test_driver.py", "test_gpuarray.py", "test_cumath.py"]

# Without cuRAND, PyCUDA cannot import curandom, and many tests take its rand, which needs no cuRAND.
WITHOUT_CURAND = not hasattr(pycuda._driver, "get_curand_version")
if WITHOUT_CURAND:
    pycuda._driver.get_curand_version = lambda: (0, 0, 0)

np.random.seed(1)


class Outcomes:
    """A plugin of pytest: how each test ended."""

    def __init__(self):
        self.of = {}  # passed, skipped, failed, or xfailed, by file::[class::]name
        self.why = {}  # reasons of skipped tests

    def pytest_collection_modifyitems(self, items):
        for test in items:
            if WITHOUT_CURAND and test.name.startswith("test_curand_wrappers"):
                test.add_marker(pytest.mark.skip(reason="PyCUDA is built without cuRAND"))

    def pytest_runtest_logreport(self, report):
        how = report.outcome
        if how == "skipped" and hasattr(report, "wasxfail"):
            how = "xfailed"
        name = report.nodeid.rsplit("/", 1)[-1]
        if report.when == "call" or how != "passed":
            self.of[name] = how
        if how == "skipped":
            self.why[name] = report.longrepr[2]


def known():
    """The failures that have a reason: two columns of text, by name."""
    with open(pathlib.Path(__file__).with_name("pycuda_failures.csv"), newline="") as table:
        return {row["test"]: row for row in csv.DictReader(table)}


def main(folder, *options):
    outcomes = Outcomes()
    files = [str(pathlib.Path(folder) / name) for name in FILES]
    status = pytest.main([*files, "-q", "--tb=short", "-p", "no:cacheprovider", *options], plugins=[outcomes])
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        return 1
    listed, wrong = known(), []
    for name in FILES:
        ends = {test: how for test, how in outcomes.of.items() if test.startswith(name)}
        count = {how: sum(h == how for h in ends.values()) for how in ("passed", "skipped", "xfailed", "failed")}
        failed = [test for test, how in ends.items() if how == "failed"]
        print(f"pycuda {name}: {count['passed']} passed, {count['skipped']} skipped, "
              f"{count['xfailed']} expected by PyCUDA to fail, {len(failed)} failed", flush=True)
        for test in [test for test, how in ends.items() if how == "skipped"]:
            print(f"  skipped {test}: {outcomes.why[test]}")
        for test in failed:
            print(f"  failed {test}: {listed[test]['reason'] if test in listed else 'UNEXPECTED'}")
        wrong += [f"{test} fails" for test in failed if test not in listed]
        wrong += [f"{test} passes: take it off pycuda_failures.csv" for test, how in ends.items()
                  if how == "passed" and test in listed and listed[test]["when"] == "always"]
        if not count["passed"]:
            wrong.append(f"{name}: no test passed")
    for line in wrong:
        print("pycuda:", line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
