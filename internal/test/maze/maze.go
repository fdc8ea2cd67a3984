package maze

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"

	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// Maze is a kernel and the shape of its launch. Equal seeds make equal mazes.
type Maze struct {
	Name  string
	Seed  uint64 // of random ones
	Style Style
	Code  []tesla.Instruction // of 8 bytes each
	Table []uint32            // constant bank 0: where indirect branches lead, byte addresses
	Grid  int                 // blocks
	Block int                 // threads per block, at most maxBlock
}

const (
	arch        = tesla.SM12 // the first that branches indirectly
	maxBlock    = 128        // threads
	slotBytes   = 128        // of global memory per thread
	firstShared = 0x20       // of the words that threads exchange
	sharedBytes = firstShared + 4*maxBlock
	size        = 8 // bytes per instruction
)

// New makes the maze of a seed.
func New(seed uint64) *Maze {
	w := newWriter(rand.New(rand.NewPCG(seed, 3)))
	m := &Maze{Name: fmt.Sprintf("maze%d", seed), Seed: seed, Style: Style(seed % uint64(styles))}
	m.Grid = 1 + w.r.IntN(2)
	m.Block = []int{1, 7, 32, 33, 64, 80, 128}[w.r.IntN(7)]
	w.kernel(m.Style)
	m.Code, m.Table = w.instructions(), w.table
	return m
}

// Words encodes the maze.
func (m *Maze) Words() ([]uint32, error) {
	var words []uint32
	for i, in := range m.Code {
		w0, w1, err := decoder.Encode(arch, in)
		if err != nil {
			return nil, fmt.Errorf("instruction %d: %w", i, err)
		}
		words = append(words, w0, w1)
	}
	return words, nil
}

// warps returns how many warps a block has.
func (m *Maze) warps() int { return (m.Block + lane.Width - 1) / lane.Width }

// Kernel returns the maze as a kernel. Its parameter is the address of MemoryBytes of global
// memory, and constant bank 0 holds Constants.
func (m *Maze) Kernel() (simt.Kernel, error) {
	words, err := m.Words()
	return simt.Kernel{
		Name: m.Name, Arch: arch, Code: decoder.Kernel(arch, words),
		Registers: registers, Shared: sharedBytes,
	}, err
}

// Program makes the maze ready to run.
func (m *Maze) Program() (*simt.Program, error) {
	k, err := m.Kernel()
	if err != nil {
		return nil, err
	}
	return simt.Lower(k)
}

// Listing lists the code: one line per instruction, with its address.
func (m *Maze) Listing() (string, error) {
	words, err := m.Words()
	if err != nil {
		return "", err
	}
	var s strings.Builder
	for i, in := range decoder.Kernel(arch, words) {
		fmt.Fprintf(&s, "%4x  %s\n", i*size, in.String())
	}
	for i, to := range m.Table {
		fmt.Fprintf(&s, "c0[0x%x] = 0x%x\n", 4*i, to)
	}
	return s.String(), nil
}

// String describes the maze and lists its code.
func (m *Maze) String() string {
	listing, err := m.Listing()
	if err != nil {
		listing = err.Error()
	}
	return fmt.Sprintf("%s maze of seed %d, %d blocks of %d threads\n%s", m.Style, m.Seed, m.Grid, m.Block, listing)
}

// MemoryBytes returns the size of the slots of all threads.
func (m *Maze) MemoryBytes() int { return m.Grid * maxBlock * slotBytes }

// Constants returns what constant bank 0 holds.
func (m *Maze) Constants() []byte {
	var data []byte
	for _, to := range m.Table {
		data = binary.LittleEndian.AppendUint32(data, to)
	}
	return data
}
