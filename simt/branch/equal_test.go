package branch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
)

// Schemes that differ in what they keep and not in what they do must issue the same.
func TestEqualTraces(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		calls      bool // kernels with calls too
	}{
		{"the numbers of blocks, looked up for each lane or kept sorted", "lorie-strong", "tf-stack:order=blocks", false},
		{"the least pc of the deepest call, looked for or kept sorted", "stackless", "tf-stack", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			compared, parted := 0, 0
			for seed := range uint64(400) {
				for _, p := range []program{generate(seed), tangle(seed)} {
					if !c.calls && p.calls() {
						continue
					}
					_, a, err := p.run(p.under(t, c.a), []lane.Mask{lane.All})
					require.NoError(t, err)
					_, b, err := p.run(p.under(t, c.b), []lane.Mask{lane.All})
					require.NoError(t, err)
					require.Equal(t, a, b, "program %v", p)
					compared++
					if len(a) > 0 && a[len(a)-1].mask != lane.All {
						parted++
					}
				}
			}
			require.Greater(t, compared, 200)
			require.Greater(t, parted, 50)
		})
	}
}

func (p program) calls() bool {
	for _, in := range p {
		if in.kind == call {
			return true
		}
	}
	return false
}
