package stats

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"unsafe"

	"jacquard/simt"
)

// Load reads the statistics file at path with all its launches. The error is a *FormatError if the
// file holds no statistics; a truncated file sets Damage.
func Load(path string) (*Run, error) { return LoadEach(path, nil) }

// LoadEach reads the statistics file at path as Read does.
func LoadEach(path string, each func(*Launch) error) (*Run, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("statistics: %w", err)
	}
	defer f.Close()
	return Read(f, each)
}

// Read reads statistics. It passes each launch to each; an error of each ends the reading. If each
// is nil, Read keeps up to 128 MiB of launches in the Run. The error is a *FormatError if from
// holds no statistics.
func Read(from io.Reader, each func(*Launch) error) (*Run, error) {
	m := &meter{from: from, left: mostHead}
	r := &reader{meter: m, dec: json.NewDecoder(m), each: each, launches: map[string]int{}}
	if err := r.head(); err != nil {
		return nil, err
	}
	if err := r.records(); err != nil {
		return nil, err
	}
	return r.run, nil
}

type reader struct {
	meter    *meter
	dec      *json.Decoder
	each     func(*Launch) error
	run      *Run
	launches map[string]int // by policy
	codes    int            // instructions of all kernels so far
	source   int            // bytes of the names of their source files
	kept     int64          // bytes of the launches kept
	marked   bool           // a record ends the file
	ended    bool           // it was read
}

// wrong returns a FormatError at the current offset.
func (r *reader) wrong(format string, args ...any) *FormatError {
	return &FormatError{r.dec.InputOffset(), fmt.Sprintf(format, args...)}
}

// failure converts an error of the decoder to a FormatError, and returns an error of the file
// itself.
func (r *reader) failure(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	var limit *limitError
	switch {
	case errors.Is(err, errLong):
		return r.wrong("what begins here is longer than any: at most %d bytes for the head, %d for a record", mostHead, mostRecord)
	case errors.As(err, &limit):
		return r.wrong("%s", limit)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return r.wrong("the file ends before it is complete")
	case errors.As(err, &syntax):
		return &FormatError{syntax.Offset, syntax.Error()}
	case errors.As(err, &kind):
		return r.wrong("%s where %s belongs", kind.Value, kind.Field)
	}
	return fmt.Errorf("statistics: %w", err)
}

// head reads up to the records.
func (r *reader) head() error {
	t, err := r.dec.Token()
	if file := new(fs.PathError); errors.As(err, &file) {
		return r.failure(err)
	}
	if err != nil || t != json.Delim('{') {
		return r.wrong("this is no statistics file: want one that --stats FILE.json or JACQUARD_STATS wrote")
	}
	members := map[string]json.RawMessage{}
	for r.dec.More() {
		name, err := r.dec.Token()
		if err != nil {
			return r.failure(err)
		}
		if name == "records" {
			return r.begin(members)
		}
		var value json.RawMessage
		if err := r.dec.Decode(&value); err != nil {
			return r.failure(err)
		}
		members[name.(string)] = value
	}
	return r.wrong("this is no statistics file: it has no records")
}

// begin makes the run from the members before the records.
func (r *reader) begin(members map[string]json.RawMessage) error {
	data, err := json.Marshal(members)
	if err != nil {
		return r.failure(err)
	}
	var h headJSON
	if err := json.Unmarshal(data, &h); err != nil {
		return r.failure(err)
	}
	switch {
	case h.Format != Format:
		return r.wrong("this is no statistics file: its format is %q", h.Format)
	case h.Version != Version:
		return r.wrong("the format's version is %d: want %d", h.Version, Version)
	}
	r.run, r.marked = h.run(), h.Marked
	if t, err := r.dec.Token(); err != nil || t != json.Delim('[') {
		return r.wrong("the records are no list")
	}
	return nil
}

// records reads the records to the end of the file. If they end early, it sets the run's Damage.
func (r *reader) records() error {
	for r.more() {
		var record recordJSON
		if err := r.dec.Decode(&record); err != nil {
			return r.broken(r.failure(err))
		}
		if err := r.take(&record); err != nil {
			return err
		}
	}
	for _, want := range [...]json.Delim{']', '}'} {
		t, err := r.dec.Token()
		if err != nil {
			return r.broken(r.failure(err))
		}
		if t != want {
			return r.broken(r.wrong("%v where %v belongs", t, want))
		}
	}
	if _, err := r.dec.Token(); err != io.EOF {
		return r.broken(r.wrong("something follows the end of the statistics"))
	}
	if r.marked && !r.ended {
		return r.broken(r.wrong("the run has no end: its program was killed or goes on"))
	}
	return nil
}

// more reports whether a record follows, and allows it the length of a record.
func (r *reader) more() bool {
	r.meter.left = mostRecord
	return r.dec.More()
}

// broken sets the run's Damage if err is a *FormatError, and returns any other error.
func (r *reader) broken(err error) error {
	if errors.As(err, &r.run.Damage) {
		return nil
	}
	return err
}

// take adds a record to the run.
func (r *reader) take(record *recordJSON) error {
	r.ended = r.ended || record.End != nil
	if j := record.Kernel; j != nil {
		k, err := j.kernel()
		if err != nil {
			return r.wrong("%v", err)
		}
		k.Number = len(r.run.Kernels)
		if r.codes += len(k.Code); k.Number == mostKernels || r.codes > mostCodes {
			return r.wrong("more than %d kernels, or than %d instructions of kernels", mostKernels, mostCodes)
		}
		if r.source += k.Source.Size(); r.source > mostSource {
			return r.wrong("names of source files of more than %d bytes", mostSource)
		}
		r.run.Kernels = append(r.run.Kernels, k)
	}
	j := record.Launch
	if j == nil {
		return nil
	}
	if j.Kernel < 0 || j.Kernel >= len(r.run.Kernels) {
		return r.wrong("a launch of kernel %d, which was not described", j.Kernel)
	}
	l, err := j.launch(r.run.Kernels[j.Kernel])
	if err != nil {
		return r.wrong("%v", err)
	}
	l.Policy = cmp.Or(l.Policy, r.run.Policy)
	if r.launches[l.Policy] == 0 {
		if len(r.run.Policies) == mostPolicies {
			return r.wrong("launches under more than %d policies", mostPolicies)
		}
		r.run.Policies = append(r.run.Policies, l.Policy)
	}
	l.Number = r.launches[l.Policy]
	if j.Number != nil {
		l.Number = *j.Number
	}
	r.launches[l.Policy]++
	if r.each != nil {
		return r.each(l)
	}
	if r.kept += l.size(); r.kept > mostKept {
		return r.wrong("more launches than the %d MiB that there are for them", mostKept>>20)
	}
	r.run.Launches = append(r.run.Launches, l)
	return nil
}

// size returns the approximate bytes of the launch.
func (l *Launch) size() int64 {
	const one, instruction = int64(unsafe.Sizeof(Launch{})), int64(unsafe.Sizeof(simt.InstructionStats{}))
	return one + instruction*int64(len(l.Stats.ByInstruction)) + int64(len(l.Device)+len(l.Error)+len(l.InStep)+len(l.Overrun)+len(l.Stats.Plan.Reason))
}
