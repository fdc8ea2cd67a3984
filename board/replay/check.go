package replay

import (
	"jacquard/cubin"
	"jacquard/libcuda/driver/judge"
	"jacquard/libcuda/driver/sinks"
	"jacquard/observe/bundle"
	"jacquard/simt"
	"jacquard/simt/check"
	"jacquard/simt/program"
	"jacquard/simt/shadow"
)

// Checks are the mistakes of kernels that an [Engine] looks for. Memory lies as it was recorded, so
// an access that stays in the slack of an allocation is found once for a launch, and all that a
// bundle has counts as written: of init there is what a launch itself does not write.
type Checks struct {
	Kinds check.Set           // of check.OfLaunch; others are not looked for
	Found func(check.Finding) // gets the findings of each launch
}

// run carries out a launch and reports its mistakes.
func (c *Checks) run(told *sinks.Launch, l *bundle.Launch) (*simt.Stats, error) {
	var found []check.Finding
	add := func(f check.Finding) { found = append(found, f) }
	r := &told.Request
	r.NoStats = false // the first access into slack is a number of them
	r.Checker = c.checker(l, r.Program.Program, add)
	var stats *simt.Stats
	var err error
	if c.Kinds.Has(check.KindInit) {
		stats, err = shadow.NewMemory().Run(r, func() { found = nil }, add)
	} else {
		stats, err = simt.Run(r)
	}
	if c.Kinds.Has(check.KindMemory) {
		ended := *told
		ended.Stats, ended.Err = stats, err
		for _, f := range sinks.Mistakes(&ended) {
			add(explained(f, l))
		}
	}
	for _, f := range found {
		f.Launch, f.Shape, f.Count = l.Number, l.Block, max(f.Count, 1)
		c.Found(f)
	}
	return stats, err
}

// checker returns what watches a launch; nil if nothing does.
func (c *Checks) checker(l *bundle.Launch, p *program.Program, add func(check.Finding)) check.Checker {
	var list []check.Checker
	if b := (&check.Bounds{Constants: constants(l), Report: func(f check.Finding, _ *program.Op) { add(f) }}); c.Kinds.Has(check.KindMemory) && b.Looks(p) {
		list = append(list, b)
	}
	if c.Kinds.Has(check.KindSync) {
		list = append(list, &check.Sync{Found: add})
	}
	if c.Kinds.Has(check.KindRace) {
		list = append(list, &check.Race{Found: add})
	}
	return check.Together(list...)
}

// constants returns the variables in the constant memory of a launch.
func constants(l *bundle.Launch) (list []check.Constant) {
	image, err := cubin.Parse(l.Kernel.Module.Image)
	if err != nil {
		return nil
	}
	for _, v := range image.Constants {
		list = append(list, check.Constant{Name: v.Name, First: uint32(v.Offset), End: uint32(v.Offset + v.Bytes)})
	}
	return list
}

// explained completes a finding of an access to device memory that is not there, with the nearest
// memory of the launch.
func explained(f check.Finding, l *bundle.Launch) check.Finding {
	var nobody *judge.Judge // knows a call
	return nobody.Explain(f, &judge.Blocks{}, func(addr, size uint32) (near judge.Block, name string, ok bool) {
		best := uint64(1 << 32)
		for _, o := range l.Memory {
			if o.Kind == bundle.Array {
				continue
			}
			b := judge.Block{Base: o.Address, Size: uint64(len(o.Bytes) - o.Slack)}
			far := max(int64(b.Base)-int64(addr), int64(addr)+int64(size)-int64(b.End()), 0)
			if uint64(far) < best {
				best, near, ok = uint64(far), b, true
			}
		}
		return near, "", ok
	})
}
