package mem

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

// Every kind of store marks the memory that it changes, and no other.
func TestWritten(t *testing.T) {
	s := NewSpace(1 << 20)
	var at [3]uint32
	for i := range at {
		var err error
		at[i], err = s.Alloc(4096)
		require.NoError(t, err)
	}
	data := &Data{same(1), same(2), same(3), same(4)}
	var line, apart lane.Row
	for i := range line {
		line[i] = at[1] + 4*uint32(i)
		apart[i] = at[1+i%2] + 8*uint32(i)
	}
	for _, c := range []struct {
		name string
		want [3]bool
		do   func() bool
	}{
		{"load", [3]bool{}, func() bool { return s.Load(data, &line, lane.All, tesla.B32, nil) == nil }},
		{"no lane", [3]bool{}, func() bool { return s.Store(data, &line, 0, tesla.B32, nil) == nil }},
		{"store", [3]bool{1: true}, func() bool { return s.Store(data, &line, lane.All, tesla.B32, nil) == nil }},
		{"store to two", [3]bool{1: true, 2: true}, func() bool { return s.Store(data, &apart, lane.All, tesla.B32, nil) == nil }},
		{"atomic", [3]bool{1: true}, func() bool {
			return s.Atomic(tesla.AtomAdd, tesla.U32, &line, data, nil, lane.All, nil) == nil
		}},
		{"atomic on two", [3]bool{1: true, 2: true}, func() bool {
			return s.Atomic(tesla.AtomAdd, tesla.U32, &apart, data, nil, lane.All, nil) == nil
		}},
	} {
		s.ForgetWritten()
		require.True(t, c.do(), c.name)
		for i, want := range c.want {
			require.Equal(t, want, s.Written(at[i]+4095), "%s, allocation %d", c.name, i)
		}
	}
	require.False(t, s.Written(0), "there is no memory")
}
