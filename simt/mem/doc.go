// Package mem is the memory of a Tesla multiprocessor: global memory with its
// atomics, shared memory with its locks, local and constant memory, and textures.
//
// It serves accesses of up to 32 lanes at once. An address is a row, a word a lane;
// data is up to four rows, low word first; a mask names the lanes that take part.
// The package knows nothing of warps, blocks or instructions.
//
// Every access of a call is checked before any has an effect: a call either happens
// wholly or returns a [Violation] and changes nothing. One that reaches the slack of an
// allocation happens and returns a Violation, an Overrun. Lanes take effect in ascending
// order, so the highest lane wins when several store to one address. Idle lanes may
// hold any address. The rows of a load may alias its address row.
//
// Accesses are classified once: how the addresses lie to each other decides how data is moved, and
// what the access would have cost on hardware. [Rows] goes further and serves several warps at once,
// if their lanes lie as those of the instruction's last access did.
//
// Reading order: data.go and violation.go (the vocabulary), survey.go, words_*.go and bytes.go
// (how 32 addresses are checked and served), cost.go and cost_*.go (what hardware does with them), space.go,
// written.go and global.go, shared.go and lock.go, local.go, constant.go, fence.go, pattern.go and rows.go (several
// warps), atomic.go and atomic_warp.go, texture.go (what a texture is), texel.go, texture_image.go,
// texture_sample.go and texture_blend.go.
package mem
