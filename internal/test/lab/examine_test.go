package lab

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/observe/findings"
	"jacquard/simt/check"
)

// shrink rewrites the list of a laboratory without the programs that are right now.
var shrink = flag.Bool("shrink", false, "take the programs that are right out of the list of those that are not")

// notYet is the file of a laboratory that lists programs on which the checkers are not right, each
// with the reason behind the name. It may only become shorter.
const notYet = "notyet.txt"

// examination is what the test knows of all programs.
type examination struct {
	mu      sync.Mutex
	reasons map[string]string // of programs on which the checkers may be wrong
	right   map[string]bool   // by program
	scores  map[string]*Score // by group
}

// TestCheckers runs all programs under all checks. The checkers find what the comments say, and
// nothing else, in all programs but those that are listed. With -v it prints a table.
func TestCheckers(t *testing.T) {
	groups := byKind(t)
	x := examination{reasons: readNotYet(t), right: map[string]bool{}, scores: map[string]*Score{}}
	total := 0
	t.Run("all", func(t *testing.T) {
		for group, programs := range groups {
			x.scores[group] = &Score{}
			total += len(programs)
			t.Run(group, func(t *testing.T) {
				t.Parallel()
				for _, p := range programs {
					t.Run(filepath.Base(p.Name), func(t *testing.T) {
						v := p.Examine(checked(t, executable(t, group, p, programs), p))
						x.judge(t, group, p, &v)
					})
				}
			})
		}
	})
	x.table(t)
	if len(x.right) < total { // -run chose some
		return
	}
	for name := range x.reasons {
		right, there := x.right[name]
		require.True(t, there, "%s: there is no program %s", notYet, name)
		if right && !*shrink {
			t.Errorf("%s: the checkers are right on %s: take it out, or have -shrink do it", notYet, name)
		}
	}
	if *shrink {
		x.shrink(t)
	}
}

// judge notes a verdict, and fails the test if the checkers are not right on a program that is not
// listed.
func (x *examination) judge(t *testing.T, group string, p *Program, v *Verdict) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.scores[group].Add(v)
	x.right[p.Name] = v.Right()
	say := t.Errorf
	if reason := x.reasons[p.Name]; reason != "" {
		say = func(format string, args ...any) { t.Logf(format+" (listed: "+reason+")", args...) }
	}
	for _, m := range v.Missed {
		say("missed %s", m)
	}
	for i := range v.False {
		say("false alarm: %s", &v.False[i])
	}
}

// table prints the scores.
func (x *examination) table(t *testing.T) {
	var sum Score
	var b strings.Builder
	for _, k := range check.Kinds() {
		if s := x.scores[string(k)]; s != nil {
			fmt.Fprintf(&b, "\n%-8s%s", k, s)
			sum = Score{sum.Programs + s.Programs, sum.Right + s.Right, sum.Found + s.Found, sum.Missed + s.Missed, sum.False + s.False}
		}
	}
	t.Logf("\n%-8s%s%s\n%-8s%s", "", ScoreHead, &b, "all", sum)
}

// readNotYet reads the list of the laboratory: reasons by program. Without a file it is empty.
func readNotYet(t *testing.T) map[string]string {
	t.Helper()
	reasons := map[string]string{}
	text, err := os.ReadFile(filepath.Join(*folder, notYet))
	if os.IsNotExist(err) {
		return reasons
	}
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if name, reason := listed(line); name != "" {
			require.NotEmpty(t, reason, "%s: why are the checkers not right?", name)
			reasons[name] = reason
		}
	}
	return reasons
}

// listed takes a line of the list apart; name is "" in a comment.
func listed(line string) (name, reason string) {
	name, reason, _ = strings.Cut(strings.TrimSpace(line), " ")
	if strings.HasPrefix(name, "#") {
		return "", ""
	}
	return name, strings.TrimSpace(reason)
}

// shrink takes the programs that are right out of the list.
func (x *examination) shrink(t *testing.T) {
	path := filepath.Join(*folder, notYet)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		if name, _ := listed(line); !x.right[name] {
			b.WriteString(line)
		}
	}
	require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o666))
}

// checked runs a program under all checks and returns what is found.
func checked(t *testing.T, exe string, p *Program) []check.Finding {
	t.Helper()
	report := filepath.Join(t.TempDir(), "found.jsonl")
	run(t, exe, p.Name, "JACQUARD_CHECK=all", "JACQUARD_CHECK_REPORT="+report)
	r, err := findings.Read(report)
	require.NoError(t, err)
	require.True(t, r.Started && r.Complete, p.Name)
	return r.Findings
}

func TestExamine(t *testing.T) {
	p, err := Parse("race/x", `int a; // finding a: race read-write shared; note b: race warp-synchronous shared
int b; // with a; with b
int c; // with a; finding: race write-write|read-write global
int d; // finding d: memory after-free global
int e; // with d
`)
	require.NoError(t, err)
	site := func(line int) check.Site {
		return check.Site{Stack: []check.Frame{{File: "/toolkit/x.h", Line: 1, System: true}, {File: "/lab/race/x.cu", Line: line}}}
	}
	race := func(what, space string, lines ...int) check.Finding {
		f := check.Finding{Kind: check.KindRace, What: what, Space: space, Level: check.Error, At: site(lines[0])}
		for _, n := range lines[1:] {
			f.With = append(f.With, site(n))
		}
		return f
	}
	free := check.Finding{Kind: check.KindMemory, What: "after-free", Space: "global", Level: check.Error, At: site(4), With: []check.Site{site(5)}}
	v := p.Examine([]check.Finding{race("read-write", "shared", 1, 2), race("read-write", "shared", 3, 1), race("read-write", "global", 3), free})
	require.True(t, v.Right(), v)
	require.Len(t, v.Found, 4)

	note := race("warp-synchronous", "shared", 1, 2)
	free.With = nil
	v = p.Examine([]check.Finding{note, race("read-write", "shared", 1, 3), race("read-write", "shared", 1), race("write-write", "global", 3, 4), free})
	require.Equal(t, []string{"1: race read-write shared with [3]"}, v.Found)
	require.Equal(t, []string{"1: race read-write shared with [2]", "3: race write-write|read-write global", "4: memory after-free global with [5]"}, v.Missed)
	require.Len(t, v.False, 4)
	note.Level = check.Note
	v = p.Examine([]check.Finding{note})
	require.Empty(t, v.False)
	var s Score
	s.Add(&v)
	require.Equal(t, Score{Programs: 1, Missed: 4}, s)
}
