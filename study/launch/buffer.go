package launch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
)

// mostBytes is the largest buffer: device addresses have 32 bits.
const mostBytes = 1<<32 - 1

// parseBuffer reads "SIZE[:OPTION...]": the size, content and name of a buffer. The size may be
// empty if a file gives it.
func parseBuffer(p *Param, text string) error {
	fields := strings.Split(text, ":")
	size := -1
	if fields[0] != "" {
		n, err := parseSize(fields[0])
		if err != nil {
			return err
		}
		size = n
	}
	fill := func(b []byte) error { return nil } // zero
	fills := 0
	for _, option := range fields[1:] {
		key, value, _ := strings.Cut(option, "=")
		var err error
		switch {
		case option == "zero":
			fills++
		case key == "pattern":
			fills++
			fill, err = pattern(value)
		case key == "seed":
			fills++
			fill, err = seeded(value)
		case key == "file":
			fills++
			var data []byte
			if data, err = readFile(value, size); size < 0 {
				size = len(data)
			}
			fill = copied(data)
		case key == "name" && value != "":
			p.Name = value
		default:
			err = fmt.Errorf("unknown option %q: want zero, pattern=HEX, seed=N, file=PATH or name=NAME", option)
		}
		if err != nil {
			return err
		}
	}
	switch {
	case fills > 1:
		return errors.New("more than one of zero, pattern, seed and file")
	case size <= 0:
		return errors.New("a buffer needs a size of at least 1")
	}
	p.Buffer = make([]byte, size)
	return fill(p.Buffer)
}

// FileOf returns the file that fills a buffer, "" if arg, the text of an argument, names none.
func FileOf(arg string) string {
	if fields := strings.Split(arg, ":"); fields[0] == "buf" {
		for _, option := range fields[1:] {
			if path, ok := strings.CutPrefix(option, "file="); ok {
				return path
			}
		}
	}
	return ""
}

// units are the suffixes of a number of bytes.
var units = map[string]uint64{"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}

// parseSize reads a number of bytes with an optional suffix for a binary multiple.
func parseSize(text string) (int, error) {
	digits, unit := text, uint64(1)
	if last := max(len(text)-1, 0); units[strings.ToLower(text[last:])] != 0 {
		digits, unit = text[:last], units[strings.ToLower(text[last:])]
	}
	n, err := strconv.ParseUint(digits, 0, 32)
	switch {
	case errors.Is(err, strconv.ErrRange), err == nil && n*unit > mostBytes:
		return 0, fmt.Errorf("%q is more than 32 bits of device address reach", text)
	case err != nil:
		return 0, fmt.Errorf("%q is no size in bytes: want a number, with k, m or g behind it (K, M or G) for 2^10, 2^20 or 2^30", text)
	}
	return int(n * unit), nil
}

// pattern fills a buffer with copies of one number; its number of digits gives its width.
func pattern(hex string) (func([]byte) error, error) {
	v, err := strconv.ParseUint(hex, 16, 64)
	width := len(hex) / 2
	if err != nil || len(hex)%2 != 0 || width&(width-1) != 0 {
		return nil, fmt.Errorf("pattern %q: want 2, 4, 8 or 16 hexadecimal digits", hex)
	}
	one := binary.LittleEndian.AppendUint64(nil, v)[:width]
	return func(b []byte) error {
		for i := range b {
			b[i] = one[i%width]
		}
		return nil
	}, nil
}

// seeded fills a buffer with random bytes that depend only on the seed.
func seeded(text string) (func([]byte) error, error) {
	seed, err := strconv.ParseUint(text, 0, 64)
	if err != nil {
		return nil, fmt.Errorf("seed %q is no number", text)
	}
	return func(b []byte) error {
		r := rand.New(rand.NewPCG(seed, 0))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return nil
	}, nil
}

// readFile reads the first size bytes of a file, or the whole file if size < 0. It reads a device
// or a pipe only up to size, because it may never end.
func readFile(path string, size int) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() && size < 0:
		return nil, fmt.Errorf("%s is no plain file: say how many bytes of it", path)
	case !info.Mode().IsRegular():
	case size < 0 && info.Size() <= mostBytes:
		size = int(info.Size())
	case size < 0:
		return nil, fmt.Errorf("%s has %d bytes: device memory has fewer", path, info.Size())
	case info.Size() > int64(size):
		return nil, fmt.Errorf("%s has %d bytes, the buffer %d", path, info.Size(), size)
	}
	return io.ReadAll(io.LimitReader(f, int64(size)))
}

// copied copies data to the beginning of a buffer; the rest stays zero.
func copied(data []byte) func([]byte) error {
	return func(b []byte) error {
		copy(b, data)
		return nil
	}
}
