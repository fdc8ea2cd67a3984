package branch_test

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// golden compares text with a file of testdata, or writes it there with -update.
func golden(t *testing.T, name, text string) {
	t.Helper()
	name = "testdata/" + name
	if flag.Lookup("update").Value.String() == "true" { // the flag of pdom_test.go
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, string(want), text, "if that is meant: go test ./simt/branch -run '%s' -update", t.Name())
}

// A digest of the order in which every policy runs lanes of random programs. Results do not depend
// on the order, but statistics do: an intended change needs -update.
func TestOrders(t *testing.T) {
	const programs = 300
	var out strings.Builder
	fmt.Fprintln(&out, "policy                     programs  issues  deepest  digest of the order")
	for _, choice := range variants(t) {
		ran, issues, deepest, order := 0, 0, 0, fnv.New64a()
		for seed := range uint64(programs) {
			p := [...]func(uint64) program{generate, tangle, jumps}[seed%3](seed)
			policy, err := p.policy(&choice)
			if err != nil {
				fmt.Fprintln(order, err)
				continue
			}
			ran++
			for _, r := range p.drive(policy, []lane.Mask{0xff, 0x3f, 0x1}, rand.New(rand.NewPCG(seed, 0)), 120) {
				fmt.Fprintln(order, r.issues, r.err)
				issues += strings.Count(r.issues, "-")
			}
			deepest = max(deepest, policy.Depth())
			fmt.Fprintln(order, policy.Depth())
		}
		fmt.Fprintf(&out, "%-26s %8d %7d %8d  %016x\n", choice.Name, ran, issues, deepest, order.Sum64())
	}
	golden(t, "orders.txt", out.String())
}

// The numbers of nested announcements and calls of each kind that every policy can hold.
func TestLimits(t *testing.T) {
	const enough = 3000
	var out strings.Builder
	for _, choice := range branch.Policies() {
		fmt.Fprintln(&out, choice.Name)
		for _, k := range []struct {
			name string
			p    program
		}{
			{"announced joins", program{{kind: joinat, target: 2}, {kind: bra}, {join: true}, {exit: true}}},
			{"announced breaks", program{{kind: breakaddr, target: 2}, {kind: bra}, {}, {exit: true}}},
			{"announced returns", program{{kind: preret, target: 2}, {kind: bra}, {}, {exit: true}}},
			{"calls", program{{kind: call}, {exit: true}}},
		} {
			policy, err := k.p.policy(&choice)
			if err != nil {
				continue // see TestRefusals
			}
			pushes := 0
			for _, r := range k.p.drive(policy, []lane.Mask{0x3}, nil, 2*enough) {
				if strings.HasPrefix(r.issues, " 0-") {
					pushes++
				}
				if err = r.err; err != nil {
					pushes--
				}
			}
			if err == nil {
				require.GreaterOrEqual(t, pushes, enough)
				fmt.Fprintf(&out, "  %-18s any number\n", k.name)
			} else {
				fmt.Fprintf(&out, "  %-18s %d, then: %s\n", k.name, pushes, err)
			}
		}
	}
	golden(t, "limits.txt", out.String())
}

// The refusals of every policy, with reason and pc.
func TestRefusals(t *testing.T) {
	var out strings.Builder
	for _, k := range []struct {
		name string
		p    program
	}{
		{"a call", program{{}, {kind: call, target: 3}, {exit: true}, {kind: ret}}},
		{"a call of itself", program{{kind: ret, cond: 1}, {kind: call}, {kind: ret}}},
		{"a return that is announced", program{{kind: preret, target: 2}, {kind: ret}, {exit: true}}},
		{"an indirect branch", program{{}, {kind: bra, indirect: true}, {exit: true}}},
		{"a branch behind the code", program{{}, {kind: bra, cond: 1, target: 3}, {exit: true}}},
		{"a branch far behind the code", program{{kind: bra, cond: 1, target: 900}, {exit: true}}},
		{"a branch into an instruction", program{{kind: bra, cond: 1, target: 1, off: 4}, {}, {exit: true}}},
		{"code that does not end", program{{}, {kind: bra, cond: 1, target: 0}}},
		{"a loop with two entries", program{{kind: bra, cond: 1, target: 2}, {}, {}, {kind: bra, cond: 2, target: 1}, {exit: true}}},
		{"ifs that overlap", program{{kind: bra, cond: 1, target: 3}, {}, {kind: bra, cond: 2, target: 5}, {}, {}, {exit: true}}},
		{"a break that nothing announces", program{{kind: brk, cond: 1}, {exit: true}}},
		{"a break out of two loops", program{{kind: breakaddr, target: 7}, {kind: breakaddr, target: 6}, {kind: brk, cond: 1}, {kind: bra, cond: 2, target: 7}, {kind: bra, target: 2}, {}, {kind: bra, target: 1}, {exit: true}}},
		{"a return in a loop", program{{kind: breakaddr, target: 5}, {kind: ret, cond: 1}, {kind: brk, cond: 2}, {}, {kind: bra, target: 1}, {exit: true}}},
		{"a continue", program{{kind: breakaddr, target: 6}, {kind: brk, cond: 1}, {kind: bra, cond: 2, target: 1}, {}, {kind: bra, cond: 3, target: 1}, {kind: bra, target: 1}, {exit: true}}},
		{"a branch out of an if", program{{kind: joinat, target: 6}, {kind: bra, cond: 1, target: 4}, {kind: bra, cond: 2, target: 7}, {kind: bra, target: 6}, {}, {}, {join: true}, {exit: true}}},
		{"a join that nothing announces", program{{kind: bra, cond: 1, target: 2}, {}, {join: true}, {exit: true}}},
	} {
		fmt.Fprintln(&out, k.name)
		for _, choice := range branch.Policies() {
			_, err := k.p.policy(&choice)
			if err == nil {
				continue
			}
			var refused *branch.RefusedError
			require.ErrorAs(t, err, &refused)
			fmt.Fprintf(&out, "  %-22s 0x%02x: %s\n", choice.Name, refused.PC, refused.Reason)
		}
	}
	golden(t, "refusals.txt", out.String())
}
