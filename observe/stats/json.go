package stats

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/source"
	"jacquard/tesla"
)

// The first members of a file.
const (
	Format  = "jacquard statistics"
	Version = 1
)

// Sniff reports whether data is the beginning of a statistics file as this package writes it.
func Sniff(data []byte) bool { return bytes.HasPrefix(data, []byte(`{"format":"`+Format+`"`)) }

// headJSON is the object of a file, except for its last member: "records", a list of kernels and
// launches, one per line.
type headJSON struct {
	Format  string   `json:"format"`
	Version int      `json:"version"`
	Program string   `json:"program"`
	Devices []string `json:"devices"`
	Policy  string   `json:"policy"`
	Workers int      `json:"workers"`
	SIMD    string   `json:"simd"`
	Marked  bool     `json:"marked,omitempty"` // a record ends the file; older files have none
}

// recordJSON is one record. One of the members is set; a reader ignores others.
type recordJSON struct {
	Kernel *kernelJSON `json:"kernel,omitempty"`
	Launch *launchJSON `json:"launch,omitempty"`
	End    *endJSON    `json:"end,omitempty"`
}

// endJSON is the last record of a run that came to its end.
type endJSON struct {
	Launches int `json:"launches"` // in the file
}

// kernelJSON precedes the first launch of a kernel. Its number is its position among the kernels.
type kernelJSON struct {
	Name      string   `json:"name"`
	Arch      string   `json:"arch"`
	Registers int      `json:"registers"`
	Shared    int      `json:"shared"`
	Local     int      `json:"local"`
	Hash      string   `json:"hash"`
	Code      wordList `json:"code"` // the words of each instruction, in hexadecimal
	Text      unread   `json:"text"` // disassembled
	// Source has the lines that the code is made of.
	Source source.Table `json:"source,omitempty"`
}

// launchJSON is one launch.
type launchJSON struct {
	Kernel       int              `json:"kernel"`
	Number       *int             `json:"number"`           // nil in older files, which have all launches in order
	Policy       string           `json:"policy,omitempty"` // unless it is the head's
	Device       string           `json:"device"`
	Grid         [2]int           `json:"grid"`
	Block        [3]int           `json:"block"`
	Shared       int              `json:"shared"`
	Waves        int              `json:"waves"`
	Seconds      float64          `json:"seconds"`
	Reference    bool             `json:"reference_order"`
	Plan         string           `json:"plan"`
	Error        string           `json:"error,omitempty"`
	Incomplete   bool             `json:"incomplete,omitempty"`
	InStep       string           `json:"in_step,omitempty"`
	Overrun      string           `json:"overrun,omitempty"`
	MostPaths    int              `json:"most_paths"`
	DeepestStack int              `json:"deepest_stack"`
	ActiveLanes  [33]uint64       `json:"active_lanes"`
	JoinAtLanes  [33]uint64       `json:"joinat_lanes"`
	BCC          [5]uint64        `json:"bcc"`
	QuadBCC      [9]uint64        `json:"bcc_quads"`
	SCC          [5]uint64        `json:"scc"`
	Counts       counters[uint64] `json:"counts"`

	// Instructions holds, by counter name, one number per instruction. A counter that is 0
	// everywhere is omitted.
	Instructions counters[column] `json:"instructions,omitempty"`

	// Lanes holds, per instruction, its issues by active lanes: a number of lanes, its issues, and
	// so on, fewest lanes first.
	Lanes histograms `json:"instruction_lanes,omitempty"`
}

func (r *Run) head() headJSON {
	devices := r.Devices
	if devices == nil {
		devices = []string{}
	}
	return headJSON{Format: Format, Version: Version, Program: r.Program, Devices: devices, Policy: r.Policy, Workers: r.Workers, SIMD: r.SIMD, Marked: true}
}

func (h *headJSON) run() *Run {
	return &Run{Program: h.Program, Devices: h.Devices, Policy: h.Policy, Workers: h.Workers, SIMD: h.SIMD}
}

func (k *Kernel) record() *kernelJSON {
	j := &kernelJSON{Name: k.Name, Arch: k.Arch.String(), Registers: k.Registers, Shared: k.Shared, Local: k.Local, Hash: k.Hash, Code: wordList{}, Text: unread{}, Source: k.Source}
	for i := range k.Code {
		in := &k.Code[i]
		words := fmt.Sprintf("%08x", in.Raw[0])
		if in.Size == 8 {
			words += fmt.Sprintf("%08x", in.Raw[1])
		}
		j.Code = append(j.Code, words)
		j.Text = append(j.Text, in.String())
	}
	return j
}

