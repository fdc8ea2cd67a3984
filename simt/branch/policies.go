package branch

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"jacquard/simt/lane"
)

// Choice is a policy of the list, with its options chosen.
type Choice struct {
	Name    string   // the name for --policy and JACQUARD_POLICY, without options
	Idea    string   // one line for people
	Options []Option // besides Widths, which every policy has

	Warp int // lanes per warp: see Widths

	// Loose policies may run lanes of a warp apart although they are at one pc and nothing holds
	// them: code that relies on lanes running in lockstep gives other results.
	Loose bool

	// Fair policies let every lane run: none waits for ever because others go round in a loop.
	Fair bool

	loosen []string // the options that set Loose

	chosen  []string // the value of each option
	prepare prepare
}

// prepare makes the policies of a kernel, given the values of the options.
type prepare func(k *Kernel, chosen []string) (func() Policy, error)

// Option is an option of a policy, given after a colon: "stackless:key=pc".
type Option struct {
	Key    string
	Values []string // the first is the default
}

// Prepare reads a kernel and returns a function that makes a policy for each block that runs it.
// The policies share what Prepare computes from the code, and only read it. The error is a
// *RefusedError if the policy cannot run the kernel.
func (c *Choice) Prepare(k *Kernel) (func() Policy, error) {
	newPolicy, err := c.prepare(k, c.chosen)
	var refused *RefusedError
	if errors.As(err, &refused) {
		refused.Policy = c.Name
	}
	if err != nil || c.Warp == lane.Width {
		return newPolicy, err
	}
	return func() Policy { return newPolicy().(narrower).narrow(c.Warp) }, nil
}

// Default is the policy used when none is named.
const Default = "nvidia"

// Policies lists the policies with the default values of their options, the default policy first.
func Policies() []Choice {
	where := Option{"merge", []string{"always", "head", "labels"}}
	list := []Choice{
		{Name: "nvidia", Idea: "token stack driven by joinat, join, breakaddr and call, as Tesla hardware does it",
			prepare: prepareNvidia},
		{Name: "stackless", Idea: "a pc for each lane; the deepest call and the lowest pc run first",
			Options: []Option{
				{"key", []string{"sppc", "pc"}},
				{"next", []string{"least", "predicted"}},
			}, loosen: []string{"key=pc", "next=predicted"}, prepare: prepareStackless},
		{Name: "mimd", Idea: "each lane alone, in ascending order: the lower bound", Loose: true,
			prepare: ofRule(mimd{})},
		{Name: "bfs", Idea: "paths take turns at every branch: no lane starves", Loose: true, Fair: true,
			Options: []Option{where}, prepare: ofFlows(prepareBFS)},
		{Name: "dfs", Idea: "paths as a stack: the top one runs to its end", Loose: true,
			Options: []Option{where}, prepare: ofFlows(prepareDFS)},
		{Name: "simty", Idea: "as stackless, but paths meet only in a small hot window", Loose: true,
			Options: []Option{{"hot", []string{"2", "3"}}}, prepare: ofFlows(prepareSimty)},
		{Name: "implicit", Idea: "stacks of forward branches and of loops; ignores joins",
			Options: []Option{
				{"meet", []string{"again", "once"}},
				{"calls", []string{"frames", "refused"}},
				{"key", []string{"paper", "source"}},
			}, prepare: ofFlows(prepareImplicit)},
		{Name: "barrier", Idea: "convergence barriers where joinat, breakaddr and call say; paths in any order", Loose: true,
			prepare: ofFlows(prepareBarrier)},
		{Name: "volta", Idea: "as barrier, with fairness: a path that goes round and round yields", Loose: true, Fair: true,
			Options: []Option{{"quantum", []string{"256", "16", "4096"}}}, prepare: ofFlows(prepareBarrier)},
		{Name: "pdom", Idea: "a stack; the sides of a branch meet at its immediate post-dominator",
			prepare: preparePDOM},
		{Name: "lorie-strong", Idea: "blocks numbered beforehand; the lanes in the least block run first",
			prepare: ofFlows(prepareLorie)},
		{Name: "tf-stack", Idea: "thread frontiers: a sorted stack of paths for every call, the first on top",
			Options: []Option{{"order", []string{"pc", "blocks"}}}, prepare: ofFlows(prepareTFStack)},
		{Name: "tf-sandy", Idea: "thread frontiers: one walk, sent to the first place where lanes may wait",
			prepare: ofFlows(prepareTFSandy)},
		{Name: "sandybridge", Idea: "one walk through structured code, with a pc for each lane, as Intel's sixth generation",
			prepare: ofFlows(prepareSandybridge)},
		{Name: "takahashi", Idea: "one walk that goes to the lower address while some lane is active",
			Options: []Option{
				{"delay", []string{"1", "0"}},
				{"branches", []string{"once", "twice"}},
			}, prepare: ofFlows(prepareTakahashi)},
		{Name: "chap", Idea: "structured code, one stack of masks for ifs and one for loops; cannot call",
			prepare: ofMasks(func() masks { return &chap{} })},
		{Name: "amd", Idea: "structured code, one stack for masks and return addresses",
			prepare: ofMasks(func() masks { return &amd{} })},
		{Name: "pomp", Idea: "structured code, a counter of waiting for each lane; cannot call",
			prepare: ofMasks(func() masks { return &pomp{} })},
		{Name: "gma", Idea: "structured code, heights of mask columns for ifs and for loops; cannot call",
			prepare: ofMasks(func() masks { return &gma{} })},
		{Name: "dwf", Idea: "dynamic warp formation: lanes of all warps of a block at one pc form new warps", Loose: true,
			Options: []Option{
				{"sched", []string{"dtime", "dmaj", "dmin", "dpc", "dpdpri"}},
				{"form", []string{"every", "branch", "divergent"}},
				{"lanes", []string{"own", "free"}},
			}, prepare: prepareDWF},
		{Name: "tbc", Idea: "thread block compaction: one stack per block, both sides of a branch packed into few warps", Loose: true,
			prepare: prepareTBC},
	}
	for i := range list {
		list[i].Warp = lane.Width
		for _, o := range list[i].Options {
			list[i].chosen = append(list[i].chosen, o.Values[0])
		}
	}
	return list
}

