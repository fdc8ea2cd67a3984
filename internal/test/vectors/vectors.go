package vectors

import (
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"jacquard/tesla"
)

// The files of decoder/testdata; README.md there describes their columns.
const (
	Forms = "decode-vectors.csv.gz" // every form of the description, and every bit of it
	Wild  = "wild-vectors.csv.gz"   // instructions that compilers made
)

// Files are all of them.
var Files = [...]string{Forms, Wild}

// Vector is one encoding.
type Vector struct {
	Words [2]uint32  // the second is 0 if the row has one
	Short bool       // the row has one word
	Kind  string     // how the row was made
	On    [4]Reading // by architecture
}

// Reading is the reference disassembler's text of a vector on an architecture.
type Reading struct {
	Valid  bool
	Text   string
	Unused uint64 // bits of the words that it does not use, if the vector is valid
}

// columns are the architectures in the order of the files.
var columns = [4]tesla.Arch{tesla.SM10, tesla.SM11, tesla.SM13, tesla.SM12}

// String gives the words, for the messages of tests.
func (v *Vector) String() string {
	if v.Short {
		return fmt.Sprintf("%08x", v.Words[0])
	}
	return fmt.Sprintf("%08x,%08x", v.Words[0], v.Words[1])
}

// Read returns the vectors of a file.
func Read(path string) ([]Vector, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	unzip, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	rows, err := csv.NewReader(unzip).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	list := make([]Vector, 0, len(rows))
	for _, row := range rows[1:] { // behind the heading
		v, err := vector(row)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		list = append(list, v)
	}
	return list, nil
}

// unused is the end of a text that names unused bits.
var unused = regexp.MustCompile(`\[unknown: ([0-9a-f]{8}) ?([0-9a-f]{8})?\]`)

func vector(row []string) (v Vector, err error) {
	v.Short, v.Kind = row[1] == "", row[2]
	if v.Words, err = words(row[0], row[1]); err != nil {
		return v, err
	}
	for i, arch := range columns {
		r, status, text := &v.On[arch], row[3][i], row[4+i]
		r.Valid = status == 'o' || status == 'u'
		r.Text, _, _ = strings.Cut(text, " [unknown")
		if m := unused.FindStringSubmatch(text); m != nil {
			bits, err := words(m[1], m[2])
			if err != nil {
				return v, err
			}
			r.Unused = uint64(bits[1])<<32 | uint64(bits[0])
		}
	}
	return v, nil
}

// words reads two words. The second may be missing.
func words(first, second string) (w [2]uint32, err error) {
	for i, text := range [...]string{first, "0" + second} {
		v, err := strconv.ParseUint(text, 16, 32)
		if err != nil {
			return w, err
		}
		w[i] = uint32(v)
	}
	return w, nil
}
