package events

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// Record is the content of a file of events, in the order of the file.
type Record struct {
	Inits    []Init
	Launches []Launch
}

// Read reads the events in the file at path.
func Read(path string) (*Record, error) { return ReadFrom(path, 0) }

// ReadFrom reads the events after the first offset bytes of the file at path.
func ReadFrom(path string, offset int64) (*Record, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		return nil, err
	}
	r := &Record{}
	const longest = 1 << 20 // kernel names of C++ templates are long
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, longest)
	for lines.Scan() {
		if err := r.add(lines.Bytes()); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return r, lines.Err()
}

// add adds one line, unless its event is of an unknown kind.
func (r *Record) add(line []byte) error {
	var kind struct{ Event string }
	if err := json.Unmarshal(line, &kind); err != nil {
		return err
	}
	switch kind.Event {
	case "init":
		return decode(line, &r.Inits)
	case "launch":
		return decode(line, &r.Launches)
	}
	return nil
}

func decode[T any](line []byte, list *[]T) error {
	var e T
	if err := json.Unmarshal(line, &e); err != nil {
		return err
	}
	*list = append(*list, e)
	return nil
}