// kernel converts a record. It decodes the code again.
func (j *kernelJSON) kernel() (*Kernel, error) {
	arch, err := tesla.ParseArch(j.Arch)
	if err != nil {
		return nil, err
	}
	if err := j.check(arch); err != nil {
		return nil, err
	}
	raw, err := hex.DecodeString(strings.Join(j.Code, ""))
	if err != nil || len(raw)%4 != 0 {
		return nil, fmt.Errorf("the code of kernel %q is not made of words", j.Name)
	}
	var words []uint32
	for ; len(raw) > 0; raw = raw[4:] {
		words = append(words, binary.BigEndian.Uint32(raw))
	}
	k := &Kernel{Name: j.Name, Arch: arch, Registers: j.Registers, Shared: j.Shared, Local: j.Local, Code: decoder.Kernel(arch, words)}
	if len(k.Code) != len(j.Code) {
		return nil, fmt.Errorf("the code of kernel %q has %d instructions, not %d", j.Name, len(k.Code), len(j.Code))
	}
	if k.index(); k.Hash != j.Hash {
		return nil, fmt.Errorf("the code of kernel %q is not the one that was hashed", j.Name)
	}
	if k.Source = j.Source; k.Source != nil && len(k.Source) != len(k.Code) {
		return nil, fmt.Errorf("the lines of kernel %q are those of %d instructions, not %d", j.Name, len(k.Source), len(k.Code))
	}
	return k, nil
}

func (l *Launch) record() *launchJSON {
	s := &l.Stats
	j := &launchJSON{
		Kernel: l.Kernel.Number, Number: &l.Number, Device: l.Device, Grid: s.Grid, Block: s.Block, Shared: l.Shared, Waves: s.Waves,
		Seconds: s.Elapsed.Seconds(), Reference: s.Plan.Reference, Plan: s.Plan.Reason,
		Error: cut(l.Error), Incomplete: s.Incomplete, InStep: cut(l.InStep), Overrun: cut(l.Overrun), MostPaths: s.MostPaths, DeepestStack: s.DeepestStack,
		ActiveLanes: s.Active, JoinAtLanes: s.JoinAts, BCC: s.BCC, QuadBCC: s.QuadBCC, SCC: s.SCC, Counts: counters[uint64]{},
	}
	for _, c := range Columns() {
		j.Counts[c.Name] = *c.Of(s)
	}
	for _, c := range InstructionColumns() {
		if list := columnOf(s.ByInstruction, c.Of); list != nil {
			if j.Instructions == nil {
				j.Instructions = counters[column]{}
			}
			j.Instructions[c.Name] = list
		}
	}
	for i := range s.ByInstruction {
		j.Lanes = append(j.Lanes, sparse(&s.ByInstruction[i].Active))
	}
	return j
}

// cut shortens a message to the limit of a reader.
func cut(message string) string {
	return strings.ToValidUTF8(message[:min(len(message), mostString)], "")
}

// sparse returns the non-zero entries of a histogram: indices and values alternate.
func sparse(h *[33]uint64) []uint64 {
	list := []uint64{}
	for n, v := range h {
		if v != 0 {
			list = append(list, uint64(n), v)
		}
	}
	return list
}

// dense is the inverse of sparse. It reports false if list is no sparse histogram.
func dense(h *[33]uint64, list []uint64) bool {
	for ; len(list) >= 2; list = list[2:] {
		if list[0] >= uint64(len(h)) {
			return false
		}
		h[list[0]] = list[1]
	}
	return len(list) == 0
}

// columnOf returns a counter of every instruction, nil if all are 0.
func columnOf(rows []simt.InstructionStats, of func(*simt.InstructionStats) *uint64) []uint64 {
	var list []uint64
	for i := range rows {
		if v := *of(&rows[i]); v != 0 {
			if list == nil {
				list = make([]uint64, len(rows))
			}
			list[i] = v
		}
	}
	return list
}

