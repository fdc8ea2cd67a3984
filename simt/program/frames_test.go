package program_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/debuginfo"
	"jacquard/simt/program"
	"jacquard/simt/source"
)

// A line in a header of the toolkit comes with the user's: that of the call if it is known, else the
// one before it, which is a guess that faults do not show.
func TestFrames(t *testing.T) {
	const header = "/x/include/sm_11_atomic_functions.h"
	user := func(function string, line int) source.Frame {
		return source.NewFrame(function, source.Line{File: "k.cu", Line: line})
	}
	inHeader := func(function string, line int) source.Frame {
		return source.NewFrame(function, source.Line{File: header, Line: line})
	}
	k := &program.Kernel{Name: "_Z1kv"}
	require.Equal(t, []source.Frame{{Function: "_Z1kv"}}, k.Frames(8))
	require.Empty(t, k.SourceOf(8))
	k.Source = func(pc uint32) source.Line {
		return map[bool]source.Line{true: {File: "k.cu", Line: 5}, false: {File: header, Line: 40}}[pc == 8]
	}
	require.Equal(t, []source.Frame{user("_Z1kv", 5)}, k.Frames(8))
	require.Equal(t, []source.Frame{inHeader("", 40), user("_Z1kv", 5)}, k.Frames(24))
	require.Equal(t, []source.Frame{inHeader("_Z1kv", 40)}, k.Frames(4))
	require.Equal(t, header+":40", k.SourceOf(24))

	k.Debug = &debuginfo.Info{Root: &debuginfo.Scope{Function: "k", Ranges: []debuginfo.Range{{To: 64}}, Inner: []*debuginfo.Scope{
		{Function: "atomicAdd", Call: debuginfo.Line{File: "k.cu", Line: 7}, Ranges: []debuginfo.Range{{From: 24, To: 32}}}}}}
	require.Equal(t, []source.Frame{inHeader("atomicAdd", 40), user("_Z1kv", 7)}, k.Frames(24))
	require.Equal(t, "k.cu:7", k.SourceOf(24))
	require.Equal(t, "k.cu:5", k.SourceOf(8))
}
