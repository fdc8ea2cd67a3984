package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"jacquard/cmd/jacquard/internal/probe"
	"jacquard/libcuda/bundle"
	"jacquard/libcuda/replay"
	"jacquard/tesla"
)

// listProbes prints all probes with names.
func listProbes(out io.Writer) error {
	for _, p := range probe.All() {
		if _, err := fmt.Fprintf(out, "%s (%s)\n  %s\n  the simulator: %s\n", p.Name, p.For(), p.Question, p.Here); err != nil {
			return err
		}
		if p.Warning != "" {
			fmt.Fprintf(out, "  on a board %s\n", p.Warning)
		}
	}
	return nil
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

// ask runs one probe, and prints what the board answers, and where that is not what the simulator does.
func (f *probeFlags) ask(out io.Writer, p *probe.Probe, board probe.Board, arch tesla.Arch) error {
	answer, err := p.Run(board, arch)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %s\nThe simulator's answer: %s.\n", p.Name, p.Question, p.Here)
	if f.against == "" {
		return answer.Write(out, p, f.first)
	}
	here, err := p.Run(new(replay.Engine), arch)
	if err != nil {
		return err
	}
	same, err := p.Compare(out, answer, here, f.first)
	if same && err == nil {
		_, err = fmt.Fprintln(out, "the board answers the same")
	}
	return err
}

// writeProbes writes the jobs of probes into a bundle, with what they leave on the simulator.
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
	for _, p := range probes {
		l, err := p.Job(arch)
		if err != nil {
			return err
		}
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
	if err := r.Close(); err != nil {
		return err
	}
	_, err = bundle.Finish(path, bundle.Closing{})
	return err
}
