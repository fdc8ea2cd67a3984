package bench

import (
	"math"

	"jacquard/simt"
	"jacquard/tesla"
)

// Constants of nbody. A tile of bodies, 16 bytes per body, is in shared memory.
const (
	nbodyThreads   = 64 // per block, and bodies per tile
	nbodyRegisters = 32
	nbodyTile      = 0x20 // address of the tile
	nbodyShared    = nbodyTile + 16*nbodyThreads
	nbodyUnrolled  = 4
	nbodySoftening = 0.01 // added to squared distances
)

// nbody computes the attraction of n bodies (x, y, z, mass) to every body:
//
//	nbody(const float4 *all, const float4 *bodies, float4 *acceleration, unsigned tiles)
//
// Each block copies tiles of bodies to shared memory, and each thread sums the attraction to its
// own body. Most of the work is arithmetic on operands that all threads share.
func nbody() (simt.Kernel, error) {
	const (
		thread     = 1
		index      = 2    // of the body
		own        = 4    // x, y, z and mass
		sum        = 8    // acceleration, and a zero
		next       = 12   // address of this thread's body of the next tile
		tiles      = 13   // tiles left
		offset     = 14   // in the tile
		groups     = 15   // groups of the tile left
		fetched    = 16   // a body to store in shared memory
		d          = 20   // difference of positions
		square     = 23   // of the distance
		inverse    = 24   // of the distance
		factor     = 25   // mass divided by the cube of the distance
		slot, body = 1, 2 // address registers: the thread's place in the tile, a group of bodies
	)
	c := newCode()
	c.thread(thread)
	c.Add(cvt(tesla.U32, tesla.U16, reg(index), tesla.Operand{Kind: tesla.Shared, Type: tesla.U16, Value: blockIndex}))
	c.Add(op(tesla.OpShl, tesla.B32, reg(index), reg(index), imm(6)))
	c.Add(op(tesla.OpIAdd, tesla.B32, reg(index), reg(index), reg(thread)))
	c.Add(op(tesla.OpShl, tesla.B32, reg(index), reg(index), imm(4)))
	c.Add(op(tesla.OpIAdd, tesla.B32, reg(next), shared(0, parameters+4), reg(index)))
	c.Add(op(tesla.OpLdGlobal, tesla.B128, quadruple(own), global(next)))
	c.Add(op(tesla.OpShl, tesla.B32, reg(thread), reg(thread), imm(4)))
	c.address(slot, thread)
	c.Add(op(tesla.OpIAdd, tesla.B32, reg(next), shared(0, parameters), reg(thread)))
	c.Add(op(tesla.OpMov, tesla.B32, reg(tiles), shared(0, parameters+12)))
	for i := range 4 {
		c.Add(op(tesla.OpMov, tesla.B32, reg(sum+i), imm(0)))
	}

	tile := c.PlaceHere()
	c.Add(op(tesla.OpLdGlobal, tesla.B128, quadruple(fetched), global(next)))
	for i := range 4 {
		c.Add(store(tesla.OpStShared, tesla.B32, shared(slot, nbodyTile+4*uint32(i)), reg(fetched+i)))
	}
	c.barrier()
	c.Add(op(tesla.OpMov, tesla.B32, reg(offset), imm(nbodyTile)))
	c.Add(op(tesla.OpMov, tesla.B32, reg(groups), imm(nbodyThreads/nbodyUnrolled)))

	group := c.PlaceHere()
	c.address(body, offset)
	for k := range uint32(nbodyUnrolled) {
		for i := range 3 {
			c.Add(op(tesla.OpFAdd, tesla.F32, reg(d+i), shared(body, 16*k+4*uint32(i)), minus(reg(own+i))))
		}
		c.Add(op(tesla.OpFMul, tesla.F32, reg(square), reg(d), reg(d)))
		c.Add(op(tesla.OpFMad, tesla.F32, reg(square), reg(d+1), reg(d+1), reg(square)))
		c.Add(op(tesla.OpFMad, tesla.F32, reg(square), reg(d+2), reg(d+2), reg(square)))
		c.Add(op(tesla.OpFAdd, tesla.F32, reg(square), reg(square), imm(math.Float32bits(nbodySoftening))))
		c.Add(op(tesla.OpRsqrt, tesla.F32, reg(inverse), reg(square)))
		c.Add(op(tesla.OpFMul, tesla.F32, reg(factor), reg(inverse), reg(inverse)))
		c.Add(op(tesla.OpFMul, tesla.F32, reg(factor), reg(factor), reg(inverse)))
		c.Add(op(tesla.OpFMul, tesla.F32, reg(factor), shared(body, 16*k+12), reg(factor)))
		for i := range 3 {
			c.Add(op(tesla.OpFMad, tesla.F32, reg(sum+i), reg(d+i), reg(factor), reg(sum+i)))
		}
	}
	c.Add(op(tesla.OpIAdd, tesla.B32, reg(offset), reg(offset), imm(16*nbodyUnrolled)))
	c.again(groups, group)
	c.barrier() // all threads have read the tile
	c.Add(op(tesla.OpIAdd, tesla.B32, reg(next), reg(next), imm(16*nbodyThreads)))
	c.again(tiles, tile)

	c.Add(op(tesla.OpIAdd, tesla.B32, reg(next), shared(0, parameters+8), reg(index)))
	c.Add(store(tesla.OpStGlobal, tesla.B128, global(next), quadruple(sum)))
	c.Exit()
	return c.kernel("nbody", nbodyRegisters, nbodyShared)
}
