package sweep

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"

	"jacquard/observe/stats"
	"jacquard/observe/table"
	"jacquard/study"
	"jacquard/study/compare"
)

// Row is a row of the table of cells, or of kernels.
type Row struct {
	Cell    string `parquet:"cell"`
	Subject string `parquet:"subject"`
	table.Lead
	Parameters
	Status  string  `parquet:"status"`
	Reason  string  `parquet:"reason"`
	Exit    int64   `parquet:"exit"`
	Host    string  `parquet:"host"`
	Seconds float64 `parquet:"seconds"`
	Digest  string  `parquet:"digest"`
	Counters
}

// Parameters are the columns that identify a run, without policy and device. Knobs that the study
// does not set are "".
type Parameters struct {
	Kind        string            `parquet:"kind"`
	File        string            `parquet:"file"`
	Options     string            `parquet:"options"`
	Arguments   string            `parquet:"arguments"`
	Build       string            `parquet:"build"`
	Part        string            `parquet:"part"` // launches of a bundle
	Workers     string            `parquet:"workers"`
	Engine      string            `parquet:"engine"`
	Order       string            `parquet:"order"`
	SIMD        string            `parquet:"simd"`
	Memory      string            `parquet:"memory"`
	PTX         string            `parquet:"ptx"`
	Warpsync    string            `parquet:"warpsync"`
	Watchdog    string            `parquet:"watchdog"`
	Environment map[string]string `parquet:"environment"`
}

// Counters are the columns of counters, as docs/statistics.md defines them.
type Counters struct {
	Launches           int64    `parquet:"launches"`
	WarpInstructions   uint64   `parquet:"warp_instructions"`
	ThreadInstructions uint64   `parquet:"thread_instructions"`
	Transactions       uint64   `parquet:"transactions"`
	AverageActiveLanes float64  `parquet:"average_active_lanes"`
	WithoutJoinAt      float64  `parquet:"average_active_lanes_without_joinat"`
	Annotations        uint64   `parquet:"annotations"`
	ReissuedJoins      uint64   `parquet:"reissued_joins"`
	Merges             uint64   `parquet:"merges"`
	MultipleMerges     uint64   `parquet:"multiple_merges"`
	Swaps              uint64   `parquet:"swaps"`
	MostPaths          int64    `parquet:"most_paths"`
	DeepestStack       int64    `parquet:"deepest_stack"`
	PartialBarriers    uint64   `parquet:"partial_barriers"`
	PCArbitrations     uint64   `parquet:"pc_arbitrations"`
	MemoryArbitrations uint64   `parquet:"memory_arbitrations"`
	NoArbitrations     uint64   `parquet:"no_arbitrations"`
	BCC                []uint64 `parquet:"bcc,list"`
	SCC                []uint64 `parquet:"scc,list"`
	QuadBCC            []uint64 `parquet:"bcc_quads,list"`
	ActiveLanes        []uint64 `parquet:"active_lanes,list"`
	JoinAtLanes        []uint64 `parquet:"joinat_lanes,list"`
}

// ParametersOf returns the columns of a cell's parameters.
func ParametersOf(c *study.Cell) Parameters {
	k := c.Knobs
	return Parameters{
		Kind: string(c.Kind), File: c.File, Options: study.Quote(c.Options), Arguments: study.Quote(c.Arguments), Build: c.Build, Part: c.Launches,
		Workers: k["workers"], Engine: k["engine"], Order: k["order"], SIMD: k["simd"],
		Memory: k["memory"], PTX: k["ptx"], Warpsync: k["warpsync"], Watchdog: k["watchdog"], Environment: maps.Clone(c.Environment),
	}
}

// countersOf returns the columns of counters.
func countersOf(c *compare.Counts) Counters {
	return Counters{
		Launches: int64(c.Launches), WarpInstructions: c.WarpInstructions, ThreadInstructions: c.ThreadInstructions, Transactions: c.Transactions,
		AverageActiveLanes: c.AverageLanes(), WithoutJoinAt: c.AverageLanesWithoutJoinAt(),
		Annotations: c.Annotations, ReissuedJoins: c.ReissuedJoins, Merges: c.Merges, MultipleMerges: c.MultipleMerges, Swaps: c.Swaps,
		MostPaths: int64(c.MostPaths), DeepestStack: int64(c.DeepestStack), PartialBarriers: c.PartialBarriers,
		PCArbitrations: c.PCArbitrations, MemoryArbitrations: c.MemoryArbitrations, NoArbitrations: c.NoArbitrations,
		BCC: c.BCC[:], SCC: c.SCC[:], QuadBCC: c.QuadBCC[:], ActiveLanes: c.ActiveLanes[:], JoinAtLanes: c.JoinAtLanes[:],
	}
}

// lead returns the leading columns of a cell: what its kernels share. A cell without launches has
// the policy and the device that the study asks for.
func (r *Result) lead() table.Lead {
	lead := table.Lead{Policy: r.Cell.Knobs["policy"], Device: r.Cell.Knobs["device"]}
	for i := range r.Kernels {
		if i == 0 {
			lead = r.Kernels[i].Lead
		}
		lead.Merge(&r.Kernels[i].Lead)
	}
	return lead
}

