// Package check has checkers: access hooks that watch a kernel and change nothing.
//
// InStep finds code that relies on the lanes of a warp running in lockstep: instep.go is the hook,
// memory.go and votes.go have what lanes did since the last barrier, dependence.go the report.
// missed.go is the report of threads that miss a barrier, which the schedule finds.
//
// Sync finds barriers to which not all threads of a block come together: sync.go is the checker,
// meeting.go judges the barriers, endless.go reports waits that never end.
//
// A [Finding] is what every checker reports; [Findings] collects them, and makes one of those that
// are alike. A [Set] says which kinds are wanted.
package check
