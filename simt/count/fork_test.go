package count

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
)

const forking = `.module sm_13 abi=1 name=m
.kernel k registers=8 shared=0 local=0 barriers=0
joinat met {long}
(e $c0) bra other {long}
mov b32 $r1 $r2
mov b32 $r1 $r3
bra met {long}
other:
mov b32 $r1 $r4
met:
join nop {long}
nop {exit}
`

// Passes through a fork count as their issues do, one after the other.
func TestForks(t *testing.T) {
	p := lowered(t, forking)
	require.Len(t, p.Forks, 1)
	k := p.Forks[0]
	r := rand.New(rand.NewPCG(3, 4))
	var whole, single Ledger
	a, b := Meter{Ledger: &whole, Silent: true}, Meter{Ledger: &single, Silent: true}
	whole.Begin(p, false)
	single.Begin(p, false)
	for range 50 {
		all, taken := lane.Mask(r.Uint32()|3), []lane.Mask(nil)
		for range 1 + r.IntN(4) {
			some := all & (lane.Mask(r.Uint32())&^3 | 1)
			taken = append(taken, some)
			b.TallyWarp(k.Other, k.Meet+1, some)
			b.TallyWarp(k.At+1, k.Other, all&^some)
			b.Diverged(k.At, some)
			b.Kept(k.Meet, some)
			b.Uniform(k.End(), all&^some, true)
		}
		a.Forks(0, k, all, taken, 0)
	}
	require.Equal(t, single.Issued, whole.Issued)
	var sum Ledger // of two workers
	sum.Begin(p, false)
	sum.Take(&whole)
	whole.Begin(p, false)
	a.Forks(0, k, lane.All, []lane.Mask{1}, 0)
	sum.Take(&whole)
	b.TallyWarp(k.Other, k.Meet+1, 1)
	b.TallyWarp(k.At+1, k.Other, lane.All&^1)
	b.Diverged(k.At, 1)
	b.Kept(k.Meet, 1)
	b.Uniform(k.End(), lane.All&^1, true)
	var want, got Stats
	single.Stats(&want, p, Instructions)
	sum.Stats(&got, p, Instructions)
	require.Equal(t, want, got)
	sum.Stats(&got, p, Instructions)
	require.Equal(t, want, got, "forks are expanded once")
}
