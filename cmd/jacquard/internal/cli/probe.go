package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"jacquard/board/probe"
	"jacquard/board/replay"
	"jacquard/board/verify"
	"jacquard/observe/bundle"
	"jacquard/tesla"
)

type probeFlags struct {
	op      string
	flags   string
	vectors string
	out     string
	against string
	arch    string
	bundle  string
	list    bool
	first   uint32
}

func newProbe() *cobra.Command {
	var f probeFlags
	c := &cobra.Command{
		Use:   "probe --op OP A [B [C]] | probe --vectors FILE | probe NAME... | probe --list",
		Short: "Ask a device what an instruction computes, or settle an open point",
		Long: `Make a job for the driver API that executes one instruction on given operands, run it, and
write the answer as a vector file (the columns op,mods,a,b,c,cc_in,r,cc_out,r2). With
--against the job runs on a board, through its libcuda; otherwise on the simulator, which
must answer as its golden vectors say.

NAME is a probe that settles an unverified point (docs/exactness.md); --list has all probes.
The results of the threads are printed; with --against, so is each place where the board and
the simulator differ. --bundle writes the jobs into a bundle, for jacquard replay --against.

--op is an operation of the vector files with its modifiers; operands are hexadecimal and
have as many digits as the instruction takes: 4, 8 or 16. --vectors asks all rows of a
vector file, and compares the answers with those that the rows want. Rows without an
instruction on the device are left out, and rows under a mode bit that no program can set.

Exit status 1 if an answer differs from that of its row.`,
		Example: `  jacquard probe --op "add b32" ffffffff 00000001
  jacquard probe --op "f2f f16 f32 rzi sat" 40490fdb
  jacquard probe --vectors testdata/vectors/fp.csv.gz --arch sm_10
  jacquard probe --vectors fp.csv.gz --against /usr/lib/libcuda.so.1 -o board.csv
  jacquard probe --list
  jacquard probe branch-order vote --against /usr/lib/libcuda.so.1`,
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case f.op != "" && f.vectors != "", f.list && f.op+f.vectors != "":
				return usagef("jacquard probe wants one of --op, --vectors and --list: see jacquard probe --help")
			case f.op != "":
				return arguments(1, 3, "one to three operands")(c, args)
			case f.vectors != "":
				return arguments(0, 0, "no operands with --vectors")(c, args)
			case f.list:
				return arguments(0, 0, "no arguments with --list")(c, args)
			}
			return arguments(1, -1, "--op, --vectors, --list or the name of a probe")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case f.list:
				listProbes(c.OutOrStdout())
				return nil
			case f.op == "" && f.vectors == "":
				return f.named(c, args)
			}
			return f.run(c, args)
		},
	}
	fl := c.Flags()
	fl.StringVar(&f.op, "op", "", "`OPERATION` and modifiers, as in a vector file")
	fl.StringVar(&f.flags, "flags", "", "flags that the operation reads, one hexadecimal `DIGIT`")
	fl.StringVar(&f.vectors, "vectors", "", "ask all rows of this vector `FILE` (.csv or .csv.gz)")
	fl.StringVarP(&f.out, "output", "o", "", "write the answers into this `FILE`; - is standard output (default: standard output with --op, nowhere with --vectors)")
	fl.StringVar(&f.against, "against", "", "ask a board through this `LIBRARY`, a libcuda.so.1")
	fl.StringVar(&f.arch, "arch", "", "code for `ARCH`: sm_10, sm_11, sm_12 or sm_13 (default: the board's, sm_13 on the simulator)")
	fl.StringVar(&f.bundle, "bundle", "", "write the jobs of the probes into this bundle, a `FILE`, instead of running them")
	fl.BoolVar(&f.list, "list", false, "list the probes that have names")
	fl.Uint32Var(&f.first, "first", 10, "show `N` lines of an answer")
	return c
}

func (f *probeFlags) run(c *cobra.Command, args []string) error {
	if f.bundle != "" {
		return usagef("--bundle goes with the names of probes")
	}
	rows, err := f.rows(args)
	if err != nil {
		return err
	}
	if err := apart([]string{f.vectors}, output{"-o", f.out}); err != nil {
		return err
	}
	if f.out != "" {
		if err := writable("the answers", f.out); err != nil {
			return err
		}
	}
	board, arch, end, err := f.board()
	if err != nil {
		return err
	}
	defer end()
	answers, err := probe.Ask(board, arch, rows, func(percent int) { progress(c, fmt.Sprintf("%d %%", percent)) })
	progress(c, "")
	if err != nil {
		return err
	}
	if f.op != "" && len(answers.LeftOut) > 0 {
		return usagef("--op: %s", answers.LeftOut[0].Why)
	}
	if err := f.write(c.OutOrStdout(), answers.Rows); err != nil {
		return err
	}
	if f.op != "" {
		return nil
	}
	return f.report(beside(c, f.out), len(rows), answers)
}

