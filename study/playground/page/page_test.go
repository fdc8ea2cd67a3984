package page

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/study/kerneltest"
	"jacquard/study/playground"
	"jacquard/tesla"
)

const lessons = "../../../testdata/lessons"

// spans are the parts of a lesson that no reader takes for a measured number: code and
// placeholders.
var spans = regexp.MustCompile("`[^`]*`|{{[^}]*}}")

// Every number in a lesson is filled in from a run.
func TestNumbersAreFilledIn(t *testing.T) {
	all, err := Lessons(lessons)
	require.NoError(t, err)
	require.Len(t, all, 10)
	for _, l := range all {
		require.NotRegexp(t, `[0-9]`, spans.ReplaceAllString(l.text, ""), l.Name)
		require.Contains(t, l.text, "{{", l.Name)
		require.NotContains(t, l.HTML, "{{")
		require.Regexp(t, `[0-9]`, l.HTML)
		require.NotEmpty(t, l.Notes, l.Name)
		require.LessOrEqual(t, len(l.State.Policies), playground.MostPolicies)
	}
	text := strings.Join(strings.Fields(all[0].HTML), " ") // lines end anywhere
	require.Contains(t, text, "All in all the warp issued 16 instructions with 26.00 lanes in the mean.")
	require.Contains(t, text, "<details><summary>Answer</summary><p>Under <code>nvidia</code> the instruction <code>join</code> is issued 2 times:")
	require.Equal(t, Note{"bra together", "All active lanes take this branch: no divergence."}, all[0].Notes[3])
}

// What the lessons say of changes to their kernels is so.
func TestClaims(t *testing.T) {
	run := func(name, policy string, arch tesla.Arch, changes ...string) *playground.Run {
		l, err := read(filepath.Join(lessons, name))
		require.NoError(t, err)
		for i := 0; i < len(changes); i += 2 {
			require.Contains(t, l.State.Text, changes[i])
		}
		l.State.Text = strings.NewReplacer(changes...).Replace(l.State.Text)
		l.State.Test.Builds[0].Arch = arch
		for i := range l.State.Test.Params {
			if p := &l.State.Test.Params[i]; p.Buffer {
				p.Expect, p.Compare = nil, kerneltest.Any
			}
		}
		r, err := l.State.Run(context.Background(), policy)
		require.NoError(t, err)
		require.Empty(t, r.Error)
		return r
	}
	divergent := func(r *playground.Run) (n uint64) {
		for _, e := range r.Each {
			n += e.Counters["divergent"]
		}
		return n
	}
	before, after := run("02-loop", "nvidia", tesla.SM13), run("02-loop", "nvidia", tesla.SM13, "mov b32 $r2 $r0 ", "mov b32 $r2 0x1f ")
	require.Less(t, after.Counters["warp_instructions"], before.Counters["warp_instructions"])
	require.Zero(t, divergent(after))

	require.Zero(t, run("06-barrier", "nvidia", tesla.SM13, "and b32 $r1 $r0 0x10", "and b32 $r1 $r0 0x20").Counters["partial_barriers"])

	reversed := []string{"mad.lo.u32 %r3, %r1, 4, %r2;", "sub.u32 %r3, 31, %r1; mad.lo.u32 %r3, %r3, 4, %r2;"}
	old, recent := run("08-coalescing", "nvidia", tesla.SM10), run("08-coalescing", "nvidia", tesla.SM13)
	require.Equal(t, old.Transactions, recent.Transactions)
	require.EqualValues(t, 30, run("08-coalescing", "nvidia", tesla.SM10, reversed...).Transactions-old.Transactions, "32 instead of 2")
	require.Equal(t, recent.Transactions, run("08-coalescing", "nvidia", tesla.SM13, reversed...).Transactions)

	const take = `	atom.global.cas.b32 %r3, [%r1], 0, 1;
	setp.ne.u32 %taken, %r3, 0;
	@%taken bra spin;              // lanes that found the lock taken try again
	ld.volatile.global.u32 %r4, [%r2];
	add.u32 %r4, %r4, 1;
	st.volatile.global.u32 [%r2], %r4;
	atom.global.exch.b32 %r5, [%r1], 0;
`
	fixed := run("07-lock", "nvidia", tesla.SM13, take, `	atom.global.cas.b32 %r3, [%r1], 0, 1;
	setp.ne.u32 %taken, %r3, 0;
	@%taken bra next;
	ld.volatile.global.u32 %r4, [%r2];
	add.u32 %r4, %r4, 1;
	st.volatile.global.u32 [%r2], %r4;
	atom.global.exch.b32 %r5, [%r1], 0;
next:
	@%taken bra spin;
`)
	require.Equal(t, []byte{32, 0, 0, 0}, fixed.Memory[1].Bytes)

	const far = "\tmov.u32 %r5, 1;                // the distance of the two words\n"
	classic := run("10-reduction", "nvidia", tesla.SM13, far, "\tmov.u32 %r5, 64;\n", "	shl.b32 %r6, %r5, 1;\n	sub.u32 %r7, %r6, 1;\n	and.b32 %r7, %r1, %r7;\n	setp.ne.u32 %p, %r7, 0;",
		"	shr.u32 %r6, %r5, 1;\n	setp.ge.u32 %p, %r1, %r5;", "setp.lt.u32 %p, %r5, 128;", "setp.ne.u32 %p, %r5, 0;")
	first := run("10-reduction", "nvidia", tesla.SM13)
	require.Equal(t, first.Memory[1].Bytes, classic.Memory[1].Bytes)
	require.Less(t, classic.Counters["warp_instructions"], first.Counters["warp_instructions"])
	for _, e := range classic.Each {
		require.Equal(t, e.Counters["shared_accesses"], e.Counters["shared_steps"], "no conflicts")
	}
}

