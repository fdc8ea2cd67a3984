// Package shadow finds what depends on values that nobody wrote.
//
// Memory knows which bytes of a device's memory have no value, over all launches. Memory.Run runs a
// launch in up to two stages. The first is cheap: a hook only looks whether anyone reads a byte
// without a value, of any memory. Mostly nobody does, and that was the launch. Otherwise memory is
// put back as it was, and the launch runs again under an observer that follows each bit without a
// value through the registers. A copy of such bits is silent; a branch or an address that depends on
// them is reported, and so is what the host gets (Memory.Copied).
//
// A kernel that may read registers before it writes them runs in the second stage at once, and so
// does a launch that someone else listens to.
//
// Taken for defined, whatever was written there: constants, arrays of textures, memory of the host
// that is mapped, and filtered texels.
//
// Reading order: memory.go, undo.go (bytes of device memory), value.go, integer.go, taint.go (bits
// through an operation), scan.go (the first stage), follow.go, warp.go, compute.go, exchange.go,
// access.go (the second stage), report.go, run.go.
package shadow
