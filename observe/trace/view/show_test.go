package view

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	"jacquard/internal/test/maze"
	"jacquard/observe/trace"
	"jacquard/simt"
	"jacquard/simt/lane"
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

// Before an issue, Show prints the policy's state if it changed; the exports have it for tools.
func TestShowState(t *testing.T) {
	var data bytes.Buffer
	r, err := trace.NewRecorder(&data, trace.Options{Values: trace.Values{States: true}}, nil)
	require.NoError(t, err)
	for i, policy := range []string{"nvidia", "tbc"} {
		var end func(error)
		_, err = maze.IfElse(true).With(policy, func(l *simt.Launch) { end = r.Attach(l, "", i) })
		require.NoError(t, err)
		end(nil)
	}
	require.NoError(t, r.Close())
	f, err := trace.NewFile(bytes.NewReader(data.Bytes()), int64(data.Len()))
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	var text, json strings.Builder
	require.NoError(t, Show(&text, f, &trace.Filter{PCs: []trace.Range{{First: 0x10, Last: 0x40}}}, true))
	require.Equal(t, `launch 0: ifelse (sm_12), grid 1x1, block 4x1x1, policy nvidia
block 0 (0,0)
         w0  keeps nothing
       2 w0  0010 0000000f  joinat 0x38
         w0  keeps join 0038 0000000f
       3 w0  0018 0000000f  (lg $c0) bra 0x30  ; taken by 0000000c
         w0  keeps join 0038 0000000f, branch 0020 00000003
       4 w0  0030 0000000c  add b32 $r4 $r4 0x1
       5 w0  0038 0000000c  join nop  ; sent elsewhere by the join marker
         w0  keeps join 0038 0000000f
       6 w0  0020 00000003  add b32 $r4 $r4 0x1
       7 w0  0028 00000003  bra 0x38
       8 w0  0038 0000000f  join nop
         w0  keeps nothing
       9 w0  0040 0000000f  exit nop
launch 1: ifelse (sm_12), grid 1x1, block 4x1x1, policy tbc
block 0 (0,0)
         all keeps level 0000 w0:0000000f, > #0
       2 w0  0010 0000000f  joinat 0x38
       3 w0  0018 0000000f  (lg $c0) bra 0x30  ; taken by 0000000c
         all keeps level 0038 w0:0000000f, packed, level 0020 to 0038 w0:00000003, packed, level 0030 to 0038 w0:0000000c, > #0
       4 w0  0030 0000000c  add b32 $r4 $r4 0x1
         all keeps level 0038 w0:0000000f, packed, level 0020 to 0038 w0:00000003, > #0
       5 w0  0020 00000003  add b32 $r4 $r4 0x1
       6 w0  0028 00000003  bra 0x38
         all keeps level 0038 w0:0000000f, > #0
       7 w0  0038 0000000f  join nop
       8 w0  0040 0000000f  exit nop
`, text.String())
	require.NoError(t, Timeline(&json, f, &trace.Filter{}))
	require.Contains(t, json.String(), `"state":[{"kind":"join","warp":0,"pc":56,"lanes":15},{"kind":"branch","warp":0,"pc":32,"lanes":3},{"kind":"path","runs":true,"warp":0,"pc":48,"lanes":12}]`)
	var table bytes.Buffer
	require.NoError(t, Table(&table, f, &trace.Filter{}))
	rows, err := parquet.Read[tableRow](bytes.NewReader(table.Bytes()), int64(table.Len()))
	require.NoError(t, err)
	at := int64(0x38)
	require.Equal(t, entry{Kind: "join", PC: &at, Lanes: 15}, rows[3].State[0])

	d, same, err := Diff(f, f, &trace.Filter{}, Ignore{})
	require.NoError(t, err)
	require.Nil(t, d)
	require.EqualValues(t, len(rows), same)
}
