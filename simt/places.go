package simt

import (
	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// Live returns the lanes of warp w that have not ended.
func (b *Block) Live(w int) lane.Mask { return b.c.policy.Live(b.own.First + w) }

// Places appends where the live lanes of warp w are, as its divergence policy sees it: each
// in exactly one place. The pc of lanes on a straight run may be where the run began.
func (b *Block) Places(w int, to []branch.Place) []branch.Place {
	return b.c.policy.Places(b.own.First+w, to)
}
