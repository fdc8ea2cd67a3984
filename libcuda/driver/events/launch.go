package events

// Init is the line of a driver that starts. It proves that a program is bound to this driver.
type Init struct {
	Event   string   `json:"event"` // "init"
	PID     int      `json:"pid"`
	Version int      `json:"version"`
	Devices []string `json:"devices"`
	Policy  string   `json:"policy"`
}

// Launch is the line after each launch. Counts are missing if the stats knob is off.
type Launch struct {
	Event              string     `json:"event"` // "launch"
	PID                int        `json:"pid"`
	Number             int        `json:"number"` // in the process, from 0, refused launches included
	Policy             string     `json:"policy"`
	Device             string     `json:"device"` // the model
	Arch               string     `json:"arch"`   // of the code
	Kernel             string     `json:"kernel"`
	Grid               [2]int     `json:"grid"`
	Block              [3]int     `json:"block"`
	WarpInstructions   uint64     `json:"warp_instructions,omitzero"`
	ThreadInstructions uint64     `json:"thread_instructions,omitzero"`
	Transactions       uint64     `json:"transactions,omitzero"` // of device memory, by the rule of the kernel's architecture
	AverageActiveLanes float64    `json:"average_active_lanes,omitzero"`
	Divergence         Divergence `json:"divergence,omitzero"`
	Exactness          Exactness  `json:"exactness,omitzero"`
	// Memory is set if the digest knob is on: the allocations after the launch.
	Memory  []Digest `json:"memory,omitzero"`
	Seconds float64  `json:"seconds"`
	Result  string   `json:"result"` // the name of the CUresult
	// InStep names the place where the kernel relies on the lanes of a warp running in lockstep.
	InStep string `json:"in_step,omitzero"`
	// Overrun is a text about the first access past the end of an allocation.
	Overrun string `json:"overrun,omitzero"`
	// MissedBarriers has a text for each barrier at which a warp arrived without some of its lanes.
	MissedBarriers []string `json:"missed_barriers,omitzero"`
	Message        string   `json:"message,omitzero"` // the reason, unless it is CUDA_SUCCESS
	// Refusal is the reason why the policy cannot run the kernel, or "".
	Refusal string `json:"refusal,omitzero"`
}

// Succeeded reports whether the result is CUDA_SUCCESS.
func (l *Launch) Succeeded() bool { return l.Result == "CUDA_SUCCESS" }

// Notes returns the launch's warnings, which do not mean that it failed.
func (l *Launch) Notes() (list []string) {
	for _, note := range append([]string{l.InStep, l.Overrun}, l.MissedBarriers...) {
		if note != "" {
			list = append(list, note)
		}
	}
	return list
}

// Exactness splits the executed instructions by their certainty.
type Exactness struct {
	Verified   Executed `json:"verified"`
	Documented Executed `json:"documented"`
	Unverified Executed `json:"unverified"`
}

// Add adds the counts of another launch.
func (e *Exactness) Add(o Exactness) {
	e.Verified.add(o.Verified)
	e.Documented.add(o.Documented)
	e.Unverified.add(o.Unverified)
}

// Executed counts instructions.
type Executed struct {
	WarpInstructions   uint64 `json:"warp_instructions"`
	ThreadInstructions uint64 `json:"thread_instructions"`
}

func (e *Executed) add(o Executed) {
	e.WarpInstructions += o.WarpInstructions
	e.ThreadInstructions += o.ThreadInstructions
}

// Divergence counts how lanes of a launch parted and met. docs/statistics.md explains the counts.
type Divergence struct {
	ActiveLanes        [33]uint64 `json:"active_lanes"` // issues by number of lanes
	ReissuedJoins      uint64     `json:"reissued_joins"`
	Annotations        uint64     `json:"annotations"`
	JoinAtLanes        [33]uint64 `json:"joinat_lanes"` // issues of joinat by number of lanes
	Merges             uint64     `json:"merges"`
	MultipleMerges     uint64     `json:"multiple_merges"`
	Swaps              uint64     `json:"swaps"`
	MostPaths          int        `json:"most_paths"`
	DeepestStack       int        `json:"deepest_stack"`
	PartialBarriers    uint64     `json:"partial_barriers"`
	PCArbitrations     uint64     `json:"pc_arbitrations"`
	MemoryArbitrations uint64     `json:"memory_arbitrations"`
	NoArbitrations     uint64     `json:"no_arbitrations"`
	BCC                [5]uint64  `json:"bcc"` // issues by number of slots
	QuadBCC            [9]uint64  `json:"bcc_quads"`
	SCC                [5]uint64  `json:"scc"`
}

// Digest describes the content of one allocation of device memory.
type Digest struct {
	Address uint32 `json:"address"`
	Bytes   int    `json:"bytes"`
	SHA256  string `json:"sha256"` // its first bytes, in hex
}
