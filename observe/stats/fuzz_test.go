package stats_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/mutate"
	"jacquard/observe/stats"
)

// seed is a file with two kernels and three launches.
func seed(t testing.TB) []byte {
	faulty := launch(t, "b", 32)
	faulty.Stats.Incomplete, faulty.Error, faulty.InStep = true, "it faulted", "somewhere"
	data, err := os.ReadFile(write(t, run(), launch(t, "a", 40), faulty, launch(t, "a", 96)))
	require.NoError(t, err)
	return data
}

var (
	kernelRecord = regexp.MustCompile(`"arch":"([^"]*)".*"hash":"([^"]*)","code":\[([^\]]*)\]`)
	digits       = regexp.MustCompile(`\d+`)
	piece        = regexp.MustCompile(`[^,\[\]{}]+,?|\[[^\[\]]*\],?`)
)

// repair sets every kernel's hash to its code's hash.
func repair(data []byte) []byte {
	lines := bytes.SplitAfter(data, []byte{'\n'})
	for i, line := range lines {
		at := kernelRecord.FindSubmatchIndex(line)
		if at == nil {
			continue
		}
		words, _ := hex.DecodeString(strings.NewReplacer(`"`, "", ",", "", " ", "").Replace(string(line[at[6]:at[7]])))
		sum := sha256.Sum256(append(bytes.Clone(line[at[2]:at[3]]), words...))
		lines[i] = bytes.Join([][]byte{line[:at[4]], []byte(hex.EncodeToString(sum[:8])), line[at[5]:]}, nil)
	}
	return bytes.Join(lines, nil)
}

// change changes numbers, members or bytes of a file.
func change(r *rand.Rand, data []byte) []byte {
	for range 1 + r.IntN(4) {
		pick := func(p *regexp.Regexp) (from, to int) {
			if all := p.FindAllIndex(data, -1); len(all) > 0 {
				one := all[r.IntN(len(all))]
				return one[0], one[1]
			}
			return 0, 0
		}
		var with []byte
		var from, to int
		switch r.IntN(5) {
		case 0:
			data = mutate.Bytes(r, data)
			continue
		case 1:
			from, to = pick(digits)
			with = fmt.Append(nil, mutate.Number(r))
			if r.IntN(4) == 0 {
				with = append([]byte{'-'}, with...)
			}
		case 2: // often
			from, to = pick(piece)
			with = bytes.Repeat(data[from:to], min(r.IntN(1<<r.IntN(17)), 1<<18/max(1, to-from)))
		case 3: // from elsewhere
			a, b := pick(piece)
			with = data[a:b]
			from, to = pick(piece)
		case 4:
			from, to = pick(piece)
			with = []byte([]string{"null", "[]", "{}", `""`, "1e308", "0.5", "true", "[[]]"}[r.IntN(8)])
		}
		data = bytes.Join([][]byte{data[:from], with, data[to:]}, nil)
	}
	return repair(data)
}

// readAll reads a file as every tool does.
func readAll(t testing.TB, data []byte) {
	for _, each := range []func(*stats.Launch) error{nil, func(*stats.Launch) error { return nil }} {
		r, err := stats.Read(bytes.NewReader(data), each)
		var bad *stats.FormatError
		if err != nil {
			require.ErrorAs(t, err, &bad)
			continue
		}
		for _, l := range r.Launches {
			require.Contains(t, []int{0, len(l.Kernel.Code)}, len(l.Stats.ByInstruction))
			require.Positive(t, l.Stats.Block[2])
		}
	}
}

func TestMutations(t *testing.T) {
	mutate.Run(t, "FuzzRead", [][]byte{seed(t)}, change, func(data []byte) { readAll(t, data) })
}

