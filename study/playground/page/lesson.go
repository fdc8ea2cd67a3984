package page

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"jacquard/study/kerneltest"
	"jacquard/study/playground"
)

// Lesson is a kernel with a text that explains it.
type Lesson struct {
	Name  string            `json:"name"` // of its folder
	Title string            `json:"title"`
	HTML  string            `json:"html"`  // the text, with a question and an answer to open
	Notes []Note            `json:"notes"` // on the code
	State *playground.State `json:"state"`

	text string // before numbers are filled in
}

// Note is what there is to know about lines with some code.
type Note struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// LessonError is a mistake in a lesson.
type LessonError struct {
	Lesson string
	Err    error
}

// Error names the lesson.
func (e *LessonError) Error() string { return "lesson " + e.Lesson + ": " + e.Err.Error() }

// Unwrap returns the mistake.
func (e *LessonError) Unwrap() error { return e.Err }

// Lessons reads the lessons in the folders of dir, runs each under its policies, and fills the numbers
// into its text. testdata/lessons/README.md describes the files.
func Lessons(dir string) ([]*Lesson, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "test.json"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("%s: there is no lesson in it", dir)
	}
	var lessons []*Lesson
	for _, file := range files {
		l, err := read(filepath.Dir(file))
		if err == nil {
			err = l.fill()
		}
		if err != nil {
			return nil, &LessonError{filepath.Base(filepath.Dir(file)), err}
		}
		lessons = append(lessons, l)
	}
	return lessons, nil
}

// read reads a lesson, without its numbers.
func read(dir string) (*Lesson, error) {
	test, err := kerneltest.Load(filepath.Join(dir, "test.json"))
	if err != nil {
		return nil, err
	}
	code, err := os.ReadFile(filepath.Join(dir, test.Builds[0].File))
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(dir, "lesson.md"))
	if err != nil {
		return nil, err
	}
	title, rest, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
	policies, rest, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(rest), "Policies: "), "\n")
	if !ok || title == "" {
		return nil, fmt.Errorf("want a title and the policies in lesson.md")
	}
	l := &Lesson{Name: filepath.Base(dir), Title: title, Notes: []Note{}, text: strings.TrimSpace(rest),
		State: &playground.State{Test: test, Text: string(code), Policies: strings.Fields(policies)}}
	return l, nil
}

// fill runs the kernel and makes the text of its numbers.
func (l *Lesson) fill() error {
	runs := runs{lesson: l, all: map[string]*playground.Run{}}
	for _, policy := range l.State.Policies {
		r, err := l.State.Run(context.Background(), policy)
		if err != nil {
			return err
		}
		runs.all[policy] = r
	}
	t, err := template.New("lesson.md").Funcs(template.FuncMap{"count": runs.count, "lanes": runs.lanes, "at": runs.at, "transactions": runs.transactions, "fails": runs.fails}).Parse(l.text)
	if err != nil {
		return err
	}
	var filled bytes.Buffer
	if err := t.Execute(&filled, nil); err != nil {
		return err
	}
	text, notes, _ := strings.Cut(filled.String(), "\n## Notes\n")
	text, answer, ok := strings.Cut(text, "\n## Answer\n")
	text, question, asked := strings.Cut(text, "\n## Question\n")
	if !ok || !asked {
		return fmt.Errorf("want ## Question and ## Answer in lesson.md")
	}
	for note := range strings.SplitSeq(strings.TrimSpace(notes), "\n- ") {
		code, said, ok := strings.Cut(strings.TrimPrefix(note, "- "), "`: ")
		code = strings.TrimPrefix(code, "`")
		if !ok || !strings.Contains(l.State.Text, code) {
			return fmt.Errorf("the note %q names no code", note)
		}
		l.Notes = append(l.Notes, Note{code, strings.Join(strings.Fields(said), " ")})
	}
	l.HTML = "<h2>" + inline(l.Title) + "</h2>" + paragraphs(text) + "<p><strong>Question.</strong> " + inline(question) +
		"</p><details><summary>Answer</summary>" + paragraphs(answer) + "</details>"
	return nil
}

// runs holds the runs of a lesson, by policy.
type runs struct {
	lesson *Lesson
	all    map[string]*playground.Run
}

func (r runs) of(policy string) (*playground.Run, error) {
	if run := r.all[policy]; run != nil {
		return run, nil
	}
	return nil, fmt.Errorf("the lesson does not run under %q", policy)
}

// count returns a counter of a launch.
func (r runs) count(policy, counter string) (uint64, error) {
	run, err := r.of(policy)
	if err != nil {
		return 0, err
	}
	n, ok := run.Counters[counter]
	if !ok {
		return 0, fmt.Errorf("no counter %q", counter)
	}
	return n, nil
}

// lanes returns the mean of active lanes.
func (r runs) lanes(policy string) (string, error) {
	run, err := r.of(policy)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%.2f", run.Lanes), nil
}

// transactions returns the number of transactions with device memory.
func (r runs) transactions(policy string) (uint64, error) {
	run, err := r.of(policy)
	if err != nil {
		return 0, err
	}
	return run.Transactions, nil
}

// fails returns the kind of a launch's fault, and fails if there is none.
func (r runs) fails(policy string) (string, error) {
	run, err := r.of(policy)
	if err != nil {
		return "", err
	}
	if run.Fault == "" {
		return "", fmt.Errorf("the launch under %s does not fault: %q", policy, run.Error)
	}
	return run.Fault, nil
}

// at returns a counter of an instruction, summed over the instructions of the only line with a text.
// The counter "lanes" is the mean of active lanes.
func (r runs) at(policy, text, counter string) (any, error) {
	run, err := r.of(policy)
	if err != nil {
		return nil, err
	}
	if n := strings.Count(r.lesson.State.Text, text); n != 1 {
		return nil, fmt.Errorf("%q is in the text %d times", text, n)
	}
	before, _, _ := strings.Cut(r.lesson.State.Text, text)
	line, sum, issues, lanes := strings.Count(before, "\n")+1, uint64(0), 0., 0.
	found := false
	for i := range run.Code {
		if run.Code[i].Line == line {
			c := run.Each[i].Counters
			sum += c[counter]
			issues += float64(c["issues"])
			lanes += run.Each[i].Lanes * float64(c["issues"])
			found = true
		}
	}
	switch {
	case !found:
		return nil, fmt.Errorf("%q became no instruction", text)
	case counter == "lanes":
		return fmt.Sprintf("%.2f", lanes/issues), nil
	}
	return sum, nil
}
