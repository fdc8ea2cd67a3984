package planted

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The checker finds nothing in mixes that are right.
func TestMix(t *testing.T) {
	for seed := *first; seed < *first+*kernels; seed++ {
		m := NewMix(seed)
		text := m.Text()
		e := m.expect()
		require.Empty(t, e.may, "seed %d:\n%s", seed, text)
		r, err := m.run(policy(seed))
		require.NoError(t, err, "seed %d:\n%s", seed, text)
		if d := e.disagreement(m, &r); d != "" {
			t.Errorf("seed %d: %s", seed, d)
		}
	}
}

// The checker finds what depends on a planted value that nobody wrote, and where it was read first.
func TestPlantedMix(t *testing.T) {
	of := map[string]int{}
	var must, may, silent int
	for seed := *first; seed < *first+*kernels; seed++ {
		m, mistake, e := PlantedMix(seed)
		of[mistake]++
		if m == nil {
			continue
		}
		r, err := m.run(policy(seed))
		require.NoError(t, err, "seed %d, %s:\n%s", seed, mistake, m.Text())
		if d := e.disagreement(m, &r); d != "" {
			t.Errorf("seed %d, %s: %s", seed, mistake, d)
		}
		switch {
		case len(e.must) > 0:
			must++
		case len(e.may) > 0:
			may++
		default:
			silent++
		}
	}
	t.Logf("%d must, %d may, %d silent; mistakes: %v", must, may, silent, of)
}

func TestShowMix(t *testing.T) {
	if !*show {
		t.Skip("without -planted-show")
	}
	m, mistake, e := PlantedMix(*first)
	r, err := m.run(policy(*first))
	t.Logf("%s: grid %d, block %v, %d launches, host %v\n%s", mistake, m.grid, m.shape, m.launches, m.host, m.Text())
	t.Log(e.must, e.may, err)
	for i := range r.found {
		t.Log(&r.found[i], r.found[i].With)
	}
	for i := range r.outputs {
		t.Logf("%+v", r.outputs[i])
	}
}