func FuzzRead(f *testing.F) {
	f.Add(seed(f))
	f.Add([]byte(`{"format":"jacquard statistics","version":1,"records":[{"kernel":{"arch":"sm_10","code":["00000000"]}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		readAll(t, data)
		readAll(t, repair(data))
	})
}

// repeat is a file of endlessly repeated pieces.
type repeat struct {
	head, piece string
	left        int64 // bytes still to come
}

func (r *repeat) Read(b []byte) (int, error) {
	if r.left <= 0 {
		return 0, errors.New("the reader reads on")
	}
	n := copy(b, r.head)
	r.head = r.head[n:]
	for n < len(b) {
		k := copy(b[n:], r.piece)
		n, r.head = n+k, r.piece[k:]
	}
	r.left -= int64(n)
	return n, nil
}

// An endless file is refused before much of it is read.
func TestEndless(t *testing.T) {
	whole := string(seed(t))
	head := whole[:strings.Index(whole, "\n")+1]
	kernel := strings.Split(whole, "\n")[1]
	for name, c := range map[string]struct{ head, piece, want string }{
		"head":          {`{"format":"`, "x", "longer than any: at most 1048576 bytes for the head"},
		"blanks":        {head, " ", "longer than any"},
		"name":          {head + `{"kernel":{"name":"`, "x", "longer than any"},
		"code":          {head + `{"kernel":{"code":["00000000"`, `,"00000000"`, "longer than any"},
		"kernels":       {head + kernel, strings.Replace(kernel, "", "\n", 1), "more than 65536 kernels"},
		"records":       {head + `{"kernel":{"code":[`, `[`, "exceeded max depth"},
		"other members": {head + `{"other":[0`, ",0", "longer than any"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := stats.Read(&repeat{c.head, c.piece, 1 << 26}, nil)
			if err == nil && r.Damage != nil {
				err = r.Damage
			}
			var bad *stats.FormatError
			require.ErrorAs(t, err, &bad)
			require.ErrorContains(t, err, c.want)
		})
	}
}

// Numbers beyond the architecture's limits are refused.
func TestLimits(t *testing.T) {
	text := string(seed(t))
	many := func(n int, s string) string { return strings.Repeat(s+",", n) }
	for name, c := range map[string]struct{ old, new, want string }{
		"block":         {`"block":[40,1,1]`, `"block":[1000000000,1,1]`, "no device"},
		"threads":       {`"block":[40,1,1]`, `"block":[512,2,1]`, "no device"},
		"grid":          {`"grid":[1,1]`, `"grid":[65536,1]`, "no device"},
		"no threads":    {`"block":[40,1,1]`, `"block":[0,1,1]`, "no device"},
		"waves":         {`"waves":1`, `"waves":2`, "cannot be"},
		"time":          {`"seconds":`, `"seconds":1e300,"x":`, "cannot be"},
		"registers":     {`"registers":4`, `"registers":129`, "no device"},
		"shared":        {`"shared":16,`, `"shared":16385,`, "no device"},
		"dynamic":       {`"shared":0,`, `"shared":-1,`, "cannot be"},
		"name":          {`"name":"a"`, `"name":"` + strings.Repeat("a", 1<<14+1) + `"`, "a text of 16385 bytes"},
		"instructions":  {`"code":[`, `"code":[` + many(1<<17, `"00000000"`), "more than 131072 instructions"},
		"a column":      {`"issues":[`, `"issues":[` + many(1<<17, `1`), "more than 131072 instructions"},
		"lanes":         {`"instruction_lanes":[`, `"instruction_lanes":[` + many(1<<17, `[]`), "more than 131072 instructions"},
		"a histogram":   {`"instruction_lanes":[`, `"instruction_lanes":[[` + many(66, "1") + `1],`, "more than 66 numbers"},
		"counters":      {`"counts":{`, `"counts":{` + many(256, `"a":0`), ""},
		"more counters": {`"counts":{`, `"counts":{` + counters(257), "more than 256 counters"},
		"no counters":   {`"counts":{`, `"counts":null,"x":{`, ""},
		"a number":      {`"counts":{`, `"counts":7,"x":{`, "something else where counters belong"},
	} {
		t.Run(name, func(t *testing.T) {
			changed := strings.Replace(text, c.old, c.new, 1)
			require.NotEqual(t, text, changed)
			r, err := stats.Read(bytes.NewReader(repair([]byte(changed))), nil)
			if err == nil && r.Damage != nil {
				err = r.Damage
			}
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			var bad *stats.FormatError
			require.ErrorAs(t, err, &bad)
			require.ErrorContains(t, err, c.want)
		})
	}
}

// counters returns n members of an object.
func counters(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"c%d":0,`, i)
	}
	return b.String()
}
