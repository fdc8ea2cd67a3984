package csmith

import (
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"jacquard/cubin"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

var (
	wide    = flag.Int("programs", 3, "programs that are tried")
	first   = flag.Uint64("first", 1, "the seed of the first one")
	keep    = flag.String("keep", "", "a directory for the programs that fail")
	workers = flag.Int("workers", 2, "programs that are tried at a time")
	only    = flag.String("front", "", "the option sets that count, as a pattern; else the first five")
)

const (
	nvcc  = "../../../build/toolkit/bin/nvcc"
	plain = "-x cuda --cuda-device-only -nocudainc -nocudalib -w -S -DPLAIN -std=gnu++14 -Wno-c++11-narrowing -ferror-limit=2 "
)

// front is a way from CUDA C to PTX.
type front struct{ name, command string }

var fronts = []front{
	{"nvcc", nvcc + " -ptx -w"},
	{"nvcc-G", nvcc + " -ptx -w -G -arch sm_35"},
	{"clang19-O1", "clang++-19 " + plain + "-O1 --cuda-gpu-arch=sm_20"},
	{"clang19-O3", "clang++-19 " + plain + "-O3 --cuda-gpu-arch=sm_35"},
	{"clang22-O2", "clang++-22 " + plain + "-O2 --cuda-gpu-arch=sm_35"},
	{"nvcc-75", nvcc + " -ptx -w -arch sm_75"},
	{"clang22-O3", "clang++-22 " + plain + "-O3 --cuda-gpu-arch=sm_35"},
}

// chosen are the option sets that count, as far as their compilers are here.
func chosen() (use []front) {
	for i, f := range fronts {
		ok, _ := filepath.Match(*only, f.name)
		if *only == "" {
			ok = i < 5
		}
		if _, err := exec.LookPath(strings.Fields(f.command)[0]); ok && err == nil {
			use = append(use, f)
		}
	}
	return use
}

// errSkipped marks programs that say nothing: they do not end, or run long.
var errSkipped = errors.New("skipped")

// Programs of csmith give the checksum of the host's compiler.
func TestPrograms(t *testing.T) {
	for _, tool := range []string{"csmith", "g++", nvcc} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not here: apt-get install csmith g++, make toolkit", tool)
		}
	}
	var next, tried, skipped atomic.Uint64
	next.Store(*first)
	var wg sync.WaitGroup
	for range *workers {
		b := &batch{t: t, dir: t.TempDir()}
		wg.Go(func() {
			for {
				seed := next.Add(size) - size
				if seed >= *first+uint64(*wide) {
					return
				}
				b.attempt(seed, min(size, *first+uint64(*wide)-seed))
				tried.Add(uint64(len(b.want)))
				skipped.Add(uint64(len(b.seeds) - len(b.want)))
			}
		})
	}
	wg.Wait()
	for _, f := range chosen() {
		t.Log(f.name)
	}
	t.Logf("%d programs tried, %d skipped that run long or do not end", tried.Load(), skipped.Load())
}

const size = 8 // programs in a file

// batch is some programs in one file.
type batch struct {
	t     *testing.T
	dir   string
	seeds []uint64
	want  map[uint64][]uint32
}

// attempt tries programs at all option sets.
func (b *batch) attempt(seed, n uint64) {
	b.seeds, b.want = nil, map[uint64][]uint32{}
	for i := range n {
		b.seeds = append(b.seeds, seed+i)
	}
	if err := b.onHost(); err != nil {
		b.t.Errorf("seeds from %d: %v", seed, err)
		return
	}
	for _, f := range chosen() {
		im, err := f.build(b.dir, arches[seed/size%2], b.seeds...)
		for i, seed := range b.seeds {
			if want := b.want[seed]; want != nil {
				b.check(f, seed, want, im, i, err)
			}
		}
	}
}

// check runs one program, which is compiled again if its file is refused.
func (b *batch) check(f front, seed uint64, want []uint32, im *cubin.Image, i int, err error) {
	if err != nil {
		im, err = f.build(b.dir, arches[seed/size%2], seed)
		i = 0
	}
	var got []uint32
	if err == nil {
		got, err = onDevice(im, fmt.Sprintf("k%d", i))
	}
	if err == nil {
		err = compare(got, want)
	}
	if err == nil || strings.Contains(err.Error(), "of local memory") {
		return // the device is too small
	}
	b.t.Errorf("seed %d, %s on %s: %v", seed, f.name, arches[seed/size%2], err)
	if *keep != "" {
		text, _ := Generate(seed)
		_ = os.WriteFile(fmt.Sprintf("%s/%s-%d.cu", *keep, f.name, seed), []byte(text), 0o644)
	}
}

