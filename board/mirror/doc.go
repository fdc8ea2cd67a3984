// Package mirror repeats a program's work on a second driver, and compares the device memory of
// both.
//
// A [Mirror] is a listener of the driver. It makes the same contexts, modules, memory, arrays and
// texture bindings on an [otherdriver.Driver], runs every kernel there after it has run here, and
// reads the memory back. It reports the first word that differs: launch, kernel, buffer and offset,
// and the thread and instruction that wrote it, which package lastwriter finds. It compares nothing
// after a difference. The program never notices: it gets the simulator's results.
//
// Handles and addresses are the second driver's own. If it allocates like the simulator, as another
// build does, addresses are the same. Otherwise addresses in kernels' parameters are translated,
// and words of memory that differ but point to the same place count as equal.
//
// Anything that cannot be mirrored is reported and counted. Reading order: mirror.go (the
// listener), context.go, memory.go, shadow.go, module.go and standin.go (PTX instead of code that
// the other driver cannot load), launch.go, compare.go and sweep.go, report.go.
// docs/crosscheck.md is for users.
package mirror
