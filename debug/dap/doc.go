// Package dap is the debugger's face for editors: the Debug Adapter Protocol.
//
// A DAP thread is a warp, because editors list all threads, and a launch has very many. The lane that
// frames and expressions are about is a setting of the warp: evaluate "lane 7", "thread 37" or
// "block 3,0".
//
// Reading order: server.go (messages), run.go (start, stop, steps), breakpoints.go, look.go (threads,
// frames, scopes, expressions), variables.go, memory.go (memory and instructions).
package dap