var arches = []tesla.Arch{tesla.SM12, tesla.SM13}

// onHost runs the programs on the host and returns their words.
func (b *batch) onHost() error {
	text, err := Generate(b.seeds...)
	if err != nil {
		return err
	}
	in, exe := filepath.Join(b.dir, "host.cu"), filepath.Join(b.dir, "host")
	if err := os.WriteFile(in, []byte(text), 0o644); err != nil {
		return err
	}
	cmd := exec.Command("g++", "-x", "c++", "-std=gnu++14", "-w", "-O0", "-fwrapv", "-fno-strict-aliasing", "-o", exe, in)
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("g++: %w: %.300s", err, output)
	}
	for i, seed := range b.seeds {
		words, err := hostWords(exe, i)
		if errors.Is(err, errSkipped) {
			continue
		}
		if err != nil {
			return fmt.Errorf("seed %d on the host: %w", seed, err)
		}
		b.want[seed] = words
	}
	return nil
}

// longest is how long a program may run on the host. The simulator takes some hundred times as long.
const longest = 8 * time.Millisecond

// hostWords runs a program on the host.
func hostWords(exe string, i int) (words []uint32, err error) {
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Second)
	defer stop()
	cmd := exec.CommandContext(ctx, exe, strconv.Itoa(i))
	output, err := cmd.Output()
	if ctx.Err() != nil || cmd.ProcessState != nil && cmd.ProcessState.UserTime() > longest {
		return nil, errSkipped
	}
	if err != nil {
		return nil, err
	}
	for _, s := range strings.Fields(string(output)) {
		w, err := strconv.ParseUint(s, 10, 32)
		if err != nil {
			return nil, err
		}
		words = append(words, uint32(w))
	}
	return words, nil
}

// build compiles the programs of some seeds.
func (f front) build(dir string, arch tesla.Arch, seeds ...uint64) (*cubin.Image, error) {
	text, err := Generate(seeds...)
	if err != nil {
		return nil, err
	}
	in, out := filepath.Join(dir, "k.cu"), filepath.Join(dir, "k.ptx")
	if err := os.WriteFile(in, []byte(text), 0o644); err != nil {
		return nil, err
	}
	args := append(strings.Fields(f.command), "-o", out, in)
	if output, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %.300s", err, output)
	}
	compiled, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	m, err := ptx.Parse("k.ptx", compiled)
	if err != nil {
		return nil, err
	}
	return compile.Compile(m, compile.Options{Arch: arch})
}

// compare names the first checksum that differs.
func compare(got, want []uint32) error {
	for i := 2; i < len(want); i++ {
		if got[i] != want[i] {
			return fmt.Errorf("checksum %08x instead of %08x, from value %d of %d on", got[0], want[0], i-2, want[1])
		}
	}
	if got[0] != want[0] || got[1] != want[1] {
		return fmt.Errorf("checksum %08x instead of %08x", got[0], want[0])
	}
	return nil
}

// onDevice runs a program in the simulator.
func onDevice(im *cubin.Image, kernel string) ([]uint32, error) {
	k := im.Kernel(kernel)
	p, err := load.Program(im.Arch, k, simt.Host{})
	if err != nil {
		return nil, err
	}
	space := mem.NewSpace(1 << 26)
	b := make([]byte, 4*Words)
	out, err := space.Map(b)
	if err != nil {
		return nil, err
	}
	data, err := load.Place(im, space, space.Alloc)
	if err != nil {
		return nil, err
	}
	launch := &simt.Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{1, 1, 1}, Policy: "nvidia", Const: data.Const(k),
		Params: binary.LittleEndian.AppendUint64(nil, uint64(out)), Global: space, Watchdog: 1 << 34, Workers: 1, NoStats: true}
	if _, err := simt.Run(launch); err != nil {
		return nil, err
	}
	words := make([]uint32, Words)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return words, nil
}
