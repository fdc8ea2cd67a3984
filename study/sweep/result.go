package sweep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"

	"jacquard/study"
	"jacquard/study/compare"
)

// Status says how a cell ended.
type Status string

// The statuses. Cells that were killed have none: they are run again.
const (
	Passed  Status = "passed"
	Failed  Status = "failed"  // a launch failed, or the process ended otherwise than a cell that passes
	Refused Status = "refused" // the policy cannot run a kernel
	Differs Status = "differs" // memory differs from the recording, or from the first cell that differs in host knobs and policy alone
	Late    Status = "late"    // the limit of the study ended it
)

// Good reports whether the status shows no error. A refusal is no error.
func (s Status) Good() bool { return s == Passed || s == Refused }

// Result is the result of a finished cell.
type Result struct {
	Cell    *study.Cell   `json:"cell"`
	Status  Status        `json:"status"`
	Reason  string        `json:"reason,omitempty"` // unless it passed
	Exit    int           `json:"exit"`             // status of the process, 128 and the signal's number
	Host    string        `json:"host"`
	Seconds float64       `json:"seconds"`          // from start to end of the process
	Digest  string        `json:"digest,omitempty"` // of device memory after every launch
	Kernels []compare.Row `json:"kernels"`          // counters by kernel, as compare counts
}

// Counts returns the sum of the kernels' counters.
func (r *Result) Counts() compare.Counts {
	var sum compare.Counts
	for i := range r.Kernels {
		sum.Merge(&r.Kernels[i].Counts)
	}
	return sum
}

// cellSuffix ends the name of the file of a finished cell.
const cellSuffix = ".json"

// castagnoli finds damage: no one forges cells.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encode returns the content of a cell's file: a line of JSON, and a line with its checksum.
func (r *Result) encode() ([]byte, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(text, "\n%08x\n", crc32.Checksum(text, castagnoli)), nil
}

// Decode reads the content of a cell's file. The error describes its mistake.
func Decode(data []byte) (*Result, error) {
	text, sum, ok := bytes.Cut(data, []byte("\n"))
	if !ok || string(sum) != fmt.Sprintf("%08x\n", crc32.Checksum(text, castagnoli)) {
		return nil, errors.New("the checksum is wrong")
	}
	r := &Result{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, err
	}
	if r.Cell == nil || r.Status == "" {
		return nil, errors.New("the result has no cell or no status")
	}
	return r, nil
}

// Read returns the result of a cell. The error is fs.ErrNotExist for a cell that is not finished,
// and a *FormatError for a damaged file.
func (f *Folder) Read(name string) (*Result, error) {
	path := f.path(cells, name, cellSuffix)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r, err := Decode(data)
	if err == nil && r.Cell.Name != name {
		err = fmt.Errorf("this is cell %s", r.Cell.Name)
	}
	if err != nil {
		return nil, &FormatError{path, err.Error()}
	}
	return r, nil
}

// keep writes the result of a cell by way of the file part, which must be on the same file system.
func (f *Folder) keep(r *Result, part string) error {
	data, err := r.encode()
	if err != nil {
		return err
	}
	if err := os.WriteFile(part, data, 0o666); err != nil {
		return err
	}
	return move(part, f.path(cells, r.Cell.Name, cellSuffix))
}

// move renames a file, and makes the new folder if there is none.
func move(from, to string) error {
	err := os.Rename(from, to)
	if errors.Is(err, os.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		err = os.Rename(from, to)
	}
	return err
}

// Forget removes the result of a cell, so that it is run again.
func (f *Folder) Forget(name string) error {
	err := os.Remove(f.path(cells, name, cellSuffix))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}
