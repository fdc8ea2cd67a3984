package main

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"

	"jacquard/sfu"
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/lane"
)

// special is a special function in its two forms.
type special struct {
	name   string
	scalar func(uint32) uint32
	row    func(d, a *row)
}

// specials lists the functions with their row forms.
func specials(f forms) []special {
	return []special{
		{"rcp", sfu.Rcp, f.row(lane.Rcp, both((*vector.Builder).Rcp))},
		{"rsqrt", sfu.Rsqrt, f.row(lane.Rsqrt, both((*vector.Builder).Rsqrt))},
		{"lg2", sfu.Lg2, f.row(lane.Lg2, both((*vector.Builder).Lg2))},
		{"presin", sfu.PreSin, f.row(lane.PreSin, each((*vector.Builder).PreSin))},
		{"preex2", sfu.PreEx2, f.row(lane.PreEx2, each((*vector.Builder).PreEx2))},
		{"sin", sfu.Sin, f.row(lane.Sin, both((*vector.Builder).Sin))},
		{"cos", sfu.Cos, f.row(lane.Cos, both((*vector.Builder).Cos))},
		{"ex2", sfu.Ex2, f.row(lane.Ex2, both((*vector.Builder).Ex2))},
	}
}

// digestTasks reads the golden digests: the columns function,first_input,last_input,sha256, one row
// per 2^24 inputs. A function may be a composition such as sin(presin).
func digestTasks(path string, forms forms) ([]task, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	rows := map[string]func(d, a *row){}
	for _, s := range specials(forms) {
		rows[s.name] = s.row
	}
	var tasks []task
	want := map[string]map[uint32]string{}
	for i, r := range records[min(1, len(records)):] {
		first, err := strconv.ParseUint(r[1], 16, 32)
		if err != nil || first%chunk != 0 || len(r) != 4 {
			return nil, fmt.Errorf("%s:%d: want function,first_input,last_input,sha256", path, i+2)
		}
		name := r[0]
		if want[name] == nil {
			outer, inner, composed := strings.Cut(strings.TrimSuffix(name, ")"), "(")
			if rows[outer] == nil || composed && rows[inner] == nil {
				return nil, fmt.Errorf("%s:%d: unknown function %q", path, i+2, name)
			}
			digests := map[uint32]string{}
			want[name] = digests
			tasks = append(tasks, task{name: "digest " + name, inputs: words, check: checkDigest(rows[outer], rows[inner], digests)})
		}
		want[name][uint32(first)] = r[3]
	}
	for name, digests := range want {
		if len(digests) != words/chunk {
			return nil, fmt.Errorf("%s: %d digests of %s: want %d", path, len(digests), name, words/chunk)
		}
	}
	return tasks, nil
}

// checkDigest hashes the results of outer, applied to inner's results if inner is not nil.
func checkDigest(outer, inner func(d, a *row), want map[uint32]string) func(first uint32, n int) error {
	return func(first uint32, n int) error {
		const rows = 128
		buffer := make([]byte, 0, rows*4*len(row{}))
		h := sha256.New()
		for i := 0; i < n; i += len(row{}) {
			var r row
			count(&r, first+uint32(i))
			if inner != nil {
				inner(&r, &r)
			}
			outer(&r, &r)
			for _, x := range r {
				buffer = binary.LittleEndian.AppendUint32(buffer, x)
			}
			if len(buffer) == cap(buffer) {
				h.Write(buffer)
				buffer = buffer[:0]
			}
		}
		h.Write(buffer)
		if got := hex.EncodeToString(h.Sum(nil)); got != want[first] {
			return fmt.Errorf("digest from %08x: got %s, want %s", first, got, want[first])
		}
		return nil
	}
}