// ofFlows makes a policy of flows, one per warp. newFlows reads the kernel and returns a function
// that makes them.
func ofFlows(newFlows func(k *Kernel, chosen []string) (func() Flow, error)) prepare {
	return func(k *Kernel, chosen []string) (func() Policy, error) {
		newFlow, err := newFlows(k, chosen)
		if err != nil {
			return nil, err
		}
		return func() Policy { return newWhole(newFlow) }, nil
	}
}

// UnknownPolicyError says that no policy has the name asked for.
type UnknownPolicyError struct{ Name string }

// Error lists the names of all policies.
func (e *UnknownPolicyError) Error() string {
	var names []string
	for _, c := range Policies() {
		names = append(names, c.Name)
	}
	return fmt.Sprintf("unknown divergence policy %q: want %s", e.Name, strings.Join(names, ", "))
}

// OptionError says that a policy lacks an option, or the option a value.
type OptionError struct {
	Policy, Option string
	Options        []Option // of the policy
}

// Error lists the options of the policy.
func (e *OptionError) Error() string {
	return fmt.Sprintf("unknown option %q of divergence policy %s: want %s", e.Option, e.Policy, e.Want())
}

// Want returns the options of the policy, in words.
func (e *OptionError) Want() string {
	var want []string
	for _, o := range append(slices.Clone(e.Options), Widths()) {
		want = append(want, e.Policy+":"+o.String())
	}
	return strings.Join(want, " or ")
}

// String returns the option as people write it, with bars between its values.
func (o Option) String() string { return o.Key + "=" + strings.Join(o.Values, "|") }

// Find returns the policy that text names, "NAME" or "NAME:KEY=VALUE,..."; "" is the
// default. The error is an *UnknownPolicyError or an *OptionError.
func Find(text string) (Choice, error) {
	if text == "" {
		text = Default
	}
	name, options, given := strings.Cut(text, ":")
	list := Policies()
	i := slices.IndexFunc(list, func(c Choice) bool { return c.Name == name })
	if i < 0 {
		return Choice{}, &UnknownPolicyError{name}
	}
	c := list[i]
	if given {
		for o := range strings.SplitSeq(options, ",") {
			if !c.choose(o) {
				return Choice{}, &OptionError{name, o, c.Options}
			}
		}
	}
	return c, nil
}

// With returns the text of a policy with one more option, as "warp=8".
func With(policy, option string) string {
	if option == "" {
		return policy
	}
	if strings.Contains(policy, ":") {
		return policy + "," + option
	}
	return policy + ":" + option
}

// choose sets an option, as text "KEY=VALUE" says, and reports whether the policy has it.
func (c *Choice) choose(text string) bool {
	key, value, _ := strings.Cut(text, "=")
	if o := Widths(); key == o.Key && slices.Contains(o.Values, value) {
		c.Warp, _ = strconv.Atoi(value)
		return true
	}
	for i, o := range c.Options {
		if o.Key == key && slices.Contains(o.Values, value) {
			c.chosen[i] = value
			c.Loose = c.Loose || slices.Contains(c.loosen, text)
			return true
		}
	}
	return false
}

// Split takes apart a list of policies, which commas separate. Commas also separate the options of
// a policy: a part with "=" and without ":" belongs to the policy before it.
func Split(list string) (policies []string) {
	for _, part := range strings.Split(list, ",") {
		if n := len(policies); n > 0 && strings.Contains(part, "=") && !strings.Contains(part, ":") {
			policies[n-1] += "," + part
			continue
		}
		policies = append(policies, part)
	}
	return policies
}
