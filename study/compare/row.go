package compare

import (
	"cmp"

	"jacquard/libcuda/driver/events"
	"jacquard/observe/table"
)

// Outcome is the result of a kernel under a policy.
type Outcome string

// The outcomes.
const (
	// Same: it left the memory of the reference, or is the reference, the first policy that ran it.
	Same    Outcome = "same"
	Differs Outcome = "differs" // it left other memory
	Refused Outcome = "refused" // the policy cannot run it
	Failed  Outcome = "failed"  // it faulted, or the program made other launches
)

// Row is the result of one kernel under one policy.
type Row struct {
	table.Lead
	Outcome Outcome `json:"outcome"`
	Reason  string  `json:"reason,omitempty"` // of every outcome but Same

	// Diagnosis names code that relies on the lanes of a warp running in lockstep, which may
	// explain different memory. It is looked for where the policy may run lanes apart.
	Diagnosis string `json:"diagnosis,omitempty"`

	Counts
}

// Good reports whether the row shows no error. A refusal is no error.
func (r *Row) Good() bool { return r.Outcome == Same || r.Outcome == Refused }

// Counts are sums over the launches of a row.
type Counts struct {
	Launches           int    `json:"launches"`
	WarpInstructions   uint64 `json:"warp_instructions"`
	ThreadInstructions uint64 `json:"thread_instructions"`
	Transactions       uint64 `json:"transactions"` // of device memory, by the rule of the kernel's architecture
	events.Divergence
}

// add adds a launch by its number in the run.
func (r *Row) add(e *events.Launch, number int) {
	lead := table.New(cmp.Or(e.Policy, r.Policy), e.Device, e.Arch, e.Kernel, number, e.Grid, e.Block)
	if r.Launches == 0 {
		r.Lead = lead
	} else {
		r.Lead.Merge(&lead)
	}
	r.Counts.Add(e)
	if r.Diagnosis == "" {
		r.Diagnosis = e.InStep
	}
}

// Add adds the counts of a launch.
func (c *Counts) Add(e *events.Launch) {
	c.Merge(&Counts{1, e.WarpInstructions, e.ThreadInstructions, e.Transactions, e.Divergence})
}

// Merge adds the counts of other launches.
func (c *Counts) Merge(o *Counts) {
	c.Launches += o.Launches
	c.WarpInstructions += o.WarpInstructions
	c.ThreadInstructions += o.ThreadInstructions
	c.Transactions += o.Transactions
	d := &o.Divergence
	for i, n := range d.ActiveLanes {
		c.ActiveLanes[i] += n
		c.JoinAtLanes[i] += d.JoinAtLanes[i]
	}
	for i := range d.BCC {
		c.BCC[i] += d.BCC[i]
		c.SCC[i] += d.SCC[i]
	}
	for i := range d.QuadBCC {
		c.QuadBCC[i] += d.QuadBCC[i]
	}
	c.ReissuedJoins += d.ReissuedJoins
	c.Annotations += d.Annotations
	c.Merges += d.Merges
	c.MultipleMerges += d.MultipleMerges
	c.Swaps += d.Swaps
	c.MostPaths = max(c.MostPaths, d.MostPaths)
	c.DeepestStack = max(c.DeepestStack, d.DeepestStack)
	c.PartialBarriers += d.PartialBarriers
	c.PCArbitrations += d.PCArbitrations
	c.MemoryArbitrations += d.MemoryArbitrations
	c.NoArbitrations += d.NoArbitrations
}

// AverageLanes returns the mean number of active lanes per issue, 0 without issues.
func (c *Counts) AverageLanes() float64 { return mean(c.ActiveLanes[:]) }

// AverageLanesWithoutJoinAt is AverageLanes without the issues of joinat.
func (c *Counts) AverageLanesWithoutJoinAt() float64 {
	histogram := c.ActiveLanes
	for i, n := range c.JoinAtLanes {
		histogram[i] -= n
	}
	return mean(histogram[:])
}

// mean returns the mean of a histogram, 0 if it is empty.
func mean(histogram []uint64) float64 {
	var sum, n uint64
	for value, count := range histogram {
		sum += uint64(value) * count
		n += count
	}
	if n == 0 {
		return 0
	}
	return float64(sum) / float64(n)
}

// Agree reports whether rows show no error and every kernel ran under some policy.
func Agree(rows []Row) bool {
	ran := map[string]bool{}
	for i := range rows {
		if !rows[i].Good() {
			return false
		}
		ran[rows[i].Kernel] = ran[rows[i].Kernel] || rows[i].Outcome == Same
	}
	for _, some := range ran {
		if !some {
			return false
		}
	}
	return true
}
