package slurm

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"jacquard/study"
	"jacquard/study/sweep"
)

// MostCells is the most cells of a batch: as many tasks as an array has where Slurm's MaxArraySize
// is the default.
const MostCells = 1000

// Batch is a number of cells that were submitted together. The file of a batch has all that its
// tasks need.
type Batch struct {
	Format  string        `json:"format"`
	Version int           `json:"version"`
	Folder  string        `json:"folder"`  // of results
	Dir     string        `json:"dir"`     // of the study
	Tool    string        `json:"tool"`    // path of jacquard
	Library string        `json:"library"` // folder of the simulator's library; "" for that beside the tool
	Each    int           `json:"each"`    // cells of a task
	Jobs    int           `json:"jobs"`    // processes of a task
	Cells   []*study.Cell `json:"cells"`
}

// Tasks returns the number of tasks of the array.
func (b *Batch) Tasks() int { return (len(b.Cells) + b.Each - 1) / b.Each }

// Task returns the cells of a task.
func (b *Batch) Task(i int) []*study.Cell {
	if i < 0 || i >= b.Tasks() {
		return nil
	}
	return b.Cells[i*b.Each : min((i+1)*b.Each, len(b.Cells))]
}

const batches = "batches"

// path returns the file of a batch of a folder.
func path(folder string, number int) string {
	return filepath.Join(folder, batches, fmt.Sprintf("%05d.json", number))
}

// write writes the batch under the next free number.
func (b *Batch) write() (number int, err error) {
	b.Format, b.Version = sweep.Format, sweep.Version
	text, err := json.Marshal(b)
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(filepath.Join(b.Folder, batches), 0o777); err != nil {
		return 0, err
	}
	list, err := os.ReadDir(filepath.Join(b.Folder, batches))
	if err != nil {
		return 0, err
	}
	for _, f := range list {
		if n, err := strconv.Atoi(strings.TrimSuffix(f.Name(), ".json")); err == nil {
			number = max(number, n+1)
		}
	}
	name := path(b.Folder, number)
	if err := os.WriteFile(name+".part", text, 0o666); err != nil {
		return 0, errors.Join(err, os.Remove(name+".part"))
	}
	return number, os.Rename(name+".part", name)
}

// Load reads the file of a batch. The error is a *sweep.FormatError if it is none.
func Load(name string) (*Batch, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	b := &Batch{}
	if err := json.Unmarshal(text, b); err != nil {
		return nil, &sweep.FormatError{Path: name, Reason: err.Error()}
	}
	if b.Format != sweep.Format || b.Version != sweep.Version || b.Each < 1 {
		return nil, &sweep.FormatError{Path: name, Reason: "this is no batch of a sweep"}
	}
	return b, nil
}

// load reads a batch of a folder by its number; nil if there is none.
func load(folder string, number int) (*Batch, error) {
	b, err := Load(path(folder, number))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}
