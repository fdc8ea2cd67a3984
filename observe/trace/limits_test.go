package trace_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/maze"
	"jacquard/observe/trace"
)

// framed is a frame of an unpacked trace.
type framed struct{ header, words, payload []byte }

// frames takes a trace apart.
func frames(t *testing.T, data []byte) (list []framed) {
	t.Helper()
	plain := trace.Unpack(data)
	for len(plain) > 0 {
		words, raw := binary.LittleEndian.Uint32(plain[64:]), binary.LittleEndian.Uint32(plain[68:])
		header, rest := plain[:64:64], plain[72:]
		list = append(list, framed{header, rest[:words:words], rest[words : words+raw : words+raw]})
		plain = rest[words+raw:]
	}
	return list
}

func joined(list []framed) (plain []byte) {
	for _, f := range list {
		plain = append(plain, f.header...)
		plain = binary.LittleEndian.AppendUint32(plain, uint32(len(f.words)))
		plain = binary.LittleEndian.AppendUint32(plain, uint32(len(f.payload)))
		plain = append(append(plain, f.words...), f.payload...)
	}
	return plain
}

// A reader refuses numbers beyond the limits of the format and the architecture.
func TestLimits(t *testing.T) {
	data, _, _, ok := record(t, 3, "", trace.Options{Values: trace.Values{Addresses: true}})
	require.True(t, ok)
	const kernel, launch, issues, end = 0, 1, 2, 3
	replace := func(frame int, old, new string) func([]framed) {
		return func(list []framed) {
			before := list[frame].payload
			list[frame].payload = bytes.Replace(before, []byte(old), []byte(new), 1)
			require.NotEqual(t, string(before), string(list[frame].payload))
		}
	}
	in := func(frame int) string { return string(frames(t, data)[frame].payload) }
	member := func(frame int, name string) string {
		_, rest, found := strings.Cut(in(frame), `"`+name+`":`)
		require.True(t, found, name)
		if rest[0] == '[' {
			return `"` + name + `":` + rest[:strings.IndexByte(rest, ']')+1]
		}
		return `"` + name + `":` + rest[:strings.IndexAny(rest, ",}")]
	}
	set := func(frame int, name, value string) func([]framed) {
		return replace(frame, member(frame, name), `"`+name+`":`+value)
	}
	header := func(at int, value uint32) func([]framed) {
		return func(list []framed) { binary.LittleEndian.PutUint32(list[issues].header[at:], value) }
	}
	many := func(n int, s string) string { return "[" + strings.Repeat(s+",", n-1) + s + "]" }
	for name, c := range map[string]struct {
		change func([]framed)
		want   string
	}{
		"block":             {set(launch, "block", "[1000000000,1000,1000]"), "no device runs them"},
		"threads":           {set(launch, "block", "[512,2,1]"), "no device runs them"},
		"depth":             {set(launch, "block", "[1,1,65]"), "no device runs them"},
		"no threads":        {set(launch, "block", "[0,1,1]"), "no device runs them"},
		"grid":              {set(launch, "grid", "[65536,1]"), "no device runs it"},
		"no blocks":         {set(launch, "grid", "[1,-1]"), "no device runs it"},
		"shared":            {set(launch, "shared", "16385"), "no device has them"},
		"parameters":        {set(launch, "params", `"`+strings.Repeat("0", 513)+`"`), "parameters: want at most 256"},
		"policy":            {set(launch, "policy", `"`+strings.Repeat("0", 1<<14+1)+`"`), "whose name has 16385 bytes"},
		"kernel's number":   {set(launch, "kernel", "4294967296"), "cannot be"},
		"a long launch":     {set(launch, "params", `"`+strings.Repeat("0", 1<<16)+`"`), "larger than any"},
		"name":              {set(kernel, "name", `"`+strings.Repeat("k", 1<<14+1)+`"`), "a name of 16385 bytes"},
		"registers":         {set(kernel, "registers", "129"), "129 registers"},
		"code":              {set(kernel, "code", many(1<<17+1, `"00000000"`)), "more than 131072 instructions"},
		"values":            {set(kernel, "values", many(1<<17+1, `""`)), "more than 131072 instructions"},
		"indices":           {set(kernel, "decides", many(1<<17+1, `0`)), "more than 131072 instructions"},
		"values of one":     {replace(kernel, `"@"`, `"`+strings.Repeat("@ ", 17)+`"`), "more than 16 values"},
		"a long kernel":     {set(kernel, "name", `"`+strings.Repeat("k", 1<<23)+`"`), "larger than any"},
		"a block not there": {header(24, 1<<31), "their launch does not have"},
		"blocks not there":  {header(56, 1<<31), "their launch does not have"},
		"a warp not there":  {header(28, 0xffff), "their launch does not have"},
		"a time":            {header(36, 1<<31), "a time that cannot be"},
		"large issues":      {func(l []framed) { l[issues].payload = make([]byte, 1<<23+1) }, "larger than any"},
		"many parts":        {func(l []framed) { l[issues].payload = make([]byte, 6*(1<<14+1)) }, "more parts than a frame has"},
	} {
		t.Run(name, func(t *testing.T) {
			list := frames(t, data)
			require.Equal(t, []byte{1, 2, 3, 4}, []byte{list[0].header[4], list[1].header[4], list[2].header[4], list[end].header[4]})
			c.change(list)
			_, f, err := readAll(trace.Pack(joined(list), true))
			if err == nil {
				require.NotNil(t, f.Damage)
				err = f.Damage
			}
			var bad *trace.FormatError
			require.ErrorAs(t, err, &bad)
			require.ErrorContains(t, err, c.want)
			require.Regexp(t, `^trace: offset 0x[0-9a-f]+: `, err.Error())
		})
	}
}

