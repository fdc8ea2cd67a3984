// Package mirror does a program's work on a second driver as well, and compares what both leave in
// device memory.
//
// A [Mirror] is a listener of the driver. It makes the same contexts, modules, memory, arrays and
// texture bindings on an [otherdriver.Driver], runs every kernel there when it has run here, and
// reads the memory back. It reports the first word that differs: launch, kernel, buffer and offset,
// and the thread and instruction that wrote it, which package lastwriter finds. Nothing is compared
// after a difference. The program never notices: it gets the simulator's results.
//
// Handles and addresses are the second driver's own. If it places memory as the simulator does
// (another build of it), addresses are the same. Otherwise addresses in kernels' parameters are
// translated, and words of memory that differ but point to the same place count as the same.
//
// What cannot be mirrored is reported and counted. Reading order: mirror.go (the listener),
// context.go, memory.go, shadow.go, module.go and standin.go (PTX in place of code that the other
// cannot load), texture.go, launch.go, compare.go, report.go. docs/crosscheck.md is for users.
package mirror