// launch converts a record; it ignores counters that this version does not know.
func (j *launchJSON) launch(k *Kernel) (*Launch, error) {
	if err := j.check(k.Arch); err != nil {
		return nil, err
	}
	l := &Launch{Kernel: k, Policy: j.Policy, Device: j.Device, Shared: j.Shared, Error: j.Error, InStep: j.InStep, Overrun: j.Overrun}
	s := &l.Stats
	*s = simt.Stats{
		Kernel: k.Name, Grid: j.Grid, Block: j.Block, Waves: j.Waves, Plan: simt.Plan{Reference: j.Reference, Reason: j.Plan},
		Elapsed: time.Duration(j.Seconds * float64(time.Second)), Incomplete: j.Incomplete,
		MostPaths: j.MostPaths, DeepestStack: j.DeepestStack, Active: j.ActiveLanes, JoinAts: j.JoinAtLanes, BCC: j.BCC, QuadBCC: j.QuadBCC, SCC: j.SCC,
	}
	for _, c := range Columns() {
		*c.Of(s) = j.Counts[c.Name]
	}
	if j.Instructions == nil && j.Lanes == nil {
		return l, nil
	}
	s.ByInstruction = make([]simt.InstructionStats, len(k.Code))
	for i := range s.ByInstruction {
		s.ByInstruction[i].PC = k.PCs[i]
	}
	for _, c := range InstructionColumns() {
		list, ok := j.Instructions[c.Name]
		if !ok {
			continue
		}
		if len(list) != len(k.Code) {
			return nil, fmt.Errorf("a launch counts %q for %d instructions: kernel %q has %d", c.Name, len(list), k.Name, len(k.Code))
		}
		for i, v := range list {
			*c.Of(&s.ByInstruction[i]) = v
		}
	}
	if len(j.Lanes) != len(k.Code) {
		return nil, fmt.Errorf("a launch counts the lanes of %d instructions: kernel %q has %d", len(j.Lanes), k.Name, len(k.Code))
	}
	for i, list := range j.Lanes {
		if !dense(&s.ByInstruction[i].Active, list) {
			return nil, fmt.Errorf("a launch whose instructions have impossible numbers of lanes: %v", list)
		}
		s.Memory.Add(&s.ByInstruction[i].Memory)
		s.Exactness[k.Code[i].Certainty().Exactness].Add(&s.ByInstruction[i])
	}
	return l, nil
}

// jsonFormat writes the format that Read reads.
type jsonFormat struct {
	policy string // of the head
	tail   int64  // offset of jsonTail, the end of the list
	begun  bool   // the list has a record
	number int    // of launches
	codes  int    // instructions of all kernels so far
}

// jsonTail ends the list of records, and the file.
const jsonTail = "\n]}\n"

func (f *jsonFormat) begin(r *Run) ([]byte, error) {
	head, err := json.Marshal(r.head())
	if err != nil {
		return nil, err
	}
	head = append(head[:len(head)-1], `,"records":[`...)
	f.policy, f.tail = r.Policy, int64(len(head))
	return append(head, jsonTail...), nil
}

func (f *jsonFormat) launch(l *Launch, first bool) (data []byte, at int64, err error) {
	record := l.record()
	if l.Policy != f.policy {
		record.Policy = l.Policy
	}
	records := []recordJSON{{Launch: record}}
	if first {
		if f.codes += len(l.Kernel.Code); len(l.Kernel.Code) > mostCode || f.codes > mostCodes || l.Kernel.Number >= mostKernels {
			return nil, 0, fmt.Errorf("kernel %q has %d instructions: more than a file holds", l.Kernel.Name, len(l.Kernel.Code))
		}
		records = []recordJSON{{Kernel: l.Kernel.record()}, {Launch: record}}
	}
	f.number++
	return f.append(records)
}

// end returns the record that ends the file.
func (f *jsonFormat) end() (data []byte, at int64, err error) {
	return f.append([]recordJSON{{End: &endJSON{f.number}}})
}

// append returns records with the end of the list, and the offset to write them at.
func (f *jsonFormat) append(records []recordJSON) (data []byte, at int64, err error) {
	for i := range records {
		text, err := json.Marshal(&records[i])
		if err != nil {
			return nil, 0, err
		}
		if f.begun {
			data = append(data, ',')
		}
		f.begun = true
		data = append(append(data, '\n'), text...)
	}
	at = f.tail
	f.tail += int64(len(data))
	return append(data, jsonTail...), at, nil
}
