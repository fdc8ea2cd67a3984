package findings

import "jacquard/simt/check"

// words says what each word of findings means.
var words = map[check.Kind]map[string]string{
	check.KindMemory: {
		"out-of-bounds": "An access beyond an object",
		"misaligned":    "An access to an address that is no multiple of its size",
		"after-free":    "An access to memory that was freed",
		"double-free":   "A second free of the same memory",
		"null":          "An access through a null pointer",
	},
	check.KindRace: {
		"read-write":       "A read and a write of two threads that nothing orders",
		"write-write":      "Two writes of two threads that nothing orders",
		"atomic-plain":     "An atomic and a plain access of two threads that nothing orders",
		"warp-synchronous": "Accesses that only the lock step of a warp orders, as later devices do not",
		"same-value":       "Writes of two threads that nothing orders, of the same value",
	},
	check.KindInit: {
		"branch":  "A branch that depends on a value that nobody wrote",
		"address": "An address that depends on a value that nobody wrote",
		"output":  "A result that depends on a value that nobody wrote",
	},
	check.KindSync: {
		"divergent":  "A barrier that some lanes of a warp reach",
		"partial":    "A barrier that some warps of a block never reach",
		"different":  "Warps of a block that wait at different barriers",
		"after-exit": "A barrier before which threads of the block have ended",
		"endless":    "A wait that never ends",
	},
	check.KindAPI: {
		"unchecked":    "A call that fails, and nobody looks",
		"copy-kind":    "A copy whose direction is not that of its addresses",
		"early-free":   "Host memory that is freed while a copy may use it",
		"early-change": "Host memory that is changed while a copy may use it",
	},
	check.KindLeak: {
		"device": "Device memory that is not freed",
		"host":   "Pinned or mapped host memory that is not freed",
		"array":  "An array that is not freed",
		"stream": "A stream that is not destroyed",
		"event":  "An event that is not destroyed",
	},
}

// Meaning returns what the word of a finding means, "" for an unknown word.
func Meaning(k check.Kind, what string) string { return words[k][what] }
