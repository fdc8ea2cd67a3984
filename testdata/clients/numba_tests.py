"""numba's own tests of its CUDA driver binding, on the simulator: memory, streams, events, contexts, devices.

Run with LD_LIBRARY_PATH set to the library's folder. numba wants devices of capability 3.5; one variable lifts that.
Tests that compile kernels need libNVVM, which nobody has for this hardware: they are left out by name, with the reason.
Those that want a second GPU skip themselves.
"""
import io
import sys
import unittest

from numba.cuda.cudadrv import driver

driver.MIN_REQUIRED_CC = (1, 0)

MODULES = [  # and how many tests must have run: none may vanish unseen
    ("test_cuda_memory", 15),
    ("test_events", 2),
    ("test_streams", 7),
    ("test_pinned", 2),
    ("test_array_attr", 7),
    ("test_select_device", 1),
    ("test_reset_device", 1),
    ("test_cuda_auto_context", 1),
    ("test_detect", 2),
    ("test_profiler", 1),
    ("test_init", 5),
    ("test_host_alloc", 4),
    ("test_context_stack", 9),
]

LEFT_OUT = {
    "test_cudajit_in_attached_primary_context": "compiles a kernel with libNVVM",
    "test_managed_memory": "wants managed memory, which this hardware has not",
}


def flatten(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flatten(test)
        else:
            yield test


def run(name, count):
    loaded = list(flatten(unittest.defaultTestLoader.loadTestsFromName("numba.cuda.tests.cudadrv." + name)))
    wanted = [t for t in loaded if t.id().rsplit(".", 1)[1] not in LEFT_OUT]
    report = io.StringIO()
    result = unittest.TextTestRunner(stream=report, verbosity=0).run(unittest.TestSuite(wanted))
    if not result.wasSuccessful():
        print(report.getvalue(), file=sys.stderr)
    bad = {test.id() for test, _ in result.failures + result.errors}
    passed = result.testsRun - len(bad) - len(result.skipped)
    print(f"numba {name}: {passed} passed, {len(result.skipped)} skipped, {len(loaded) - len(wanted)} left out, "
          f"{len(bad)} failed", flush=True)
    for test, reason in result.skipped:
        print(f"  skipped {test.id().rsplit('.', 1)[1]}: {reason}")
    for test in loaded:
        if test not in wanted:
            print(f"  left out {test.id().rsplit('.', 1)[1]}: {LEFT_OUT[test.id().rsplit('.', 1)[1]]}")
    if len(loaded) != count:
        print(f"  there should be {count} tests, and there are {len(loaded)}")
        return False
    return result.wasSuccessful() and passed > 0


if __name__ == "__main__":
    good = [run(name, count) for name, count in MODULES]
    sys.exit(0 if all(good) else 1)
