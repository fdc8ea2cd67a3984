package otherdriver_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/board/otherdriver"
)

// apart is memory that has other addresses there, of 32 and of 64 bits.
func apart() (places otherdriver.Places[otherdriver.Place]) {
	places.Insert(otherdriver.Place{Address: 0x20002000, Size: 64, There: 0x7f0000000000})
	places.Insert(otherdriver.Place{Address: 0x20000000, Size: 64, There: 0x100000})
	return places
}

func TestTranslate(t *testing.T) {
	places := apart()
	for here, want := range map[uint32]otherdriver.Address{
		// The end of memory belongs to it.
		0x20000000: 0x100000, 0x2000003f: 0x10003f, 0x20000040: 0x100040,
		0x20002004: 0x7f0000000004,
	} {
		there, ok := places.Translate(here)
		require.True(t, ok, "%#x", here)
		require.Equal(t, want, there, "%#x", here)
	}
	for _, here := range []uint32{0, 0x1fffffff, 0x20000041, 0x20002041, 0xffffffff} {
		there, ok := places.Translate(here)
		require.False(t, ok, "%#x", here)
		require.Equal(t, otherdriver.Address(here), there)
	}
}

// Memory may have no bytes, or begin where other memory ends.
func TestTranslateBorders(t *testing.T) {
	places := otherdriver.Places[otherdriver.Place]{
		{Address: 0x1000, There: 0x8000, Size: 0x10}, {Address: 0x1010, There: 0x6000, Size: 0x10}, {Address: 0x3000, There: 0x2000},
	}
	for here, want := range map[uint32]otherdriver.Address{
		0x1000: 0x8000, 0x100f: 0x800f, 0x1010: 0x6000, 0x1020: 0x6010, 0x1021: 0, 0xfff: 0, 0x3000: 0x2000, 0x3001: 0, 0: 0,
	} {
		there, ok := places.Translate(here)
		require.Equal(t, want != 0, ok, "%#x", here)
		if ok {
			require.Equal(t, want, there)
		}
	}
}

func TestAlike(t *testing.T) {
	places := apart()
	here := words(1, 0x20000004, 0x20002008, 0, 5)
	there := words(1, 0x100004, 8, 0x7f00, 5)
	pointers, same := places.Alike(here, there, 0)
	require.True(t, same)
	require.Equal(t, []int{4, 8}, pointers)
	require.Equal(t, here, there, "what means the same is the same now")

	for _, there := range [][]byte{words(1, 0x100008, 0, 0, 0), words(1, 0x20000008, 0, 0, 1), words(2, 0x100004, 0, 0, 0)} {
		_, same = places.Alike(words(1, 0x20000004, 0, 0, 0), there, 0)
		require.False(t, same)
	}
	_, same = places.Alike([]byte{1, 2, 3, 4, 5}, []byte{1, 2, 3, 4, 6}, 0)
	require.False(t, same, "the bytes behind the last word count")
}

// Within finds the parts of memory that data reaches: gaps have no counterpart.
func TestWithin(t *testing.T) {
	type part struct {
		address uint32
		at      int
		data    string
	}
	places := otherdriver.Places[otherdriver.Place]{{Address: 0x1000, Size: 4}, {Address: 0x1006, Size: 2}, {Address: 0xfffffffe, Size: 2}}
	for _, c := range []struct {
		address uint32
		data    string
		want    []part
	}{
		{0x1000, "abcdefgh", []part{{0x1000, 0, "abcd"}, {0x1006, 0, "gh"}}},
		{0x1002, "cdefg", []part{{0x1000, 2, "cd"}, {0x1006, 0, "g"}}},
		{0xffe, "..abcdef", []part{{0x1000, 0, "abcd"}}},
		{0x1004, "..", nil},
		{0x1000, "", nil},
		{0xffffffff, "b", []part{{0xfffffffe, 1, "b"}}},
	} {
		var got []part
		require.NoError(t, places.Within(c.address, []byte(c.data), func(p otherdriver.Place, at int, data []byte) error {
			got = append(got, part{p.Address, at, string(data)})
			return nil
		}))
		require.Equal(t, c.want, got, "%#x", c.address)
	}
	stop := errors.New("stop")
	require.Equal(t, stop, places.Within(0x1000, make([]byte, 8), func(otherdriver.Place, int, []byte) error { return stop }))
}
