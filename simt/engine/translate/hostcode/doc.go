// Package hostcode holds machine code for the host and calls it.
//
// [Load] copies code to pages of its own, which are never writable and executable at once.
// [Code.Entry] is a position in it, and [Entry.Call] calls it with one pointer, the context.
// [Available] tells whether the host can do that at all: it is Linux on amd64, and does not refuse
// executable memory, as some hardened systems do.
//
// # What the code may rely on
//
//   - RDI has the context. MXCSR has the first 32 bits of the context.
//   - The direction flag is clear. At least 512 bytes below RSP are free for PUSH and CALL. Go's
//     signal handlers have a stack of their own; those of a host program may not, so only 128 bytes
//     below RSP survive without a PUSH. RSP is a multiple of 8, not of 16.
//   - All other registers are undefined.
//
// The stack is that of the goroutine. Go keeps 800 bytes below any function that checks the stack's
// bound, and enter is one (enter_linux_amd64.s).
//
// # What the code must do
//
//   - It returns with RET, and RSP is then as it was. All other registers, the mask registers and
//     MXCSR may have any value. The direction flag is clear. Vector registers need no VZEROUPPER.
//   - It must not fault: no bad address, no floating-point exception that MXCSR does not mask, and
//     no reserved bit in MXCSR. A fault ends the process. (Before the first PUSH it looks like a
//     panic of Call, but one that goes on under the code's MXCSR.)
//   - It must not write Go pointers to memory that the garbage collector knows: there is no write
//     barrier. It may write plain data anywhere that Go code could.
//   - It must return soon, within some milliseconds. The Go scheduler cannot interrupt it, so a
//     garbage collection that wants to begin waits for it, and with it all other goroutines.
//
// A signal, such as the CPU profiler's, is handled as anywhere in a Go program; a profile shows the
// time as runtime._ExternalCode. The context may be on the goroutine's stack: stacks do not move
// while the code runs, and what the context points to stays alive until Call returns.
package hostcode