func TestLessonErrors(t *testing.T) {
	const good = "# T\n\nPolicies: nvidia\n\nText.\n\n## Question\nQ?\n\n## Answer\nA.\n\n## Notes\n- `joinat`: N.\n"
	for _, c := range []struct{ name, old, with, want string }{
		{"no policies", "Policies: nvidia\n\nText.", "Policies: nvidia", "want ## Question and ## Answer"},
		{"no question", "## Question", "", "want ## Question and ## Answer"},
		{"a note on nothing", "`joinat`", "`bogus`", "names no code"},
		{"a policy that does not run", "Text.", `{{lanes "dfs"}}`, `the lesson does not run under "dfs"`},
		{"no counter", "Text.", `{{count "nvidia" "bogus"}}`, `no counter "bogus"`},
		{"no line", "Text.", `{{at "nvidia" "bogus" "issues"}}`, `"bogus" is in the text 0 times`},
		{"no instruction", "Text.", `{{at "nvidia" ".kernel" "issues"}}`, `".kernel" became no instruction`},
		{"no failure", "Text.", `{{fails "nvidia"}}`, "the launch under nvidia does not fault"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "x")
			require.NoError(t, os.CopyFS(dir, os.DirFS(lessons+"/01-if")))
			require.Contains(t, good, c.old)
			require.NoError(t, os.Remove(filepath.Join(dir, "lesson.md")))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "lesson.md"), []byte(strings.Replace(good, c.old, c.with, 1)), 0o666))
			_, err := Lessons(filepath.Dir(dir))
			require.ErrorAs(t, err, new(*LessonError))
			require.ErrorContains(t, err, c.want)
		})
	}
	_, err := Lessons(t.TempDir())
	require.ErrorContains(t, err, "there is no lesson in it")
}

func TestWrite(t *testing.T) {
	all, err := Lessons(lessons)
	require.NoError(t, err)
	dir := t.TempDir()
	parts := &Parts{Wasm: []byte("wasm"), Exec: []byte("exec"), Script: []byte("script"), Licences: []byte("MIT"), Lessons: all}
	require.NoError(t, Write(dir, parts))
	index, err := os.ReadFile(filepath.Join(dir, "index.html"))
	require.NoError(t, err)
	require.Contains(t, string(index), "default-src")
	require.Equal(t, 1, bytes.Count(index, loaded))
	code, err := os.ReadFile(filepath.Join(dir, "simulator.js"))
	require.NoError(t, err)
	require.Contains(t, string(code), `"exec":"exec"`)
	for _, l := range all {
		test, err := kerneltest.Load(filepath.Join(dir, "lessons", l.Name, "test.json"))
		require.NoError(t, err)
		_, err = test.Image(&test.Builds[0])
		require.NoError(t, err)
	}
	require.Error(t, Write(dir, &Parts{}))

	// A text cannot leave the place of a state.
	s := &playground.State{Text: "</script><script>alert(1)</script>", Policies: []string{"nvidia"}}
	with, err := Load(index, s)
	require.NoError(t, err)
	require.Equal(t, bytes.Count(index, []byte("</script>")), bytes.Count(with, []byte("</script>")))
	_, place, _ := bytes.Cut(with, []byte(`id="loaded">`))
	state, _, _ := bytes.Cut(place, []byte("</script>"))
	var again playground.State
	require.NoError(t, json.Unmarshal(state, &again))
	require.Equal(t, s.Text, again.Text)
	_, err = Load(with, s)
	require.EqualError(t, err, "no page of the playground: it has no place for a kernel")
}

func TestText(t *testing.T) {
	require.Equal(t, "<p>a &lt;b&gt; <code>x * y * z</code> <em>c</em></p><p>d</p>", paragraphs("a <b> `x * y * z` *c*\n\nd\n"))
}
