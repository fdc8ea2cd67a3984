package bundle

import (
	"bytes"
	"os"
	"slices"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// zeros returns size bytes that nothing was written to.
func zeros(t *testing.T, size int) []byte {
	t.Helper()
	b, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	require.NoError(t, err)
	_ = syscall.Madvise(b, syscall.MADV_NOHUGEPAGE) // a system without huge pages refuses
	t.Cleanup(func() { require.NoError(t, syscall.Munmap(b)) })
	return b
}

func TestUntouched(t *testing.T) {
	if _, err := os.Stat("/proc/self/pagemap"); err != nil {
		t.Skip("wants /proc/self/pagemap, which tells what memory a process has")
	}
	all := zeros(t, 16*os.Getpagesize())
	require.NotContains(t, untouched(all), false)
	all[9*os.Getpagesize()] = 1
	each := os.Getpagesize() / pageSize
	want := slices.Repeat([]bool{true}, 16*each)
	for i := range each {
		want[9*each+i] = false
	}
	require.Equal(t, want, untouched(all))
	// Pages that begin within pages of the system.
	middle := untouched(all[100 : len(all)-200])
	require.Len(t, middle, len(want))
	for i := range middle {
		require.Equal(t, want[i] && want[min(i+1, len(want)-1)], middle[i], i)
	}
}

// A recorder takes no memory for pages that the program never touched, and a bundle has all other
// pages: also zeros in memory that was allocated where other memory was before.
func TestRecorderLeavesPagesUntouched(t *testing.T) {
	const size = 4 << 20
	before := zeros(t, size)
	if untouched(before) == nil {
		t.Skip("wants /proc/self/pagemap, which tells what memory a process has")
	}
	var out bytes.Buffer
	r, err := NewRecorder(&out, Options{}, nil)
	require.NoError(t, err)
	k := &Kernel{Module: &Module{Image: []byte("image")}, Name: "k"}
	record := func(number int, memory []byte, write func()) {
		list := []*Object{{Kind: Allocation, Address: 0x1000, Bytes: memory}}
		g := r.Begin(&Launch{Number: number, Kernel: k, Grid: [2]int{1, 1}, Block: [3]int{1, 1, 1}, Memory: list})
		write()
		g.End(list, Outcome{Result: Success})
	}
	before[size/2] = 1
	record(0, before, func() { before[size-1] = 2 })
	want := make([]bool, size/pageSize)
	for i := range want {
		each := os.Getpagesize() / pageSize
		want[i] = i/each != size/2/pageSize/each && i/each != (len(want)-1)/each
	}
	require.Equal(t, want, untouched(before))
	after := zeros(t, size)
	record(1, after, func() { after[5] = 3 })
	require.NoError(t, r.Close())

	in, err := NewReader(&out)
	require.NoError(t, err)
	defer in.Close()
	l, err := in.Next()
	require.NoError(t, err)
	require.Equal(t, byte(1), l.Memory[0].Bytes[size/2])
	require.Equal(t, byte(2), l.Outputs[0].Bytes[pageSize-1])
	l, err = in.Next()
	require.NoError(t, err)
	require.Equal(t, make([]byte, size), l.Memory[0].Bytes)
	require.Equal(t, byte(3), l.Outputs[0].Bytes[5])
}
