package bench

import (
	"slices"
	"time"

	"jacquard/simt"
)

// Bench is a workload ready to be launched.
type Bench struct {
	launch  simt.Launch
	buffers [][]byte // device memory, by buffer parameter
}

// Result is one measurement: the fastest of several launches of a workload. What else the
// machine does can only make a launch slower.
//
// Many fields: each is a member of the JSON that "jacquard bench --json" prints.
type Result struct {
	Kernel                      string  `json:"kernel"`             // or a class of instructions
	Class                       bool    `json:"class,omitempty"`    // it is one
	SIMD                        string  `json:"simd"`               // vector instructions of the host: off, avx2 or avx512
	Workers                     int     `json:"workers"`            // host cores
	With                        string  `json:"with,omitempty"`     // what differs from a plain launch with statistics; see Costs
	Relative                    float64 `json:"relative,omitempty"` // the time of a launch, to that of the plain one before it; the median
	Launches                    int     `json:"launches"`
	WarpInstructions            uint64  `json:"warp_instructions"`
	ThreadInstructions          uint64  `json:"thread_instructions"`
	Seconds                     float64 `json:"seconds"`
	WarpInstructionsPerSecond   float64 `json:"warp_instructions_per_second"`
	ThreadInstructionsPerSecond float64 `json:"thread_instructions_per_second"` // lane operations
	Counting                    float64 `json:"counting,omitempty"`             // the time of a launch, to that of the next, without statistics; the median
	DeviceBytes                 uint64  `json:"device_bytes"`                   // memory that the kernel's buffers take
	PeakBytes                   uint64  `json:"peak_bytes,omitempty"`           // the most this process took meanwhile, 0 if the host does not tell
	*Comparison                         // nil where there is no C compiler
}

// Nanoseconds is what a warp-instruction took.
func (r *Result) Nanoseconds() float64 { return r.Seconds * 1e9 / float64(r.WarpInstructions) }

// leastLaunches is how many launches there are, however long they last.
const leastLaunches = 5

// Run launches the workload with so many workers (0 is all there are), once to warm up, then until
// the time given is over, and answers the fastest launch. Every other launch has no statistics, and
// counts for what these cost.
func (b *Bench) Run(workers int, d time.Duration) (*Result, error) {
	l := b.launch
	l.Workers = Workers(workers)
	resetPeak()
	if _, err := simt.Run(&l); err != nil {
		return nil, err
	}
	var f fastest
	var counting ratios
	for start := time.Now(); f.n < leastLaunches || time.Since(start) < d; {
		l.NoStats = false
		s, err := simt.Run(&l)
		if err != nil {
			return nil, err
		}
		f.add(s)
		l.NoStats = true
		uncounted, err := simt.Run(&l)
		if err != nil {
			return nil, err
		}
		counting.add(s, uncounted)
	}
	r := b.result(&f)
	r.Workers, r.PeakBytes, r.Counting = l.Workers, peak(), counting.median()
	return r, nil
}

// ratios are times of launches, to those of others next to them: a clock that changes, or another
// program, falls on both, or on few of them.
type ratios []float64

func (r *ratios) add(s, to *simt.Stats) { *r = append(*r, s.Elapsed.Seconds()/to.Elapsed.Seconds()) }

func (r ratios) median() float64 {
	slices.Sort(r)
	return r[len(r)/2]
}

// fastest is the fastest of n launches. The others are forgotten: what they counted would be part
// of the peak.
type fastest struct {
	stats *simt.Stats
	n     int
}

func (f *fastest) add(s *simt.Stats) {
	f.n++
	if f.n == 1 || s.Elapsed < f.stats.Elapsed {
		f.stats = s
	}
}

// result describes the fastest of launches.
func (b *Bench) result(f *fastest) *Result {
	best := f.stats
	seconds := best.Elapsed.Seconds()
	r := &Result{
		Kernel:                      best.Kernel,
		SIMD:                        b.launch.Program.SIMD(),
		Launches:                    f.n,
		WarpInstructions:            best.WarpInstructions,
		ThreadInstructions:          best.ThreadInstructions,
		Seconds:                     seconds,
		WarpInstructionsPerSecond:   float64(best.WarpInstructions) / seconds,
		ThreadInstructionsPerSecond: float64(best.ThreadInstructions) / seconds,
	}
	for _, data := range b.buffers {
		r.DeviceBytes += uint64(len(data))
	}
	return r
}
