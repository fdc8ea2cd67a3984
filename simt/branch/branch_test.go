package branch_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// variants returns every policy with every value of its options.
func variants(t testing.TB) (list []branch.Choice) {
	for _, s := range branch.Policies() {
		list = append(list, s)
		for _, o := range s.Options {
			for _, v := range o.Values[1:] {
				s, err := branch.Find(s.Name + ":" + o.Key + "=" + v)
				require.NoError(t, err)
				s.Name += ":" + o.Key + "=" + v
				list = append(list, s)
			}
		}
	}
	return list
}

// Every policy leads every lane along its path alone.
func TestLanesKeepTheirPath(t *testing.T) {
	masks := []lane.Mask{lane.All, 0x0000ffff, 0x1}
	for _, choice := range variants(t) {
		t.Run(choice.Name, func(t *testing.T) {
			ran := 0
			for seed := range uint64(200) {
				for _, p := range []program{generate(seed), tangle(seed)} {
					if checkPaths(t, p, &choice, masks) {
						ran++
					}
				}
			}
			require.Greater(t, ran, 100)
			checkPaths(t, recursion, &choice, masks)
		})
	}
}

// checkPaths runs the program under the policy, then its first warp alone with the same policy, as
// one block follows another. It reports whether the policy runs the program; a refusal must have a
// reason.
func checkPaths(t *testing.T, p program, choice *branch.Choice, masks []lane.Mask) bool {
	t.Helper()
	policy, err := p.policy(choice)
	if err != nil {
		var refused *branch.RefusedError
		require.ErrorAs(t, err, &refused)
		require.NotEmpty(t, refused.Reason)
		return false
	}
	policy = &narrowed{Policy: policy, t: t, width: choice.Warp, free: lanesFree(choice)}
	for _, masks := range [][]lane.Mask{masks, masks[:1]} {
		paths, _, err := p.run(policy, masks)
		require.NoError(t, err, "program %v", p)
		require.Zero(t, policy.Alive())
		for g, path := range paths {
			if masks[g/lane.Width]>>(g%lane.Width)&1 == 0 {
				require.Empty(t, path, "lane %d is not in use", g)
				continue
			}
			require.Equal(t, p.alone(g), path, "lane %d of program %v", g, p)
		}
	}
	return true
}

// lanesFree reports whether a variant lets lanes leave their columns.
func lanesFree(choice *branch.Choice) bool { return strings.Contains(choice.Name, "lanes=free") }

// Every policy accepts a kernel without code.
func TestNoCode(t *testing.T) {
	for _, choice := range variants(t) {
		_, err := program{}.policy(&choice)
		require.NoError(t, err, choice.Name)
	}
}

func FuzzPaths(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		for _, choice := range variants(t) {
			for _, p := range []program{generate(seed), tangle(seed)} {
				checkPaths(t, p, &choice, []lane.Mask{lane.All})
			}
		}
	})
}

// An if/else as in papers: the taken side runs first, the join instruction issues once per path,
// and the lanes meet in its second issue.
func TestIfElse(t *testing.T) {
	p := program{
		{kind: joinat, target: 5},
		{kind: bra, target: 4, cond: 1},
		{}, // not taken
		{kind: bra, target: 5},
		{}, // taken
		{join: true},
		{exit: true},
	}
	policy := p.under(t, branch.Default)
	_, issues, err := p.run(policy, []lane.Mask{0xf})
	require.NoError(t, err)
	var taken lane.Mask
	for l := range 4 {
		if p.takes(1, l, 0) {
			taken |= 1 << l
		}
	}
	require.NotZero(t, taken)
	require.NotEqual(t, lane.Mask(0xf), taken)
	rest := 0xf &^ taken
	require.Equal(t, []step{
		{0, 0xf}, {1, 0xf},
		{4, taken}, {5, taken}, // waits at the join
		{2, rest}, {3, rest}, {5, 0xf}, // the join again, now for all lanes
		{6, 0xf},
	}, trimJoin(issues, rest))
	require.Equal(t, 2, policy.Depth())
}

// trimJoin reduces the mask of the join's second issue from the lanes that arrive to the lanes that
// execute it.
func trimJoin(issues []step, rest lane.Mask) []step {
	for i := range issues {
		if issues[i].pc == 5 && issues[i].mask == rest {
			issues[i].mask = 0xf
		}
	}
	return issues
}

func TestStackErrors(t *testing.T) {
	tests := []struct {
		name string
		p    program
		want string
	}{
		{"join on an empty stack", program{{join: true}, {exit: true}}, "empty token stack"},
		{"join finds a break token", program{{kind: breakaddr, target: 1}, {join: true}, {exit: true}}, "PREBREAK"},
		{"break without breakaddr", program{{kind: brk}, {exit: true}}, "underflow"},
		{"endless pushing", program{{kind: joinat, target: 0}, {kind: bra, target: 0}}, "overflow"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := tt.p.run(tt.p.under(t, branch.Default), []lane.Mask{lane.All})
			var stack *branch.StackError
			require.ErrorAs(t, err, &stack)
			require.ErrorContains(t, err, tt.want)
		})
	}
}

func TestBarrierWaitsAndReleases(t *testing.T) {
	policy := program{}.under(t, branch.Default)
	policy.Start([]lane.Mask{lane.All, lane.All})
	list := make([]branch.Cohort, lane.MaxWarps)
	require.Equal(t, 2, cohorts(policy, list))
	for w := range 2 {
		arrived, err := policy.Control(&list[w], &branch.Event{Kind: branch.Arrive, Next: 8, Lanes: list[w].Mask})
		require.NoError(t, err)
		require.Equal(t, branch.WarpSet(1)<<w, arrived)
	}
	require.Zero(t, cohorts(policy, list))
	policy.Release(3)
	require.Equal(t, 2, cohorts(policy, list))
	require.Equal(t, uint32(8), list[0].PC)
}

func TestFind(t *testing.T) {
	s, err := branch.Find("")
	require.NoError(t, err)
	require.Equal(t, branch.Default, s.Name)
	_, err = branch.Find("no-such")
	var unknown *branch.UnknownPolicyError
	require.ErrorAs(t, err, &unknown)
	require.ErrorContains(t, err, "nvidia")
}
