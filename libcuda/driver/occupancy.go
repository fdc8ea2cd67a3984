package driver

// OccupancyDisableCachingOverride is a flag of the occupancy calls, without effect here.
const OccupancyDisableCachingOverride = 1

// OccupancyMaxActiveBlocksPerMultiprocessor returns how many blocks run at once on a
// multiprocessor, 0 if none fits. A block has threads threads and shared bytes of dynamic shared
// memory. Flags are 0 or OccupancyDisableCachingOverride.
func (t *Thread) OccupancyMaxActiveBlocksPerMultiprocessor(f Function, threads int, shared uint64, flags uint32) (int, error) {
	blocks := 0
	err := t.function(f, func(_ *context, f *function) error {
		if threads < 1 || flags&^OccupancyDisableCachingOverride != 0 {
			return ErrInvalidValue
		}
		blocks = f.resident(threads, shared)
		return nil
	})
	return blocks, err
}

// OccupancyMaxPotentialBlockSize returns the block size with the most resident threads per
// multiprocessor, the largest among equals, and the number of such blocks that fill the device.
// shared returns the dynamic shared memory for a number of threads. limit is the largest block to
// consider, 0 for the kernel's own limit. Flags are as above.
//
// No lock is held during calls of shared, because it may be the program's own function.
func (t *Thread) OccupancyMaxPotentialBlockSize(f Function, shared func(threads int) uint64, limit int, flags uint32) (grid, block int, err error) {
	// The copy stays valid without the context's lock, because a loaded function does not change.
	var kernel function
	var processors int
	err = t.function(f, func(c *context, f *function) error {
		if limit < 0 || flags&^OccupancyDisableCachingOverride != 0 {
			return ErrInvalidValue
		}
		kernel = function{module: f.module, body: body{kernel: f.kernel}}
		processors = c.device.attribute(AttributeMultiprocessorCount)
		return nil
	})
	if err != nil {
		return 0, 0, err
	}
	most := kernel.maxThreads()
	if limit > 0 {
		most = min(most, limit)
	}
	best := 0
	// Candidates are multiples of a warp, and the limit itself.
	for threads := most; threads > 0; threads = (threads - 1) / 32 * 32 {
		blocks := kernel.resident(threads, shared(threads))
		if busy := blocks * threads; busy > best {
			best, grid, block = busy, blocks*processors, threads
		}
	}
	return grid, block, nil
}

// resident returns how many blocks run at once on a multiprocessor.
func (f *function) resident(threads int, dynamic uint64) int {
	limits := f.module.ctx.device.model.arch.Limits()
	if threads > limits.ThreadsPerBlock || dynamic > uint64(limits.Shared) {
		return 0
	}
	return limits.BlocksPerWave(threads, f.kernel.Registers, f.kernel.Shared+int(dynamic))
}
