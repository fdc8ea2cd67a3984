package knobs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver/knobs"
)

func TestParseCrosscheck(t *testing.T) {
	for text, want := range map[string]knobs.Crosscheck{
		"/usr/lib/libcuda.so.1":                            {Library: "/usr/lib/libcuda.so.1", Every: 1},
		"./libcuda.so.1:every=10":                          {Library: "./libcuda.so.1", Every: 10},
		"/a:b/l:every=end,ptx=/a/b:c":                      {Library: "/a:b/l", PTX: "/a/b:c"},
		"/l:report=/tmp/r.json,every=2,ptx=dir/of:kernels": {Library: "/l", Every: 2, PTX: "dir/of:kernels", Report: "/tmp/r.json"},
	} {
		got, err := knobs.ParseCrosscheck(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
		again, err := knobs.ParseCrosscheck(got.String())
		require.NoError(t, err, text)
		require.Equal(t, want, again, text)
	}
	for text, want := range map[string]string{
		"libcuda.so.1":   `"libcuda.so.1" is no path of a library: want a path with a slash in it, as in /usr/lib/libcuda.so.1, and perhaps a colon and options`,
		"/usr/lib/":      `"/usr/lib/" is no path of a library: want a path with a slash in it, as in /usr/lib/libcuda.so.1, and perhaps a colon and options`,
		"/l:every=0":     `every="0": want a number above 0, or end`,
		"/l:often=1":     `unknown option "often=1": want every=N, every=end, ptx=PATH or report=FILE, with commas between`,
		"/l:often=end":   `unknown option "often=end": want every=N, every=end, ptx=PATH or report=FILE, with commas between`,
		"/l:report=":     `unknown option "report=": want every=N, every=end, ptx=PATH or report=FILE, with commas between`,
		"/l:every=x":     `every="x": want a number above 0, or end`,
		"/l:ptx=":        `unknown option "ptx=": want every=N, every=end, ptx=PATH or report=FILE, with commas between`,
		"/l:every=1,ptx": `unknown option "ptx": want every=N, every=end, ptx=PATH or report=FILE, with commas between`,
	} {
		_, err := knobs.ParseCrosscheck(text)
		require.EqualError(t, err, want, text)
	}
}
