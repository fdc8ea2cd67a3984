package playground

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"jacquard/libcuda/driver/knobs"
	"jacquard/libcuda/driver/sinks"
	"jacquard/observe/findings"
	"jacquard/observe/player"
	"jacquard/observe/stats"
	"jacquard/observe/trace"
	"jacquard/simt"
	"jacquard/simt/check"
	"jacquard/study/kerneltest"
	"jacquard/study/launch"
)

// Run is the outcome of a launch under one policy.
type Run struct {
	Policy   string   `json:"policy"`
	Error    string   `json:"error,omitempty"`
	Fault    string   `json:"fault,omitempty"`   // its kind, if the launch faulted
	Printed  string   `json:"printed,omitempty"` // by printf
	Notes    []string `json:"notes,omitempty"`
	Found    []Found  `json:"found,omitempty"` // mistakes of the kernel, errors first
	Seconds  float64  `json:"seconds"`
	Memory   []Buffer `json:"memory"`
	Counters Counters `json:"counters"`
	Lanes    float64  `json:"lanes"` // mean active lanes of an issue
	// Transactions counts transactions of device memory, by the rule of the code's architecture.
	Transactions uint64  `json:"transactions"`
	Code         []Line  `json:"code"`
	Each         []Count `json:"each"` // by instruction of Code
}

// Found is a mistake of the kernel.
type Found struct {
	Level check.Level `json:"level"`
	Text  string      `json:"text"`  // a block of lines
	Lines []int       `json:"lines"` // of the kernel's text, that of the mistake first
}

// Counters holds the counters of the launch, by the names of statistics files.
type Counters map[string]uint64

// Count has the counters of one instruction.
type Count struct {
	Counters Counters `json:"counters"` // without zeros, by the names of statistics files
	Lanes    float64  `json:"lanes"`    // mean active lanes of its issues
}

// Buffer is a buffer after the launch.
type Buffer struct {
	Name     string `json:"name"`
	Bytes    []byte `json:"bytes"`
	Mismatch string `json:"mismatch,omitempty"` // why it differs from the test's expectation
	Judged   bool   `json:"judged"`             // the test expects something
}

// settings returns the knobs of a launch under a policy. One worker runs: a browser has no other.
func (s *State) settings(policy string) knobs.Settings {
	k := knobs.Settings{Policy: policy, Device: s.Device, Watchdog: strconv.FormatUint(s.Limit, 10), Log: "error", Workers: "1"}
	if s.Checks {
		k.Check = check.OfLaunch.String()
	}
	return k
}

// Run runs the kernel under one policy. The error says why there was no launch; a launch that faults
// is a Run with an error. When ctx ends, the launch does.
func (s *State) Run(ctx context.Context, policy string) (*Run, error) {
	j, _, err := s.job()
	if err != nil {
		return nil, err
	}
	seen := &launched{}
	var printed bytes.Buffer
	j.Sinks, j.Stdout, j.Stderr = []sinks.Sink{seen}, &printed, &printed
	log := taker{Writer: io.Discard}
	result, err := launch.Run(ctx, s.settings(policy), j, &log)
	r := &Run{Policy: policy, Printed: printed.String(), Memory: []Buffer{}}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		r.Error = err.Error()
	}
	seen.count(r)
	if log.report != nil {
		r.Found = s.found(log.report)
	}
	if result != nil {
		s.judge(r, result)
	}
	return r, nil
}

// taker is a log that takes a report.
type taker struct {
	io.Writer
	report *findings.Report
}

// Found takes a report.
func (t *taker) Found(r *findings.Report) { t.report = r }

// found lists mistakes with the lines of the text.
func (s *State) found(r *findings.Report) []Found {
	list := []Found{}
	text := findings.Text{Sources: findings.Sources{Open: func(string) ([]byte, error) { return []byte(s.Text), nil }}}
	for _, level := range []check.Level{check.Error, check.Note} {
		for i := range r.Findings {
			f := &r.Findings[i]
			if f.Level != level {
				continue
			}
			one := Found{Level: level, Text: text.Finding(f), Lines: []int{}}
			for _, at := range append([]check.Site{f.At}, f.With...) {
				if u, ok := at.User(); ok && !slices.Contains(one.Lines, u.Line) {
					one.Lines = append(one.Lines, u.Line)
				}
			}
			list = append(list, one)
		}
	}
	return list
}

// launched is told of a launch and keeps its counters.
type launched struct {
	kernel *stats.Kernel
	launch *sinks.Launch
}

// Begin keeps the launch.
func (s *launched) Begin(l *sinks.Launch) (end func()) {
	s.kernel, s.launch = stats.Describe(&l.Request.Program.Kernel), l
	return func() {}
}

