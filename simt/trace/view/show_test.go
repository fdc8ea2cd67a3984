package view

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/simt/trace"
)

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
