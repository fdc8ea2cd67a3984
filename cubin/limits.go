package cubin

import "jacquard/tesla"

// Limits on the numbers of a cubin. Compute capabilities 1.0 .. 1.3 have these limits, so every
// file that ever ran passes. Counts of kernels and variables need no limit: each takes bytes of
// the file.
const (
	maxRegisters = 128 // 7-bit register fields
	maxBarriers  = 16  // 4-bit barrier field
	maxBank      = tesla.Banks - 1
	maxUnit      = tesla.TextureUnits - 1
	maxCode      = 2 * 2_000_000 // words: two million instructions per kernel
	maxABI       = 1             // CUDA 2.x
	// bytes of a __device__ variable; the device knows whether it has so much memory
	maxGlobal = 1<<31 - 1
	maxInit   = 1 << 29 // words of initial content: enough for any variable
	maxParams = 4096    // bytes of parameters
	maxBound  = 1 << 16 // threads: a higher bound says nothing
	maxArch   = 1 << 16 // number of an architecture in a fat binary
	maxLine   = 1<<31 - 1
	maxPaths  = 1 << 20 // bytes of the paths of all source files

	constantBank = 0 // of __constant__ variables
	slotBytes    = 4 // per address slot, also in modules for 64-bit hosts
)

// SharedParams is the most bytes of parameters that a kernel has in shared memory. A kernel with
// more has all of them in the variable ParamVariable of its image, which a launch fills. Compilers
// of the time make no such kernels; this project's compiler does, as for later devices.
const (
	SharedParams  = tesla.ParamBytes
	ParamVariable = "__jacquard_params"
)

// AddressBank is the constant bank in which kernels find the addresses of __device__ variables.
const AddressBank = 14