// count fills in the counters of the launch.
func (s *launched) count(r *Run) {
	if s.launch == nil {
		return
	}
	if fault, ok := errors.AsType[*simt.Fault](s.launch.Err); ok {
		r.Fault = fault.Kind.String()
	}
	if s.launch.Stats == nil {
		return
	}
	st := s.launch.Stats
	r.Counters, r.Lanes, r.Seconds, r.Code = Counters{}, st.AverageLanes(), st.Elapsed.Seconds(), lines(s.kernel)
	for _, c := range stats.Columns() {
		r.Counters[c.Name] = *c.Of(st)
	}
	for i := range st.ByInstruction {
		in := &st.ByInstruction[i]
		c := Count{Counters: Counters{}}
		for _, column := range stats.InstructionColumns() {
			if v := *column.Of(in); v != 0 {
				c.Counters[column.Name] = v
			}
		}
		if in.Issues > 0 {
			var lanes uint64
			for n, issues := range in.Active {
				lanes += uint64(n) * issues
			}
			c.Lanes = float64(lanes) / float64(in.Issues)
		}
		r.Each = append(r.Each, c)
	}
}

// judge fills in the memory after a launch that succeeded.
func (s *State) judge(r *Run, result *launch.Result) {
	l := &result.Launch
	r.Transactions = l.Transactions
	r.Notes = append(r.Notes, l.Notes()...)
	for i := range s.Test.Params {
		p := &s.Test.Params[i]
		if !p.Buffer {
			continue
		}
		b := Buffer{Name: p.Name, Bytes: result.Buffers[p.Name], Judged: p.Compare != kerneltest.Any}
		if err := kerneltest.Compare(p, b.Bytes); err != nil {
			b.Mismatch = err.Error()
		}
		r.Memory = append(r.Memory, b)
	}
}

// Play returns the page that plays the first block under each of the policies, or the trace of s.
// Policies that refuse the kernel are left out.
func (s *State) Play(ctx context.Context) (string, error) {
	if s.Trace != "" {
		data, err := s.bytes()
		if err != nil {
			return "", err
		}
		return played(s.Steps, "trace", [][]byte{data})
	}
	if len(s.Policies) > MostPolicies {
		return "", fmt.Errorf("%d policies: a page plays up to %d", len(s.Policies), MostPolicies)
	}
	var files [][]byte
	var failed error // of the last launch that failed
	for _, policy := range s.Policies {
		data, fault, err := s.record(ctx, policy)
		if err != nil {
			return "", err
		}
		if fault != nil {
			failed = fault
		}
		files = append(files, data)
	}
	page, err := played(s.Steps, s.Test.Name, files)
	if errors.Is(err, errNoStep) && failed != nil {
		return "", fmt.Errorf("%w: %w", errNoStep, failed)
	}
	return page, err
}

// record runs the kernel and returns the trace of its first steps. A launch that fails has a trace,
// too; fault is why it did.
func (s *State) record(ctx context.Context, policy string) (data []byte, fault, err error) {
	j, _, err := s.job()
	if err != nil {
		return nil, nil, err
	}
	var out bytes.Buffer
	recorder, err := trace.NewRecorder(&out, trace.Options{
		Values: trace.Values{Registers: true, Addresses: true, Data: true, States: true},
		Filter: trace.Filter{Blocks: []trace.Range{{}}, First: uint64(s.Steps)},
	}, nil)
	if err != nil {
		return nil, nil, err
	}
	j.Sinks, j.Stdout, j.Stderr = []sinks.Sink{tracing{recorder}}, io.Discard, io.Discard
	_, fault = launch.Run(ctx, s.settings(policy), j, io.Discard)
	if err := recorder.Close(); err != nil {
		return nil, nil, err
	}
	if ctx.Err() != nil {
		return nil, nil, fault
	}
	return out.Bytes(), fault, nil
}

// tracing attaches a trace's recorder to a launch.
type tracing struct{ *trace.Recorder }

// Begin attaches the recorder.
func (t tracing) Begin(l *sinks.Launch) (end func()) {
	record := t.Attach(&l.Request, l.Device, l.Number)
	return func() { record(l.Err) }
}

var errNoStep = errors.New("no step was recorded")

// played returns the page that plays traces; traces without a step are left out.
func played(steps int, title string, files [][]byte) (string, error) {
	var runs []player.Run
	for _, data := range files {
		f, err := trace.NewFile(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return "", err
		}
		if len(f.Launches) > 0 && f.Launches[0].Count > 0 {
			runs = append(runs, player.Run{File: f, Filter: &trace.Filter{}})
		}
	}
	if len(runs) == 0 {
		return "", errNoStep
	}
	var page strings.Builder
	if err := player.Write(&page, title, steps, runs); err != nil {
		return "", err
	}
	return page.String(), nil
}
