package meeting

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/ptxreference"
	"jacquard/ptx"
)

// The evaluator and the writer of PTX agree with the interpreter of PTX, which knows no tree.
func TestReference(t *testing.T) {
	for seed := *first; seed < *first+uint64(min(*wide, 1000)); seed++ {
		p := New(seed, Options{Loose: *loose})
		want, err := p.Evaluate()
		require.NoError(t, err, "seed %d", seed)
		got, err := interpret(p)
		require.NoError(t, err, "seed %d", seed)
		require.NoError(t, compare(got, want), "seed %d", seed)
	}
}

// interpret runs a program in the interpreter of PTX.
func interpret(p *Program) ([]uint32, error) {
	m, err := ptx.Parse("k.ptx", []byte(p.PTX()))
	if err != nil {
		return nil, err
	}
	r, err := ptxreference.Load(m, ptxreference.Config{})
	if err != nil {
		return nil, err
	}
	in, input, err := r.Memory().Alloc(4 * Words)
	if err != nil {
		return nil, err
	}
	for i, w := range p.In {
		binary.LittleEndian.PutUint32(input[4*i:], w)
	}
	out, bytes, err := r.Memory().Alloc(4 * Slots * p.Threads)
	if err != nil {
		return nil, err
	}
	params := binary.LittleEndian.AppendUint64(nil, in)
	params = binary.LittleEndian.AppendUint64(params, out)
	params = binary.LittleEndian.AppendUint32(params, p.N)
	err = r.Run("k", ptxreference.Launch{Grid: [3]int{1}, Block: [3]int{p.Threads}, Params: params, Alone: true})
	words := make([]uint32, len(bytes)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(bytes[4*i:])
	}
	return words, err
}
