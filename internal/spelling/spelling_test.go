package spelling_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/spelling"
)

func TestNearest(t *testing.T) {
	long := strings.Repeat("x", 65)
	for _, c := range []struct {
		name  string
		known []string
		want  string
	}{
		{"a", nil, ""},
		{"abc", []string{"abc"}, "abc"},
		{"abcd", []string{"abce", "abcf"}, "abce"},
		{"abcd", []string{"abcf", "abce"}, "abce"},
		{"abcd", []string{"abxy"}, "abxy"},
		{"abcd", []string{"axyz"}, ""}, // more than half of the characters
		{"kernel", []string{"kern", "kernels", "colonel"}, "kernels"},
		{"abcdef", []string{"abcxyz"}, "abcxyz"}, // a distance of 3
		{"abcdefg", []string{"abcwxyz"}, ""},     // of 4
		{"abc", []string{"xyz"}, ""},             // nothing in common
		{"ab", []string{"abcd"}, ""},             // two, one of them with two
		{"", []string{"a"}, ""},
		{long, []string{long}, ""},
		{long[1:], []string{long, long[2:]}, long[2:]},
	} {
		require.Equal(t, c.want, spelling.Nearest(c.name, slices.Values(c.known)), c.name)
	}
}
