package branch

import (
	"errors"
	"fmt"
	"strings"
)

// Scheme is one entry of the list of policies, with its options chosen.
type Scheme struct {
	Name    string // what --policy and JACQUARD_POLICY take, without options
	Idea    string // one line for people
	Options []Option

	// Loose schemes may run lanes of a warp at different times although they stand at one pc
	// and nothing holds them: code that relies on lanes running in step gives other results.
	Loose bool

	loosens string // the option, if any, that makes the scheme loose

	chosen  []string // the value of each option
	prepare func(k *Kernel, chosen []string) (func() Policy, error)
}

// Option is a choice within a scheme, given behind a colon: "stackless:key=pc".
type Option struct {
	Key    string
	Values []string // the first is the default
}

// Prepare reads a kernel and returns what makes a policy for each block that runs it. What
// the scheme computes from the code it computes here, once; the policies share it and only
// read it. The error is a *RefusedError if the scheme cannot run the kernel.
func (s *Scheme) Prepare(k *Kernel) (func() Policy, error) {
	newPolicy, err := s.prepare(k, s.chosen)
	var refused *RefusedError
	if errors.As(err, &refused) {
		refused.Policy = s.Name
	}
	return newPolicy, err
}

// Default is the policy used when none is named.
const Default = "nvidia"

// Schemes lists the policies, the default first.
func Schemes() []Scheme {
	return defaults([]Scheme{
		{Name: "nvidia", Idea: "token stack driven by joinat, join, breakaddr and call, as Tesla hardware does it",
			prepare: prepareNvidia},
		{Name: "stackless", Idea: "a pc for each lane; the deepest call and the lowest pc run first",
			Options: []Option{{"key", []string{"sppc", "pc"}}}, loosens: "key=pc", prepare: prepareStackless},
		{Name: "mimd", Idea: "each lane alone, in ascending order: the bound from below", Loose: true,
			prepare: perWarpOf(newMIMD)},
		{Name: "bfs", Idea: "paths take turns at every branch: no lane starves", Loose: true,
			prepare: perWarpOf(newBFS)},
		{Name: "dfs", Idea: "paths as a stack: the top one runs to its end", Loose: true,
			prepare: perWarpOf(newDFS)},
		{Name: "simty", Idea: "as stackless, but paths meet only in a small hot window", Loose: true,
			Options: []Option{{"hot", []string{"2", "3"}}}, prepare: perWarpOf(newSimty)},
		{Name: "implicit", Idea: "stacks of forward branches and of loops; ignores joins, cannot call",
			Options: []Option{{"key", []string{"paper", "source"}}}, prepare: perWarpFor(prepareImplicit)},
		{Name: "barrier", Idea: "convergence barriers where joinat, breakaddr and call say; paths in any order", Loose: true,
			prepare: perWarpOf(newBarrier)},
		{Name: "volta", Idea: "as barrier, with fairness: a path that goes round and round yields", Loose: true,
			Options: []Option{{"quantum", []string{"256", "16", "4096"}}}, prepare: perWarpOf(newVolta)},
		{Name: "pdom", Idea: "a stack; the sides of a branch meet at its immediate post-dominator",
			prepare: preparePDOM},
		{Name: "lorie-strong", Idea: "blocks numbered beforehand; the lanes in the least block run first",
			prepare: perWarpFor(prepareLorie)},
		{Name: "tf-stack", Idea: "thread frontiers: a sorted stack of paths for every call, the first on top",
			Options: []Option{{"order", []string{"pc", "blocks"}}}, prepare: perWarpFor(prepareTFStack)},
		{Name: "tf-sandy", Idea: "thread frontiers: one walk, sent to the first place where lanes may wait",
			prepare: perWarpFor(prepareTFSandy)},
		{Name: "sandybridge", Idea: "one walk through structured code, with a pc for each lane, as Intel's sixth generation",
			prepare: perWarpFor(prepareSandybridge)},
		{Name: "takahashi", Idea: "one walk that goes to the lower address while some lane is active",
			Options: []Option{{"delay", []string{"1", "0"}}}, prepare: perWarpFor(prepareTakahashi)},
		{Name: "chap", Idea: "structured code, one stack of masks for ifs and one for loops; cannot call",
			prepare: perWarpFor(prepareChap)},
		{Name: "amd", Idea: "structured code, one stack for masks and return addresses",
			prepare: perWarpFor(prepareAMD)},
		{Name: "pomp", Idea: "structured code, a counter of waiting for each lane; cannot call",
			prepare: perWarpFor(preparePomp)},
		{Name: "gma", Idea: "structured code, heights of mask columns for ifs and for loops; cannot call",
			prepare: perWarpFor(prepareGMA)},
		{Name: "dwf", Idea: "dynamic warp formation: lanes of all warps of a block at one pc form new warps", Loose: true,
			Options: []Option{{"sched", []string{"dtime", "dmaj", "dmin", "dpc", "dpdpri"}}, {"form", []string{"every", "branch", "divergent"}}}, prepare: prepareDWF},
		{Name: "tbc", Idea: "thread block compaction: one stack a block, both sides of a branch packed into few warps", Loose: true,
			prepare: prepareTBC},
	})
}

