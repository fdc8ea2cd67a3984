package mirror

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"jacquard/board/otherdriver"
)

// standin is PTX with kernels of the same names as a program's, for a driver that refuses their
// machine code.
type standin struct {
	name    string // its origin
	text    []byte
	kernels map[string][]ptxParam
}

// ptxParam is a kernel's parameter in PTX.
type ptxParam struct {
	size, align int
	wide        bool // a 64-bit integer, perhaps an address
	float       bool
}

// readStandins reads a file of PTX, or all .ptx files of a folder; "" is none.
func readStandins(path string) ([]*standin, error) {
	if path == "" {
		return nil, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("stand-ins: %w", err)
	}
	files := []string{path}
	if info.IsDir() {
		if files, err = filepath.Glob(filepath.Join(path, "*.ptx")); err != nil {
			return nil, fmt.Errorf("stand-ins: %w", err)
		}
	}
	var list []*standin
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("stand-ins: %w", err)
		}
		if s := readStandin(file, text); len(s.kernels) > 0 {
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("stand-ins: there is no kernel in PTX in %s", path)
	}
	return list, nil
}

var (
	ptxComment = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)
	ptxEntry   = regexp.MustCompile(`\.entry\s+([\w$]+)\s*(?:\(([^)]*)\))?`)
	ptxAlign   = regexp.MustCompile(`\.align\s+(\d+)`)
	ptxType    = regexp.MustCompile(`\.([usbf])(8|16|32|64)\b`)
	ptxCount   = regexp.MustCompile(`\[(\d+)\]`)
)

// readStandin finds the kernels in PTX and their parameters.
func readStandin(name string, text []byte) *standin {
	s := &standin{name: name, text: text, kernels: map[string][]ptxParam{}}
	for _, entry := range ptxEntry.FindAllStringSubmatch(ptxComment.ReplaceAllString(string(text), " "), -1) {
		params := []ptxParam{}
		for _, declaration := range strings.Split(entry[2], ",") {
			kind := ptxType.FindStringSubmatch(declaration)
			if kind == nil {
				continue
			}
			bits, _ := strconv.Atoi(kind[2])
			p := ptxParam{size: bits / 8, align: bits / 8, wide: bits == 64 && kind[1] != "f", float: kind[1] == "f"}
			if count := ptxCount.FindStringSubmatch(declaration); count != nil {
				n, _ := strconv.Atoi(count[1])
				p.size, p.wide = p.size*n, false
				if align := ptxAlign.FindStringSubmatch(declaration); align != nil {
					p.align, _ = strconv.Atoi(align[1])
				}
			}
			params = append(params, p)
		}
		s.kernels[entry[1]] = params
	}
	return s
}

// pack lays out parameters as a kernel of PTX declares them. The program's layout may be the same,
// or have addresses of 32 bits where PTX has 64. pack translates our addresses: in 64-bit numbers,
// also within structures, and in 32-bit numbers if the kernel has no 64-bit ones.
func pack(declared []ptxParam, params []byte, translate func(uint32) (otherdriver.Address, bool)) ([]byte, error) {
	narrow, wide := false, slices.ContainsFunc(declared, func(p ptxParam) bool { return p.wide })
	switch len(params) {
	case extent(declared, false):
	case extent(declared, true):
		narrow = true
	default:
		return nil, fmt.Errorf("the program passes %d bytes of parameters, and the stand-in has %d", len(params), extent(declared, false))
	}
	out := make([]byte, extent(declared, false))
	from, to := 0, 0
	for _, p := range declared {
		size, align := p.size, p.align
		if p.wide && narrow {
			size, align = 4, 4
		}
		from, to = up(from, align), up(to, p.align)
		copy(out[to:], params[from:][:size])
		if !p.float && (p.size > 4 || !wide) {
			if err := relocate(out[to:][:p.size], translate); err != nil {
				return nil, err
			}
		}
		from, to = from+size, to+p.size
	}
	return out, nil
}

// relocate translates the addresses in a parameter.
func relocate(param []byte, translate func(uint32) (otherdriver.Address, bool)) error {
	le := binary.LittleEndian
	for ; len(param) >= 8; param = param[8:] {
		if there, ok := translate(le.Uint32(param)); ok && le.Uint32(param[4:]) == 0 {
			le.PutUint64(param, uint64(there))
		}
	}
	if len(param) < 4 {
		return nil
	}
	there, ok := translate(le.Uint32(param))
	if ok && uint64(there) > math.MaxUint32 {
		return errNarrow
	}
	if ok {
		le.PutUint32(param, uint32(there))
	}
	return nil
}

// errNarrow says that a kernel has no room for an address of the other driver.
var errNarrow = errors.New("its parameters have 32-bit addresses, and the other driver's have 64 bits")

// extent returns the bytes of parameters, with addresses of 32 bits if narrow.
func extent(declared []ptxParam, narrow bool) int {
	n := 0
	for _, p := range declared {
		if p.wide && narrow {
			p.size, p.align = 4, 4
		}
		n = up(n, p.align) + p.size
	}
	return n
}

// up rounds n up to a multiple of align.
func up(n, align int) int { return (n + max(align, 1) - 1) / max(align, 1) * max(align, 1) }
