package study

import (
	"math/big"
	"path/filepath"
	"sort"
	"time"
)

// Study is a matrix of runs.
type Study struct {
	Name  string
	Path  string        // of the file, absolute
	Limit time.Duration // that a cell may take; 0 is no limit
	Keep  Keep

	runs  []*run
	ends  []int // number of the cell after the last one, by run
	files []string
}

// Keep says which results of a cell are kept, besides its counters.
type Keep struct {
	Digests    bool   `json:"digests,omitempty"`    // of device memory after every launch, to compare cells
	Output     bool   `json:"output,omitempty"`     // logs of cells that passed, too
	Statistics bool   `json:"statistics,omitempty"` // counters of every instruction
	Counts     string `json:"counts,omitempty"`     // further counts in the statistics: tags, costs or tags:costs
	Trace      string `json:"trace,omitempty"`      // options of a trace, TraceAll for one of everything, "" for none
}

// TraceAll is the Keep.Trace of a trace without options.
const TraceAll = "all"

// run is what varies along axes: one file under many settings.
type run struct {
	cell  Cell // without what varies
	axes  []axis
	files []string // absolute paths of the files it runs and reads, as far as the study names them
}

// axis is a parameter with its values.
type axis struct {
	values int
	set    func(c *Cell, i int)
}

// size returns the number of cells.
func (r *run) size() int {
	n := 1
	for i := range r.axes {
		n *= r.axes[i].values
	}
	return n
}

// Dir returns the folder of the study file, from which files are named and cells run.
func (s *Study) Dir() string { return filepath.Dir(s.Path) }

// Len returns the number of cells.
func (s *Study) Len() int {
	if len(s.ends) == 0 {
		return 0
	}
	return s.ends[len(s.ends)-1]
}

// Cell makes the cell of number i, from 0 to Len()-1. Cells of one file are neighbours; the policy
// changes fastest.
func (s *Study) Cell(i int) *Cell {
	at := sort.SearchInts(s.ends, i+1)
	r := s.runs[at]
	if at > 0 {
		i -= s.ends[at-1]
	}
	c := r.cell
	c.Knobs, c.Environment = map[string]string{}, map[string]string{}
	for k := len(r.axes) - 1; k >= 0; k-- {
		a := &r.axes[k]
		a.set(&c, i%a.values)
		i /= a.values
	}
	c.Limit = s.Limit.Seconds()
	c.Name = c.name()
	return &c
}

// Files returns the absolute paths of the study's subjects: programs, cubins, tests with their
// builds, and bundles. The files that fill the buffers of kernels, or are compared with them, are
// among the paths, unless a cell writes them. The study does not know which files a program reads.
func (s *Study) Files() []string { return s.files }

// mostCells is the most cells of a study. All of their names are compared, and each has a file.
const mostCells = 1_000_000

// cells returns the number of cells with one more run, however large.
func (s *Study) cells(more *run) *big.Int {
	n := big.NewInt(1)
	for i := range more.axes {
		n.Mul(n, big.NewInt(int64(more.axes[i].values)))
	}
	return n.Add(n, big.NewInt(int64(s.Len())))
}

// add adds a run.
func (s *Study) add(r *run) {
	s.runs = append(s.runs, r)
	s.ends = append(s.ends, s.Len()+r.size())
	s.files = append(s.files, r.files...)
}

// unique refuses a study that has a cell twice: the second would never be run.
func (s *Study) unique(in *source) error {
	seen := make(map[string]struct{}, s.Len())
	for i := range s.Len() {
		c := s.Cell(i)
		if _, twice := seen[c.Name]; twice {
			return in.wrong("", "cell %s is in the study twice: %s", c.Name, c.Line())
		}
		seen[c.Name] = struct{}{}
	}
	return nil
}
