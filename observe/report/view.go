package report

import (
	"fmt"
	"html/template"
	"strconv"
)

// kernelView is the data of a kernel's template.
type kernelView struct {
	*Kernel
	ID         string
	Packed     bool // the page has it packed: the script unpacks it when it is shown
	All        *Report
	Exactness  []Split
	Mix        []Split
	Memory     *memory
	Operands   []operands
	Accesses   []spot
	Coded      bool // the page has its code
	Lines      []*line
	Columns    template.CSS // widths of the listing's columns
	Most       [3]float64
	Pictures   []picture
	NoPicture  string // the reason if there are no pictures
	Hottest    []spot
	Branches   []spot
	Divergence divergence
	Counters   []counter
}

// mostHottest is the number of rows of the table of hottest instructions.
const mostHottest = 10

// mostPlain is the number of kernels, most issues first, that the page holds uncompressed. A page
// of many kernels is ten times as large as its text.
const mostPlain = 4

// view prepares k for the page of r; coded selects whether with its code.
func (k *Kernel) view(r *Report, coded bool) *kernelView {
	v := &kernelView{
		Kernel: k, ID: k.ID(), Packed: k.Rank > mostPlain, All: r, Exactness: exactness(k), Mix: mix(k), Memory: memoryOf(k), Operands: operandsOf(k), Accesses: k.accesses(mostHottest), Coded: coded, Most: k.most(),
		Hottest: k.hottest(mostHottest), Branches: k.branches(), Divergence: divergenceOf(&k.Sum), Counters: counters(&k.Sum),
	}
	if coded {
		g := k.flow()
		v.Lines = k.lines(g, r.Text)
		v.Columns = columns(v.Lines)
		v.Pictures, v.NoPicture = k.pictures(g)
	}
	return v
}

// total sums up the parts.
func total(parts []Split) Split {
	var all Split
	for _, p := range parts {
		all.add(p.Issues, p.Threads)
	}
	return all
}

// ActiveLanes returns the mean active lanes of an issue.
func (r *Report) ActiveLanes() float64 { return r.Total.AverageLanes() }

// Exactness splits the executed instructions of all kernels by exactness.
func (r *Report) Exactness() []Split { return exactness(r.Kernels...) }

// Mix splits the executed instructions of all kernels by class.
func (r *Report) Mix() []Split { return mix(r.Kernels...) }

// Memory sums up the memory use of all kernels.
func (r *Report) Memory() *memory { return memoryOf(r.Kernels...) }

// MostIssues returns the most issues of an instruction.
func (v *kernelView) MostIssues() uint64 { return uint64(v.Most[0]) }

// MostCost returns the highest memory cost of an instruction.
func (v *kernelView) MostCost() uint64 { return uint64(v.Most[2]) }

// Apart distinguishes the kernel from others of its name; "" if there are none.
func (k *Kernel) Apart() string {
	if !k.Twin {
		return ""
	}
	return fmt.Sprintf("%v %s", k.Arch, k.Hash)
}

// ID names the kernel's view in the page.
func (k *Kernel) ID() string { return "k" + strconv.Itoa(k.Rank) }

// Divergence describes how lanes of all kernels parted and met.
func (r *Report) Divergence() divergence { return divergenceOf(&r.Total) }

// Counters lists every counter, summed over all launches.
func (r *Report) Counters() []counter { return counters(&r.Total) }

// Sentence describes the run in a few words.
func (r *Report) Sentence() string {
	return plural(r.Count, "launch") + " of " + plural(len(r.Kernels), "kernel")
}

// LaunchCount returns the number of launches.
func (r *Report) LaunchCount() uint64 { return uint64(r.Count) }

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
