package main

// #include "server.h"
import "C"

import "jacquard/libcuda/driver"

//export goOccupancyMaxActiveBlocksPerMultiprocessor
func goOccupancyMaxActiveBlocksPerMultiprocessor(thread C.uint64_t, blocks *C.int, function C.CUfunction, threads C.int, shared C.size_t) C.CUresult {
	return goOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(thread, blocks, function, threads, shared, 0)
}

//export goOccupancyMaxActiveBlocksPerMultiprocessorWithFlags
func goOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(thread C.uint64_t, blocks *C.int, function C.CUfunction, threads C.int, shared C.size_t, flags C.uint) C.CUresult {
	return get(thread, blocks, func(t *driver.Thread) (int, error) {
		return t.OccupancyMaxActiveBlocksPerMultiprocessor(driver.Function(function), int(threads), uint64(shared), uint32(flags))
	})
}

//export goOccupancyMaxPotentialBlockSize
func goOccupancyMaxPotentialBlockSize(thread C.uint64_t, grid, block *C.int, function C.CUfunction, sharedOf C.CUoccupancyB2DSize, shared C.size_t, limit C.int) C.CUresult {
	return goOccupancyMaxPotentialBlockSizeWithFlags(thread, grid, block, function, sharedOf, shared, limit, 0)
}

//export goOccupancyMaxPotentialBlockSizeWithFlags
func goOccupancyMaxPotentialBlockSizeWithFlags(thread C.uint64_t, grid, block *C.int, function C.CUfunction, sharedOf C.CUoccupancyB2DSize, shared C.size_t, limit C.int, flags C.uint) C.CUresult {
	if grid == nil || block == nil {
		return invalidValue
	}
	size := func(threads int) uint64 {
		if sharedOf == 0 {
			return uint64(shared)
		}
		return uint64(C.jacquard_call_block_size(sharedOf, C.int(threads)))
	}
	return get2(thread, grid, block, func(t *driver.Thread) (int, int, error) {
		return t.OccupancyMaxPotentialBlockSize(driver.Function(function), size, int(limit), uint32(flags))
	})
}
