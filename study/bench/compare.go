package bench

import (
	"errors"
	"fmt"

	"jacquard/study/bench/host"
)

// Comparison compares a result with the host without a simulator. The times of host operations are
// for 32 lanes, in C with all vector instructions.
type Comparison struct {
	HostAddNS float64 `json:"host_add_ns"` // a 32-bit integer add
	HostMadNS float64 `json:"host_mad_ns"` // the machine's f32 multiply-add, bit-exact
	HostSFUNS float64 `json:"host_sfu_ns"` // its reciprocal, bit-exact
	HostAdds  float64 `json:"host_adds"`   // time of a warp-instruction, in host adds

	// HostNS is the time of a class's host operation, without vector instructions if the simulator
	// uses none.
	HostNS  float64 `json:"host_ns,omitempty"`
	HostOps float64 `json:"host_times,omitempty"` // time of a warp-instruction, in HostNS

	// CSeconds is for a kernel: the time of the algorithm in plain C on one core.
	CSeconds float64 `json:"c_seconds,omitempty"`
	Slowdown float64 `json:"slowdown,omitempty"` // time of a launch, in CSeconds

	// operation is the operation of package host that HostNS measures, "" for none.
	operation string
}

// Rival is the host without a simulator.
type Rival struct {
	host    *host.Host // nil without a C compiler
	ops     map[string]host.Operation
	seconds map[string]float64 // by kernel, once timed

	compared []*Result

	// Why is the reason for having nothing to compare with, nil if there is none.
	Why error
}

// Rounds of timing the host's operations: many at first, a few now and then. The least time applies
// to all results, earlier and later.
const (
	firstRounds = 60
	laterRounds = 10
)

// NewRival compiles and times the host's operations. Without a C compiler it returns a rival that
// compares nothing. The caller closes it.
func NewRival() (*Rival, error) {
	h, err := host.Build()
	if e := (*host.CompilerError)(nil); errors.As(err, &e) {
		return &Rival{Why: e}, nil
	}
	if err != nil {
		return nil, err
	}
	v := &Rival{host: h, ops: map[string]host.Operation{}, seconds: map[string]float64{}}
	if err := v.time(firstRounds); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return v, nil
}

// time times the host's operations and keeps the least time of each.
func (v *Rival) time(rounds int) error {
	ops, err := v.host.Operations(rounds)
	if err != nil {
		return err
	}
	for _, o := range ops {
		if known, ok := v.ops[o.Name]; ok {
			o.Fastest, o.Plain = min(o.Fastest, known.Fastest), min(o.Plain, known.Plain)
		}
		v.ops[o.Name] = o
	}
	return nil
}

// Again times the host's operations again, for later comparisons and for Settle.
func (v *Rival) Again() error {
	if v.host == nil {
		return nil
	}
	return v.time(laterRounds)
}

// Settle compares all earlier results with the least times so far.
func (v *Rival) Settle() {
	for _, r := range v.compared {
		v.settle(r)
	}
}

// Close deletes what NewRival compiled.
func (v *Rival) Close() error {
	if v.host == nil {
		return nil
	}
	return v.host.Close()
}

// compare gives r the comparison c, and completes c with the times of the host's operations.
func (v *Rival) compare(r *Result, c *Comparison) {
	r.Comparison = c
	v.compared = append(v.compared, r)
	v.settle(r)
}

// settle updates r's comparison with the times of the host's operations.
func (v *Rival) settle(r *Result) {
	c := r.Comparison
	c.HostAddNS, c.HostMadNS, c.HostSFUNS = v.ops[host.Add].Fastest, v.ops[host.Mad].Fastest, v.ops[host.SFU].Fastest
	c.HostAdds = r.Nanoseconds() / c.HostAddNS
	o, ok := v.ops[c.operation]
	if !ok {
		return
	}
	c.HostNS = o.Fastest
	if r.SIMD == "off" {
		c.HostNS = o.Plain
	}
	c.HostOps = r.Nanoseconds() / c.HostNS
}

// Compare compares a result of the workload with the host, and with the same algorithm in C if there
// is one.
func (v *Rival) Compare(w *Workload, r *Result) error {
	if v.host == nil {
		return nil
	}
	v.compare(r, &Comparison{})
	if w.small {
		return nil
	}
	if _, known := v.seconds[w.Name]; !known {
		s, _, err := w.runOn(v.host)
		if err != nil {
			return err
		}
		v.seconds[w.Name] = s
	}
	r.CSeconds = v.seconds[w.Name]
	r.Slowdown = r.Seconds / r.CSeconds
	return nil
}

// CompareClass compares a result of the class with the host's operation.
func (v *Rival) CompareClass(c *Class, r *Result) {
	if v.host != nil {
		v.compare(r, &Comparison{operation: c.host})
	}
}

// runOn runs the workload's algorithm in C and returns its buffers afterwards.
func (w *Workload) runOn(h *host.Host) (seconds float64, buffers [][]byte, err error) {
	var given [][]byte
	var values []uint32
	for _, p := range w.params {
		if p.buffer == nil {
			values = append(values, p.value)
			continue
		}
		given = append(given, bytesOf(p.buffer()))
	}
	seconds, buffers, err = h.Run(w.Name, given, values)
	if err == nil && seconds <= 0 {
		err = fmt.Errorf("%s on the host: too quick for its clock", w.Name)
	}
	return seconds, buffers, err
}