// rows returns the rows to ask.
func (f *probeFlags) rows(args []string) ([]verify.Row, error) {
	if f.vectors != "" {
		return verify.ReadRows(f.vectors)
	}
	operands := append(args, "", "")
	row, err := verify.ParseRow(f.op, operands[0], operands[1], operands[2], f.flags)
	if err != nil {
		return nil, usagef("%w", err)
	}
	return []verify.Row{row}, nil
}

// board returns the device to ask. Until end is called the tool stays on one thread of the system.
func (f *probeFlags) board() (board probe.Board, arch tesla.Arch, end func(), err error) {
	if arch, err = archOr(f.arch, tesla.SM13); err != nil {
		return nil, 0, nil, err
	}
	if f.against == "" {
		return new(replay.Engine), arch, func() {}, nil
	}
	other, end, err := openOther(f.against, new(replay.Engine))
	if err != nil {
		return nil, 0, nil, err
	}
	real := probe.Real{OtherDriver: other}
	if f.arch == "" {
		if arch, err = real.Arch(); err != nil {
			end()
			return nil, 0, nil, err
		}
	}
	return real, arch, end, nil
}

// write writes the answers to their file.
func (f *probeFlags) write(out io.Writer, rows []verify.Row) error {
	switch {
	case f.out == "" && f.op == "":
		return nil
	case f.out == "":
		return verify.WriteRows(out, rows)
	}
	return writeFile(out, f.out, func(w io.Writer) error { return verify.WriteRows(w, rows) })
}

// report compares the answers with the rows.
func (f *probeFlags) report(out io.Writer, rows int, v *probe.Vectors) error {
	for i := range v.Different[:min(int(f.first), len(v.Different))] {
		fmt.Fprintln(out, &v.Different[i])
	}
	why := map[string]int{}
	for _, l := range v.LeftOut {
		if why[l.Why]++; why[l.Why] == 1 {
			fmt.Fprintf(out, "left out: %s: %s\n", &l.Row, l.Why)
		}
	}
	fmt.Fprintf(out, "%d rows: %d as wanted, %d otherwise, %d left out\n", rows, len(v.Rows)-len(v.Different), len(v.Different), len(v.LeftOut))
	switch {
	case len(v.Different) > 0:
		return errSaid
	case len(v.Rows) == 0:
		return errNoRows
	}
	return nil
}

// listProbes prints all probes that have names.
func listProbes(out io.Writer) {
	for _, p := range probe.All() {
		fmt.Fprintf(out, "%s (%s)\n  %s\n  the simulator: %s\n", p.Name, p.For(), p.Question, p.Here)
		if p.Warning != "" {
			fmt.Fprintf(out, "  on a board %s\n", p.Warning)
		}
	}
}

// named runs the probes called names.
func (f *probeFlags) named(c *cobra.Command, names []string) error {
	var probes []*probe.Probe
	for _, name := range names {
		p := probe.Find(name)
		if p == nil {
			return usagef("no probe is called %q: jacquard probe --list has them all", name)
		}
		probes = append(probes, p)
	}
	if f.out != "" {
		return usagef("-o goes with --op or --vectors")
	}
	if err := notStandardOutput(output{"--bundle", f.bundle}); err != nil {
		return err
	}
	board, arch, end, err := f.board()
	if err != nil {
		return err
	}
	defer end()
	if f.bundle != "" {
		return writeProbes(f.bundle, probes, arch)
	}
	for _, p := range probes {
		if err := f.ask(c.OutOrStdout(), p, board, arch); err != nil {
			return err
		}
	}
	return nil
}

// ask runs one probe, and prints the board's answer and where it differs from the simulator's.
func (f *probeFlags) ask(out io.Writer, p *probe.Probe, board probe.Board, arch tesla.Arch) error {
	answer, err := p.Run(board, arch)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %s\nThe simulator's answer: %s.\n", p.Name, p.Question, p.Here)
	if f.against == "" {
		return answer.Write(out, p, int(f.first))
	}
	here, err := p.Run(new(replay.Engine), arch)
	if err != nil {
		return err
	}
	same, err := p.Compare(out, answer, here, int(f.first))
	if same && err == nil {
		_, err = fmt.Fprintln(out, "the board answers the same")
	}
	return err
}

// writeProbes writes the jobs of probes into a bundle, with the memory that they leave on the
// simulator.
func writeProbes(path string, probes []*probe.Probe, arch tesla.Arch) error {
	for _, p := range probes {
		if p.Rows != nil {
			return usagef("probe %s asks for rows of vectors, which no bundle holds: leave it or --bundle out", p.Name)
		}
	}
	r, err := bundle.Create(path, bundle.Options{}, nil)
	if err != nil {
		return err
	}
	for i, p := range probes {
		l, err := p.Job(arch)
		if err != nil {
			return err
		}
		l.Number = i
		after, err := new(replay.Engine).Run(l)
		if err != nil {
			return err
		}
		recording := r.Begin(l)
		for i, content := range after.Memory {
			l.Memory[i].Bytes = content
		}
		recording.End(l.Memory, after.Outcome)
	}
	return closeBundle(r, path, bundle.Closing{})
}
