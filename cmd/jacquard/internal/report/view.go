package report

import "strconv"

// kernelView is what the template of a kernel is given.
type kernelView struct {
	*Kernel
	ID        string
	All       *Report
	Exactness []Split
	Lines     []*line
	Most      [3]float64
	Pictures  []picture
	NoPicture string // why there are none
	Hottest   []spot
	Branches  []spot
	Counters  []counter
}

// mostHottest is how many instructions the table of the hottest has.
const mostHottest = 10

// view prepares k for the page of r.
func (k *Kernel) view(r *Report) *kernelView {
	g := k.flow()
	v := &kernelView{
		Kernel: k, ID: k.ID(), All: r, Exactness: k.exactness(), Lines: k.lines(g), Most: k.most(),
		Hottest: k.hottest(mostHottest), Branches: k.branches(), Counters: k.counters(),
	}
	v.Pictures, v.NoPicture = k.pictures(g)
	return v
}

// total sums up the parts.
func total(parts []Split) Split {
	var all Split
	for _, p := range parts {
		all.Issues += p.Issues
		all.Threads += p.Threads
	}
	return all
}

// ActiveLanes returns the mean number of active lanes of an issue.
func (r *Report) ActiveLanes() float64 { return r.Total.AverageLanes() }

// Exactness splits what all kernels executed.
func (r *Report) Exactness() []Split {
	var sum []Split
	for _, k := range r.Kernels {
		for i, p := range k.exactness() {
			if len(sum) <= i {
				sum = append(sum, Split{Name: p.Name})
			}
			sum[i].Issues += p.Issues
			sum[i].Threads += p.Threads
		}
	}
	return sum
}

// ID names the kernel's view in the page.
func (k *Kernel) ID() string { return "k" + strconv.Itoa(k.Rank) }

// LaunchCount returns the number of launches.
func (r *Report) LaunchCount() uint64 { return uint64(len(r.Launches)) }

// LaunchCount returns the number of launches of the kernel.
func (k *Kernel) LaunchCount() uint64 { return uint64(k.Launches) }

// Static returns the number of the kernel's instructions.
func (k *Kernel) Static() uint64 { return uint64(len(k.Code)) }

// Reached returns the number of instructions that were issued.
func (k *Kernel) Reached() (n uint64) {
	for i := range k.Sum.ByInstruction {
		if k.Sum.ByInstruction[i].Issues > 0 {
			n++
		}
	}
	return n
}
