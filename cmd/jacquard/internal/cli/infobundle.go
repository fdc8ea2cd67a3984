package cli

import (
	"errors"
	"fmt"
	"io"

	"jacquard/internal/plain"
	"jacquard/observe/bundle"
)

// bundleInfo describes a bundle.
type bundleInfo struct {
	File     string              `json:"file"`
	Launches int                 `json:"launches"`
	State    string              `json:"state"`  // finished, open: without an end, or cut: within a launch
	Status   *int                `json:"status"` // of the program, if it is finished and somebody waited for it
	Memory   int                 `json:"memory"` // bytes, the most that a launch could reach
	Kernels  []*bundleKernelInfo `json:"kernels"`
}

type bundleKernelInfo struct {
	Name     string `json:"name"`
	Arch     string `json:"arch"`
	Device   string `json:"device"`
	Image    int    `json:"image"` // bytes
	Launches int    `json:"launches"`
	Threads  uint64 `json:"threads"` // of all launches
	Changed  uint64 `json:"changed"` // bytes of the pages that launches changed
	Failed   int    `json:"failed"`
}

// openBundle opens a bundle, and allows its reader memory MiB; 0 is the reader's own limit.
func openBundle(path string, memory int) (*bundle.Reader, error) {
	if memory < 0 || memory > mostMiB {
		return nil, usagef("--memory %d: want 0 to %d", memory, mostMiB)
	}
	in, err := bundle.Open(path)
	if err != nil {
		return nil, explainBundle(path, err)
	}
	if memory > 0 {
		in.MostMemory = int64(memory) << 20
	}
	return in, nil
}

// mostMiB is more than all devices together have.
const mostMiB = 1 << 16

// memoryHelp explains the flag.
const memoryHelp = "allow the recorded program `N` MiB of memory (default: 96, or four times the bundle's size if that is more)"

// explainBundle names the bundle in an error, and the flag that allows it more memory.
func explainBundle(path string, err error) error {
	bad := new(bundle.FormatError)
	switch {
	case !errors.As(err, &bad):
		return err
	case bad.Memory:
		return fmt.Errorf("%s: %w: --memory allows more", path, err)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// describeBundle describes the bundle at path; see openBundle.
func describeBundle(path string, memory int) (*bundleInfo, error) {
	in, err := openBundle(path, memory)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	info := &bundleInfo{File: path, Kernels: []*bundleKernelInfo{}}
	kernels := map[bundleKernelInfo]*bundleKernelInfo{}
	l, err := in.Next()
	for ; err == nil; l, err = in.Next() {
		info.add(l, kernels)
	}
	var cut *bundle.CutError
	switch {
	case err == io.EOF && in.Closing != nil:
		info.State = "finished"
		if !in.Closing.Itself {
			info.Status = &in.Closing.Status
		}
	case err == io.EOF:
		info.State = "open"
	case errors.As(err, &cut):
		info.State = "cut"
	default:
		return nil, explainBundle(path, err)
	}
	return info, nil
}

func (b *bundleInfo) add(l *bundle.Launch, kernels map[bundleKernelInfo]*bundleKernelInfo) {
	b.Launches++
	memory := 0
	for _, o := range l.Memory {
		memory += o.Size()
	}
	b.Memory = max(b.Memory, memory)
	key := bundleKernelInfo{Name: l.Kernel.Name, Arch: l.Kernel.Module.Arch, Device: l.Device, Image: len(l.Kernel.Module.Image)}
	k := kernels[key]
	if k == nil {
		first := key
		k = &first
		kernels[key] = k
		b.Kernels = append(b.Kernels, k)
	}
	k.Launches++
	k.Threads += uint64(l.Grid[0]) * uint64(l.Grid[1]) * uint64(l.Block[0]) * uint64(l.Block[1]) * uint64(l.Block[2])
	for _, run := range l.Outputs {
		k.Changed += uint64(len(run.Bytes))
	}
	if l.Result != bundle.Success {
		k.Failed++
	}
}

func (b *bundleInfo) print(out io.Writer, _ *infoFlags) error {
	state := "the recorder left no end: launches may be missing"
	switch {
	case b.State == "finished" && b.Status == nil:
		state = "the program came to its end"
	case b.State == "finished":
		state = fmt.Sprintf("the program ended with status %d", *b.Status)
	case b.State == "cut":
		state = "the recording breaks off within a launch"
	}
	plain.Fprintf(out, "%s: bundle of %s, up to %d bytes of memory; %s\n", b.File, counted(b.Launches, "launch", "launches"), b.Memory, state)
	if len(b.Kernels) == 0 {
		return nil
	}
	w := newTable(out)
	fmt.Fprintln(w, "kernel\tfor\tdevice\tlaunches\tthreads\tbytes changed\tfailed")
	for _, k := range b.Kernels {
		plain.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%d\t%d\n", k.Name, k.Arch, k.Device, k.Launches, k.Threads, k.Changed, k.Failed)
	}
	return w.Flush()
}
