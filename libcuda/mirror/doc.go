// Package mirror does a program's work on a second driver as well, and compares what both leave in device memory.
//
// A [Mirror] is the driver's witness. It makes the same contexts, modules, memory, arrays and texture bindings on a
// [otherdriver.Driver], runs every kernel there when it has run here, reads the memory back and reports the first word that
// is not the same: which launch, kernel, buffer and offset, and, by running the launch again under package lastwriter,
// which thread and instruction wrote it. Nothing is compared behind a difference. The program never notices: it gets
// the simulator's results.
//
// Handles and addresses are the second driver's own. If it places memory as the simulator does (another build of it),
// addresses are the same. Otherwise addresses in kernels' parameters are translated, and words of memory that differ
// but point to the same place count as the same.
//
// What cannot be mirrored is said and counted, never passed over. Reading order: mirror.go (the witness), context.go,
// memory.go, shadow.go, module.go and standin.go (kernels in PTX for what the other cannot take), texture.go, launch.go,
// compare.go, report.go. docs/crosscheck.md is for users.
package mirror
