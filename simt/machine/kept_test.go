package machine_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// Entries of warps that take turns come back warp by warp, in order and up to a time, however many
// chunks they fill.
func TestKept(t *testing.T) {
	move := tesla.Instruction{Op: tesla.OpMov, Size: 4, Type: tesla.U32}
	move.Dst = tesla.Operand{Kind: tesla.Reg, Index: 1}
	p, err := program.Lower(program.Kernel{Name: "k", Registers: 2, Code: []tesla.Instruction{move, move}})
	require.NoError(t, err)
	require.Equal(t, []int{1}, p.Effects(1).Registers)
	st := machine.NewState(p, 2)
	k := machine.NewKept(p)
	k.Begin([]bool{false, true})
	require.Zero(t, k.Most(0))

	const turns, issues = 40, 50 // more than some chunks
	var told [2]int
	for turn := range turns {
		for w := range 2 {
			for i := range issues {
				st.Clock = uint64(turn*issues+i) - 1
				st.RegisterRow(1, w)[3] = uint32(turn*issues + i)
				k.Add(st, &p.Code[1], w, 8, nil)
			}
		}
		for w := range told {
			until := uint64(max(0, (turn-w*3)*issues+7))
			if turn == turns-1 {
				until = math.MaxUint64
			}
			v := k.Before(w, until)
			if v == nil {
				continue
			}
			for again := range 2 {
				n := told[w]
				for one := v.Only([]bool{false, true}); one.Next(); n++ {
					require.Equal(t, 1, one.Index)
					require.Equal(t, lane.Mask(8), one.Executed)
					require.Equal(t, uint32(n), one.Rows[0].Row(nil)[3])
					require.Less(t, uint64(n), until)
				}
				if again == 1 {
					told[w] = n
				}
			}
			none := v.Only([]bool{true, false})
			require.False(t, none.Next())
			k.Told(w)
			require.Nil(t, k.Before(w, until))
		}
	}
	require.Equal(t, [2]int{turns * issues, turns * issues}, told)
}

// A row of base and stride has the words of all lanes.
func TestValueRow(t *testing.T) {
	r := machine.ValueRow{Base: 5, Stride: math.MaxUint32}
	row := r.Row(new(lane.Row))
	require.Equal(t, uint32(5), row[0])
	require.Equal(t, ^uint32(25), row[31])
}
