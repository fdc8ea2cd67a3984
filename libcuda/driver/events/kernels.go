package events

// Kernel sums up the launches of one kernel.
type Kernel struct {
	Name               string
	Launches           int
	Failed             int
	WarpInstructions   uint64
	ThreadInstructions uint64
	AverageLanes       float64 // active lanes per warp-instruction, over all launches
	Exactness          Exactness
	Seconds            float64
	InStep             string   // of the first launch with one
	Overrun            string   // of the first launch with one
	MissedBarriers     []string // of the first launch with some
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

func (k *Kernel) add(e *Launch) {
	k.Launches++
	if !e.Succeeded() {
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
	if len(k.MissedBarriers) == 0 {
		k.MissedBarriers = e.MissedBarriers
	}
	k.Exactness.Add(e.Exactness)
}
