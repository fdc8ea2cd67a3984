package bench

import (
	"slices"
	"time"

	"jacquard/simt"
)

// Bench is a workload ready to launch.
type Bench struct {
	launch   simt.Launch
	launches int      // of a measurement
	buffers  [][]byte // device memory, by buffer parameter
}

// Result is one measurement: the fastest of several launches of a workload. Other load on the
// machine can only make a launch slower.
type Result struct {
	Kernel  string `json:"kernel"`          // name of a kernel or of a class of instructions
	Class   bool   `json:"class,omitempty"` // Kernel names a class
	SIMD    string `json:"simd"`            // vector instructions of the host: off, avx2 or avx512
	Workers int    `json:"workers"`         // host cores
	// With names the difference from a plain launch with statistics; see Costs.
	With string `json:"with,omitempty"`
	// Relative is the median of a launch's time divided by the time of the plain launch before it.
	Relative                    float64 `json:"relative,omitempty"`
	Launches                    int     `json:"launches"`
	WarpInstructions            uint64  `json:"warp_instructions"`
	ThreadInstructions          uint64  `json:"thread_instructions"`
	Seconds                     float64 `json:"seconds"`
	WarpInstructionsPerSecond   float64 `json:"warp_instructions_per_second"`
	ThreadInstructionsPerSecond float64 `json:"thread_instructions_per_second"` // lane operations
	// Counting is the median of a launch's time divided by the time of the next, without
	// statistics.
	Counting    float64 `json:"counting,omitempty"`
	DeviceBytes uint64  `json:"device_bytes"` // memory of the kernel's buffers
	// PeakBytes is the peak memory of this process meanwhile, 0 if the host does not report it.
	PeakBytes   uint64 `json:"peak_bytes,omitempty"`
	*Comparison        // nil without a C compiler
}

// Nanoseconds returns the time per warp-instruction.
func (r *Result) Nanoseconds() float64 { return r.Seconds * 1e9 / float64(r.WarpInstructions) }

// leastLaunches is the least number of launches, however long they last.
const leastLaunches = 5

// Run launches the workload with that many workers (0 means all cores): once to warm up, then until
// d is over. It returns the fastest launch. Every second launch has no statistics, and serves to
// measure the cost of statistics.
func (b *Bench) Run(workers int, d time.Duration) (*Result, error) {
	l := b.launch
	l.Workers = Workers(workers)
	resetPeak()
	if _, err := b.run(&l); err != nil {
		return nil, err
	}
	var f fastest
	var counting ratios
	for start := time.Now(); f.n < leastLaunches || time.Since(start) < d; {
		l.NoStats = false
		s, err := b.run(&l)
		if err != nil {
			return nil, err
		}
		f.add(s)
		l.NoStats = true
		uncounted, err := b.run(&l)
		if err != nil {
			return nil, err
		}
		counting.add(s, uncounted)
	}
	r := b.result(&f)
	r.Workers, r.PeakBytes, r.Counting = l.Workers, peak(), counting.median()
	return r, nil
}

// run launches l as often as a measurement asks. The time and the instructions cover all launches,
// and the time between them.
func (b *Bench) run(l *simt.Launch) (*simt.Stats, error) {
	if b.launches == 1 {
		return simt.Run(l)
	}
	var s *simt.Stats
	var err error
	start := time.Now()
	for range b.launches {
		if s, err = simt.Run(l); err != nil {
			return nil, err
		}
		l.Reuse = s // as the driver does
	}
	l.Reuse = nil
	s.Elapsed = time.Since(start)
	s.WarpInstructions *= uint64(b.launches)
	s.ThreadInstructions *= uint64(b.launches)
	return s, nil
}

// ratios are ratios of the times of neighbouring launches. A clock that changes, or another
// program, affects both launches, or few of them.
type ratios []float64

func (r *ratios) add(s, to *simt.Stats) { *r = append(*r, s.Elapsed.Seconds()/to.Elapsed.Seconds()) }

func (r ratios) median() float64 {
	slices.Sort(r)
	return r[len(r)/2]
}

// fastest is the fastest of n launches. The statistics of the others are dropped: they would add to
// the peak memory.
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

// result makes the Result of the fastest launch.
func (b *Bench) result(f *fastest) *Result {
	best := f.stats
	seconds := best.Elapsed.Seconds()
	r := &Result{
		Kernel:                      best.Kernel,
		SIMD:                        b.launch.Program.SIMD(),
		Launches:                    f.n * b.launches,
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