// A frame announces more data than allowed; none of it is read.
func TestExpansion(t *testing.T) {
	data, _, _, ok := record(t, 3, "", trace.Options{})
	require.True(t, ok)
	list := frames(t, data)
	list[2].payload = make([]byte, 100<<20) // 3 KB in the file
	bomb := trace.Pack(joined(list), false)
	require.Less(t, len(bomb), 1<<16)
	_, f, err := readAll(bomb)
	require.NoError(t, err)
	require.ErrorContains(t, f.Damage, "becomes 104857600: larger than any")
}

// A reader refuses more frames than fit its memory, with and without an index.
func TestContents(t *testing.T) {
	data, _, _, ok := record(t, 3, "", trace.Options{})
	require.True(t, ok)
	list := frames(t, data)[:2]
	l := list[1]
	for number := range uint32(250_000) {
		next := framed{bytes.Clone(l.header), nil, l.payload}
		binary.LittleEndian.PutUint32(next.header[20:], number+1)
		list = append(list, next)
	}
	for _, indexed := range []bool{false, true} {
		_, _, err := readAll(trace.Pack(joined(list), indexed))
		require.ErrorContains(t, err, "more kernels, launches and frames than the 96 MiB that there are for them")
	}
	_, f, err := readAll(trace.Pack(joined(list[:100_000]), true))
	require.NoError(t, err)
	require.Len(t, f.Launches, 99_999)
}

// An incomplete index is not used: the reader scans the file.
func TestLeftoverIndex(t *testing.T) {
	data, _, _, ok := record(t, 3, "", trace.Options{})
	require.True(t, ok)
	list := frames(t, data)
	require.Len(t, list, 7)
	whole, _, err := readAll(data)
	require.NoError(t, err)
	for name, change := range map[string]func(index []byte) []byte{
		"as it is":  func(b []byte) []byte { return b },
		"cut":       func(b []byte) []byte { return b[:len(b)-1] },
		"leftover":  func(b []byte) []byte { return append(b[:len(b):len(b)], 0) },
		"leftovers": func(b []byte) []byte { return append(b[:len(b):len(b)], b[:71]...) },
		"twice":     func(b []byte) []byte { return append(b[:len(b):len(b)], b...) },
	} {
		list[4].payload = change(frames(t, data)[4].payload)
		packed := trace.Pack(joined(list), false)
		// Only with an index does a destroyed header in the middle not end the file.
		at := 16 + 64 + int(binary.LittleEndian.Uint32(packed[16+8:]))
		packed[at] ^= 0xff
		n, f, err := readAll(packed)
		require.NoError(t, err)
		if name == "as it is" {
			require.Nil(t, f.Damage)
			require.Equal(t, whole, n)
			continue
		}
		require.NotNil(t, f.Damage, name)
		require.Zero(t, n, name)
	}
}

// The order does not depend on how much of a launch may be held.
func TestHeld(t *testing.T) {
	for _, w := range workloads()[:2] {
		data, _ := recordLaunch(t, w.launch(t, ""), 1, trace.Options{Values: trace.Values{Registers: true}})
		f := open(t, data)
		want := steps(t, f, trace.Filter{})
		total, held := 0, 0
		for _, one := range frames(t, data) {
			total += len(one.words) + len(one.payload)
		}
		var err error
		for held = 1 << 24; err == nil; held /= 2 {
			f.SetHeld(held)
			n := 0
			for s, e := range f.Steps(&trace.Filter{}) {
				if err = e; e != nil {
					break
				}
				if !equalSteps(&want[n], s) {
					require.Equal(t, normal(want[n]), normal(*s), "step %d", n)
				}
				n++
			}
			require.True(t, err != nil || n == len(want))
		}
		require.ErrorContains(t, err, "that can be held")
		require.Greater(t, total, 8*held)
	}
}

func equalSteps(a, b *trace.Step) bool {
	return a.Block == b.Block && a.Time == b.Time && a.Index == b.Index && a.N == b.N && slices.Equal(a.Values, b.Values)
}

// Reading beyond the allowed work ends with an error, and the steps so far are good.
func TestMostWork(t *testing.T) {
	var out bytes.Buffer
	r, err := trace.NewRecorder(&out, trace.Options{}, nil)
	require.NoError(t, err)
	_, err = watch(r, 0, maze.New(18), "", idle{})
	require.NoError(t, err)
	require.NoError(t, r.Close())
	f := open(t, out.Bytes())
	for _, filter := range []trace.Filter{{}, {PCs: []trace.Range{{First: 1, Last: 1}}}} {
		f.MostWork = 1 << 30
		all := len(steps(t, f, filter))
		f.MostWork = 0
		require.Len(t, steps(t, f, filter), all)
		f.MostWork = 5000
		n := 0
		for _, e := range f.Steps(&filter) {
			if err = e; e == nil {
				n++
			}
		}
		var limit *trace.LimitError
		require.ErrorAs(t, err, &limit)
		require.EqualValues(t, 5000, limit.Work)
		require.Less(t, n, 5001)
	}
}
