package cubin

// What a cubin may ask for. The limits are those of compute capabilities 1.0 .. 1.3, so no file
// that ever ran is refused. Counts of kernels and variables need no limit: each takes bytes of the
// file.
const (
	maxRegisters = 128           // 7-bit register fields
	maxShared    = 16 << 10      // bytes a block
	maxLocal     = 16 << 10      // bytes a thread
	maxBarriers  = 16            // 4-bit barrier field
	maxBank      = 15            // 4-bit bank field
	maxUnit      = 127           // 128 textures a kernel
	maxCode      = 2 * 2_000_000 // words: two million instructions a kernel
	maxABI       = 1             // CUDA 2.x
	maxGlobal    = 1<<31 - 1     // bytes of a __device__ variable; whether so much memory is there, the device knows
	maxInit      = 1 << 29       // words of initial content: enough for any variable
	maxParams    = 256           // bytes of parameters
	maxBound     = 1 << 16       // threads: a bound above says nothing
	maxArch      = 1 << 16       // number of an architecture in a fat binary

	bankBytes    = 64 << 10 // a constant bank
	constantBank = 0        // of __constant__ variables
	addressBank  = 14       // of the address slots of __device__ variables
	headerBytes  = 16       // of shared memory, before the parameters
	slotBytes    = 4        // an address slot, also in modules for 64-bit hosts
)
