package costs

// Tesla keeps the top of a warp's stack in a cache of 3 blocks of 4 entries, of 64 bits each, and the
// entries below in memory: C. Collange, "Stack-less SIMT reconvergence at low cost" (2011), section
// 2.2, by the documentation of the driver pscnv.
//
// Unverified: that a block moves as a whole, the lowest one out when an entry finds no room, and in
// again when its last entry is popped. A board's memory counters on deep nesting would settle it.
const (
	chipBlocks   = 3
	blockEntries = 4
)

// cache is the cache of a warp's stack. Its zero value belongs to an empty stack.
type cache struct {
	below int // entries in memory, of whole blocks
}

// hold takes in that the stack has n entries. It returns how many blocks were written to memory, and
// how many read.
func (c *cache) hold(n int) (spills, fills uint64) {
	for ; n-c.below > chipBlocks*blockEntries; c.below += blockEntries {
		spills++
	}
	for ; n < c.below; c.below -= blockEntries {
		fills++
	}
	return spills, fills
}
