// Package debug stops kernels between two issues, looks at them, changes them, and goes back.
//
// A Session debugs the launches of a process, one after the other: whoever launches a kernel calls
// Session.Run in place of simt.Run. Any number of goroutines may call the other methods, those of
// Target. The terminal and the Debug Adapter Protocol are two faces of a Target; package wire has a
// Target whose Session is in another process.
//
// Reading order: target.go (what a face asks for), session.go (one launch, and its runs again),
// orders.go (how a face lets it go on), block.go (what happens before an issue), breakpoint.go,
// step.go, watchpoint.go (reasons to stop), reverse.go (the way back), scope.go and names.go (names
// in expressions), query.go and change.go (what a face sees and changes).
// docs/design/0046-the-debugger.md has the reasons.
package debug
