package stats

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"jacquard/internal/outfile"
	"jacquard/simt"
	"jacquard/tesla"
)

// barraWriter writes Barra's files: one per kernel, with one row per instruction and the counts of
// all launches so far. A file is replaced as a whole after each launch, so that a reader never sees
// half of it. If another process holds a kernel's file, this process writes one beside it.
type barraWriter struct {
	prefix string

	mu      sync.Mutex
	kernels map[string]*barraKernel // by the intended file name
	err     error
}

// barraKernel is the content of one file.
type barraKernel struct {
	hash string
	path string
	file *os.File // holds the name against other processes
	sum  []simt.InstructionStats
}

// createBarra checks that the folder of prefix exists.
func createBarra(prefix string) (*barraWriter, error) {
	folder := filepath.Dir(prefix + "x")
	if info, err := os.Stat(folder); err != nil {
		return nil, fmt.Errorf("statistics: %w: the folder must be there", err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("statistics: %s is no folder", folder)
	}
	return &barraWriter{prefix: prefix, kernels: map[string]*barraKernel{}}, nil
}

func (w *barraWriter) Add(l *Launch) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	if err := w.add(l); err != nil {
		w.err = fmt.Errorf("statistics: %w; nothing more is written", err)
	}
	return w.err
}

func (w *barraWriter) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

func (w *barraWriter) Path() string { return w.prefix }

func (w *barraWriter) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	err := w.err
	for _, k := range w.kernels {
		err = errors.Join(err, k.file.Close())
	}
	w.kernels, w.err = nil, cmp.Or(w.err, os.ErrClosed)
	return err
}

func (w *barraWriter) add(l *Launch) error {
	kernel, err := w.kernel(l.Kernel)
	if err != nil {
		return err
	}
	for i := range l.Stats.ByInstruction {
		addInstruction(&kernel.sum[i], &l.Stats.ByInstruction[i])
	}
	kernel.file, err = outfile.Replace(kernel.path, kernel.file, kernel.text(l.Kernel))
	return err
}

// kernel returns a kernel's file. Kernels of one name may differ in code: from the second on, the
// file name includes the hash.
func (w *barraWriter) kernel(k *Kernel) (*barraKernel, error) {
	name := w.prefix + fileName(k.Name)
	for _, path := range []string{name + ".csv", name + "-" + k.Hash + ".csv"} {
		known := w.kernels[path]
		if known == nil {
			f, err := outfile.Take(path)
			if err != nil {
				return nil, err
			}
			known = &barraKernel{k.Hash, f.Name(), f, make([]simt.InstructionStats, len(k.Code))}
			w.kernels[path] = known
		}
		if known.hash == k.Hash {
			return known, nil
		}
	}
	panic("stats: two kernels have one hash")
}

// mostFileName is the largest number of bytes of a kernel's name in a file name. The system takes
// 255 bytes for prefix, name, hash and suffix.
const mostFileName = 160

// fileName returns the name of a kernel as a part of a file name: its beginning and a hash, if long.
func fileName(kernel string) string {
	name := strings.ReplaceAll(kernel, string(filepath.Separator), "_")
	if len(name) <= mostFileName {
		return name
	}
	h := fnv.New64a()
	h.Write([]byte(kernel))
	return fmt.Sprintf("%s~%016x", name[:mostFileName], h.Sum64())
}

// addInstruction adds the counters s of an instruction to sum.
func addInstruction(sum, s *simt.InstructionStats) {
	for _, c := range InstructionColumns() {
		*c.Of(sum) += *c.Of(s)
	}
	for n, v := range s.Active {
		sum.Active[n] += v
	}
}

// barraColumns are Barra's own columns, in its order.
const barraColumns = `"Address","Name","Executed","Exec. scalar","Integer","FP32","Flow","Mov","Memory","Shared","Constant",` +
	`"Input regs","Output regs","Branch taken","Branch not taken","Branch mixed","Jump",` +
	`"Gather global","Load global","Scatter global","Store global","Gather local","Load local","Scatter local","Store local"`

// text returns the content of the file.
func (b *barraKernel) text(k *Kernel) []byte {
	text := []byte(barraColumns + "\n")
	calls := slices.ContainsFunc(k.Code, func(in tesla.Instruction) bool { return in.Op == tesla.OpCall })
	for i := range k.Code {
		in, s := &k.Code[i], &b.sum[i]
		text = strconv.AppendUint(text, uint64(k.PCs[i]), 10)
		text = append(text, `,"`+strings.ReplaceAll(in.String(), `"`, `""`)+`"`...)
		for _, v := range barraRow(in, s, calls) {
			text = strconv.AppendUint(append(text, ','), v, 10)
		}
		text = append(text, '\n')
	}
	return text
}

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// reads reports whether in has a memory operand of a kind.
func reads(in *tesla.Instruction, kind tesla.OperandKind) bool {
	for i := range in.Src {
		if in.Src[i].Kind == kind {
			return true
		}
	}
	return false
}

// registers returns the numbers of registers that in reads and writes; a register of several words
// counts once. As in Barra, the data of a store count as written, and an address counts as read.
func registers(in *tesla.Instruction) (from, to int) {
	seen := map[int]bool{}
	note := func(o *tesla.Operand) {
		switch o.Kind {
		case tesla.Reg, tesla.Pair, tesla.Quadruple:
			seen[int(o.Index)] = true
		case tesla.Half:
			seen[int(o.Index)/2] = true
		case tesla.Global:
			seen[int(o.Value)] = true
		}
	}
	store := in.Op == tesla.OpStGlobal || in.Op == tesla.OpStLocal || in.Op == tesla.OpStShared
	for i := range in.Src {
		if store && i == 1 {
			continue
		}
		note(&in.Src[i])
	}
	from = len(seen)
	clear(seen)
	note(&in.Dst)
	if store {
		note(&in.Src[1])
	}
	return from, len(seen)
}
