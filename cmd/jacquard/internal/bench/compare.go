package bench

import (
	"fmt"

	"jacquard/cmd/jacquard/internal/host"
)

// Comparison sets a result against what the host does without a simulator.
type Comparison struct {
	HostAddNS float64 `json:"host_add_ns"` // a 32-lane integer add in C, with all vector instructions
	HostAdds  float64 `json:"host_adds"`   // a warp-instruction's time, in these adds
	CSeconds  float64 `json:"c_seconds"`   // the same algorithm in plain C on one core
	Slowdown  float64 `json:"slowdown"`    // against that
}

// Compare times the workload's algorithm in C and returns how r, its result here, compares.
// add is the host's add, in nanoseconds.
func (w *Workload) Compare(h *host.Host, add float64, r *Result) (*Comparison, error) {
	seconds, _, err := w.runOn(h)
	if err != nil {
		return nil, err
	}
	return &Comparison{
		HostAddNS: add,
		HostAdds:  r.Seconds * 1e9 / float64(r.WarpInstructions) / add,
		CSeconds:  seconds,
		Slowdown:  r.Seconds / seconds,
	}, nil
}

// runOn runs the workload's algorithm in C and returns the buffers it leaves.
func (w *Workload) runOn(h *host.Host) (seconds float64, buffers [][]byte, err error) {
	var given [][]byte
	var values []uint32
	for _, p := range w.params {
		if p.buffer == nil {
			values = append(values, p.value)
			continue
		}
		given = append(given, bytesOf(p.buffer))
	}
	seconds, buffers, err = h.Run(w.Name, given, values)
	if err == nil && seconds <= 0 {
		err = fmt.Errorf("%s on the host: too quick for its clock", w.Name)
	}
	return seconds, buffers, err
}
