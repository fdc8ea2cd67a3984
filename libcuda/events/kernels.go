package events

import "jacquard/libcuda/driver"

// Kernel sums up the launches of one kernel.
type Kernel struct {
	Name               string
	Launches           int
	Failed             int
	WarpInstructions   uint64
	ThreadInstructions uint64
	AverageLanes       float64 // active lanes a warp-instruction, over all launches
	Exactness          driver.Exactness
	Seconds            float64
	InStep             string // where it relies on the lanes of a warp running in step; of the first launch found to
	Overrun            string // the first access beyond an allocation, of the first launch with one
}

// Kernels sums up the launches by kernel, in the order of their first launch.
func (r *Record) Kernels() []Kernel {
	var kernels []Kernel
	at := map[string]int{}
	for _, e := range r.Launches {
		i, ok := at[e.Kernel]
		if !ok {
			i = len(kernels)
			at[e.Kernel] = i
			kernels = append(kernels, Kernel{Name: e.Kernel})
		}
		kernels[i].add(&e)
	}
	return kernels
}

func (k *Kernel) add(e *driver.LaunchEvent) {
	k.Launches++
	if e.Result != driver.Success.Error() {
		k.Failed++
	}
	lanes := k.AverageLanes*float64(k.WarpInstructions) + e.AverageActiveLanes*float64(e.WarpInstructions)
	k.WarpInstructions += e.WarpInstructions
	k.ThreadInstructions += e.ThreadInstructions
	if k.WarpInstructions > 0 {
		k.AverageLanes = lanes / float64(k.WarpInstructions)
	}
	k.Seconds += e.Seconds
	if k.InStep == "" {
		k.InStep = e.InStep
	}
	if k.Overrun == "" {
		k.Overrun = e.Overrun
	}
	AddExactness(&k.Exactness, e.Exactness)
}

// AddExactness adds what a launch executed to sum.
func AddExactness(sum *driver.Exactness, e driver.Exactness) {
	add(&sum.Verified, e.Verified)
	add(&sum.Documented, e.Documented)
	add(&sum.Unverified, e.Unverified)
}

func add(sum *driver.Executed, e driver.Executed) {
	sum.WarpInstructions += e.WarpInstructions
	sum.ThreadInstructions += e.ThreadInstructions
}
