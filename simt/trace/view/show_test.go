package view

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/simt/trace"
)

// failing reads data up to an offset.
type failing struct {
	data []byte
	from int64
}

var errFailing = errors.New("the disk fails")

func (f *failing) ReadAt(p []byte, at int64) (int, error) {
	if at >= f.from {
		return 0, errFailing
	}
	return bytes.NewReader(f.data).ReadAt(p, at)
}

// Show prints the launches before a failure to read.
func TestShowUpToFailure(t *testing.T) {
	data, _ := recordAll(t, trace.Options{}, "", 9, 3)
	r := &failing{data, int64(len(data))}
	f, err := trace.NewFile(r, int64(len(data)))
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	var whole, cut strings.Builder
	require.NoError(t, Show(&whole, f, &trace.Filter{}, false))
	r.from = int64(len(data)) / 2
	require.ErrorContains(t, Show(&cut, f, &trace.Filter{}, false), errFailing.Error())
	require.True(t, strings.HasSuffix(cut.String(), "\n"), "whole lines")
	require.Less(t, cut.Len(), whole.Len())
	require.True(t, strings.HasPrefix(whole.String(), cut.String()))
}

func TestRow(t *testing.T) {
	r := trace.Slot{Kind: trace.Register, Number: 1}
	c := trace.Slot{Kind: trace.Condition}
	for want, v := range map[string]trace.Value{
		"7":               {Slot: r, Lanes: 0b1010, Row: lane.Row{1: 7, 3: 7}},
		"7 +2 a lane":     {Slot: r, Lanes: 0b1010, Row: lane.Row{1: 7, 3: 11}},
		"7 -2 a lane":     {Slot: r, Lanes: 0b111, Row: lane.Row{7, 5, 3}},
		"10":              {Slot: r, Lanes: 0b100, Row: lane.Row{2: 16}},
		"zc":              {Slot: c, Lanes: 0b11, Row: lane.Row{5, 5}},
		"-":               {Slot: c, Lanes: 0b1},
		". 1 . 2" + blank: {Slot: r, Lanes: 0b1010, Row: lane.Row{1: 1, 3: 2}},
		"z s . ." + blank: {Slot: c, Lanes: 0b11, Row: lane.Row{1, 2}},
	} {
		require.Equal(t, want, row(&v))
	}
}

// blank stands for the lanes from 4 on, which do not execute.
const blank = " . . . . . . . . . . . . . . . . . . . . . . . . . . . ."