// Each calls each with the result of every finished cell of a study, in the order of the study. It
// leaves out damaged results. A cell that passed differs if the first cell that passed with the
// same parameters has other memory. Policy, workers, engine, order and vector instructions are not
// among these parameters: they must not matter.
func (f *Folder) Each(s *study.Study, each func(*Result) error) error {
	type first struct {
		digest string
		cell   int
	}
	reference := map[[sha256.Size]byte]first{}
	for i := range s.Len() {
		r, err := f.Read(s.Cell(i).Name)
		var bad *FormatError
		if errors.Is(err, fs.ErrNotExist) || errors.As(err, &bad) {
			continue
		}
		if err != nil {
			return err
		}
		if r.Status == Passed && r.Digest != "" {
			key := alike(r.Cell)
			if of, ok := reference[key]; !ok {
				reference[key] = first{r.Digest, i}
			} else if of.digest != r.Digest {
				r.Status, r.Reason = Differs, "memory is not that of "+s.Cell(of.cell).Name
			}
		}
		if err := each(r); err != nil {
			return err
		}
	}
	return nil
}

// alike returns a key of the cells that must leave the same memory.
func alike(c *study.Cell) [sha256.Size]byte {
	of := *c
	of.Name, of.Limit, of.Knobs = "", 0, maps.Clone(c.Knobs)
	for _, name := range [...]string{"policy", "workers", "engine", "order", "simd"} {
		delete(of.Knobs, name)
	}
	key, err := json.Marshal(&of)
	if err != nil {
		panic("sweep: " + err.Error()) // texts alone
	}
	return sha256.Sum256(key)
}

// The tables of a folder.
const (
	CellTable        = "cells.parquet"        // a row per cell
	KernelTable      = "kernels.parquet"      // a row per cell and kernel
	InstructionTable = "instructions.parquet" // a row per cell, launch and instruction
)

// group is the number of rows that a table holds in memory.
const group = 1 << 12

// WriteTables writes the tables of cells and kernels from the finished cells of a study, and the
// table of instructions if the study keeps statistics and instructions is set. each is called with
// every result, as by Each; it may be nil.
func (f *Folder) WriteTables(s *study.Study, instructions bool, each func(*Result) error) error {
	cells, err := newWriter(f, CellTable)
	if err != nil {
		return err
	}
	kernels, err := newWriter(f, KernelTable)
	if err != nil {
		return errors.Join(err, cells.drop())
	}
	err = f.Each(s, func(r *Result) error {
		if each != nil {
			if err := each(r); err != nil {
				return err
			}
		}
		sum := r.Counts()
		row := Row{
			Cell: r.Cell.Name, Subject: r.Cell.Subject, Lead: r.lead(), Parameters: ParametersOf(r.Cell), Status: string(r.Status), Reason: r.Reason,
			Exit: int64(r.Exit), Host: r.Host, Seconds: r.Seconds, Digest: r.Digest, Counters: countersOf(&sum),
		}
		if err := cells.add(row); err != nil {
			return err
		}
		for i := range r.Kernels {
			k := &r.Kernels[i]
			row.Lead, row.Counters = k.Lead, countersOf(&k.Counts)
			if err := kernels.add(row); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && instructions {
		err = f.writeInstructions(s)
	}
	if err != nil {
		return errors.Join(err, cells.drop(), kernels.drop())
	}
	return errors.Join(cells.close(), kernels.close())
}

// writer is a Parquet file that is written under a temporary name.
type writer struct {
	path string
	file *os.File
	out  *parquet.GenericWriter[Row]
	rows int
}

func newWriter(f *Folder, name string) (*writer, error) {
	path := filepath.Join(f.Path, name)
	file, err := os.Create(path + ".part")
	if err != nil {
		return nil, err
	}
	return &writer{path: path, file: file, out: parquet.NewGenericWriter[Row](file, parquet.Compression(&parquet.Zstd), parquet.CreatedBy("jacquard", "", ""))}, nil
}

func (t *writer) add(r Row) error {
	if _, err := t.out.Write([]Row{r}); err != nil {
		return err
	}
	if t.rows++; t.rows%group == 0 {
		return t.out.Flush()
	}
	return nil
}

func (t *writer) close() error {
	if err := errors.Join(t.out.Close(), t.file.Close()); err != nil {
		return errors.Join(err, os.Remove(t.file.Name()))
	}
	return os.Rename(t.file.Name(), t.path)
}

// drop removes an unfinished table.
func (t *writer) drop() error { return errors.Join(t.file.Close(), os.Remove(t.file.Name())) }

// writeInstructions writes the table of instructions from the statistics of the finished cells.
func (f *Folder) writeInstructions(s *study.Study) error {
	path := filepath.Join(f.Path, InstructionTable)
	file, err := os.Create(path + ".part")
	if err != nil {
		return err
	}
	out, err := stats.NewTable(file)
	if err == nil {
		err = f.Each(s, func(r *Result) error {
			_, err := stats.LoadEach(f.Statistics(r.Cell.Name), func(l *stats.Launch) error { return out.Add(r.Cell.Name, l) })
			if errors.Is(err, fs.ErrNotExist) {
				return nil // it launched nothing
			}
			return err
		})
		err = cmp.Or(err, out.Close())
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return os.Rename(file.Name(), path)
}
