package mutate

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

var mutations = flag.Int("mutations", 300, "how many changed files of each format are read")

// mostMemory bounds the bytes that reading one file may allocate. Freed bytes count, too: the sum
// bounds the memory in use, and is the same in every run.
const mostMemory = 256 << 20

// Run calls read with changed seeds, as often as the flag says. Every run is the same. If read
// panics or allocates more than 256 MiB, the test fails, and the file becomes a seed of the
// package's fuzz target.
func Run(t *testing.T, target string, seeds [][]byte, change func(*rand.Rand, []byte) []byte, read func([]byte)) {
	t.Helper()
	most := uint64(0)
	for i := range *mutations {
		r := rand.New(rand.NewPCG(uint64(i), 0))
		data := change(r, seeds[i%len(seeds)])
		taken, cause := allocated(func() { read(data) })
		most = max(most, taken)
		if cause != nil || taken > mostMemory {
			t.Errorf("mutation %d: %d bytes allocated, panic: %v: see %s", i, taken, cause, keep(t, target, data))
		}
	}
	t.Logf("%d mutations, at most %d bytes allocated for one", *mutations, most)
}

// allocated returns the bytes that do allocated, and the value of its panic.
func allocated(do func()) (bytes uint64, cause any) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	defer func() {
		cause = recover()
		runtime.ReadMemStats(&after)
		bytes = after.TotalAlloc - before.TotalAlloc
	}()
	do()
	return
}

// keep writes data to the seeds of the fuzz target.
func keep(t *testing.T, target string, data []byte) (path string) {
	folder := filepath.Join("testdata", "fuzz", target)
	sum := sha256.Sum256(data)
	path = filepath.Join(folder, fmt.Sprintf("%x", sum[:8]))
	err := os.MkdirAll(folder, 0o777)
	if err == nil {
		err = os.WriteFile(path, fmt.Appendf(nil, "go test fuzz v1\n[]byte(%q)\n", data), 0o666)
	}
	if err != nil {
		t.Error(err)
	}
	return path
}

// numbers are values that readers tend to get wrong.
var numbers = [...]uint64{
	0, 1, 2, 0x1f, 0x20, 0x7f, 0x80, 0xff, 0x100, 0x1ff, 0x200, 0x7fff, 0xffff, 0x10000, 0xffffff, 1 << 28, 1 << 29,
	0x7fffffff, 0x80000000, 0xffffffff, 1 << 32, 1 << 62, 1<<63 - 1, 1 << 63, 1<<64 - 1,
}

// Number returns a value that readers tend to get wrong.
func Number(r *rand.Rand) uint64 { return numbers[r.IntN(len(numbers))] }

// Bytes returns data with one to four changes: to a bit, a byte, a number of 2, 4 or 8 bytes, a
// uvarint, or a piece that is omitted, repeated or copied from elsewhere. It does not change data
// itself.
func Bytes(r *rand.Rand, data []byte) []byte {
	b := append([]byte(nil), data...)
	for range 1 + r.IntN(4) {
		b = once(r, b)
	}
	return b
}

func once(r *rand.Rand, b []byte) []byte {
	if len(b) == 0 {
		return append(b, byte(r.Uint32()))
	}
	at := r.IntN(len(b))
	size := min(1+r.IntN(1<<r.IntN(8)), len(b)-at)
	switch r.IntN(9) {
	case 0:
		b[at] ^= 1 << r.IntN(8)
	case 1:
		b[at] = byte(Number(r))
	case 2:
		b[at] = byte(r.Uint32())
	case 3:
		number := binary.LittleEndian.AppendUint64(nil, Number(r)+uint64(r.IntN(3))-1)
		copy(b[at:], number[:2<<r.IntN(3)])
	case 4:
		number := binary.AppendUvarint(nil, Number(r))
		b = append(b[:at:at], append(number, b[min(at+1, len(b)):]...)...)
	case 5:
		b = append(b[:at:at], b[at+size:]...)
	case 6:
		b = append(b[:at+size:at+size], b[at:]...)
	case 7:
		from := r.IntN(len(b))
		copy(b[at:], b[from:min(from+size, len(b))])
	case 8:
		b = b[:at]
	}
	return b
}

// JSON returns text with a number, a string or a list changed. The result is JSON most of the time.
func JSON(r *rand.Rand, text []byte) []byte {
	var at []int // starts of numbers and lists
	for i := 1; i < len(text); i++ {
		if (digit(text[i]) || text[i] == '[') && !digit(text[i-1]) {
			at = append(at, i)
		}
	}
	if len(at) == 0 || r.IntN(8) == 0 {
		return Bytes(r, text)
	}
	from := at[r.IntN(len(at))]
	to := from + 1
	if text[from] == '[' {
		n := bytes.IndexByte(text[to:], ']')
		if n < 0 {
			return Bytes(r, text)
		}
		inner := append([]byte{','}, text[to:to+n]...)
		return join(text[:to+n], bytes.Repeat(inner, r.IntN(1<<r.IntN(12))), text[to+n:])
	}
	for to < len(text) && digit(text[to]) {
		to++
	}
	number := fmt.Append(nil, Number(r))
	switch r.IntN(4) {
	case 0:
		number = fmt.Append(nil, r.IntN(1<<r.IntN(30)))
	case 1:
		number = append([]byte{'-'}, number...)
	}
	return join(text[:from], number, text[to:])
}

func digit(b byte) bool { return b >= '0' && b <= '9' }

func join(pieces ...[]byte) []byte { return bytes.Join(pieces, nil) }