// perWarpOf makes a scheme of flows, one a warp, that run any kernel.
func perWarpOf(newFlow func(chosen []string) Flow) func(*Kernel, []string) (func() Policy, error) {
	return func(_ *Kernel, chosen []string) (func() Policy, error) {
		return func() Policy {
			return newPerWarp(func() Flow { return newFlow(chosen) })
		}, nil
	}
}

// perWarpFor makes a scheme of flows, one a warp, that read the kernel first.
func perWarpFor(prepare func(k *Kernel, chosen []string) (func() Flow, error)) func(*Kernel, []string) (func() Policy, error) {
	return func(k *Kernel, chosen []string) (func() Policy, error) {
		newFlow, err := prepare(k, chosen)
		if err != nil {
			return nil, err
		}
		return func() Policy { return newPerWarp(newFlow) }, nil
	}
}

func defaults(list []Scheme) []Scheme {
	for i := range list {
		for _, o := range list[i].Options {
			list[i].chosen = append(list[i].chosen, o.Values[0])
		}
	}
	return list
}

// UnknownPolicyError says that no policy has the name asked for.
type UnknownPolicyError struct{ Name string }

// Error lists the names there are.
func (e *UnknownPolicyError) Error() string {
	var names []string
	for _, s := range Schemes() {
		names = append(names, s.Name)
	}
	return fmt.Sprintf("unknown divergence policy %q: want %s", e.Name, strings.Join(names, ", "))
}

// OptionError says that a policy has no such option, or the option no such value.
type OptionError struct {
	Policy, Option string
	Options        []Option // those there are
}

// Error lists the options there are.
func (e *OptionError) Error() string {
	return fmt.Sprintf("unknown option %q of divergence policy %s: want %s", e.Option, e.Policy, e.Want())
}

// Want returns the options there are, in words.
func (e *OptionError) Want() string {
	if len(e.Options) == 0 {
		return e.Policy + " without options"
	}
	var want []string
	for _, o := range e.Options {
		want = append(want, e.Policy+":"+o.String())
	}
	return strings.Join(want, " or ")
}

// String returns the option as people write it, all its values with bars between.
func (o Option) String() string { return o.Key + "=" + strings.Join(o.Values, "|") }

// Find returns the scheme that text names, "NAME" or "NAME:KEY=VALUE,..."; "" is the
// default. The error is an *UnknownPolicyError or an *OptionError.
func Find(text string) (Scheme, error) {
	if text == "" {
		text = Default
	}
	name, options, given := strings.Cut(text, ":")
	for _, s := range Schemes() {
		if s.Name != name {
			continue
		}
		if given {
			for _, o := range strings.Split(options, ",") {
				if !s.choose(o) {
					return Scheme{}, &OptionError{name, o, s.Options}
				}
			}
		}
		return s, nil
	}
	return Scheme{}, &UnknownPolicyError{name}
}

// choose sets the option that text, "KEY=VALUE", names.
func (s *Scheme) choose(text string) bool {
	for i, o := range s.Options {
		for _, v := range o.Values {
			if text == o.Key+"="+v {
				s.chosen[i] = v
				s.Loose = s.Loose || text == s.loosens
				return true
			}
		}
	}
	return false
}
