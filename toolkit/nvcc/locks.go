package nvcc

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

// locksStep is the name of the step Locks.
const locksStep = "locks"

// Locks copies LLVM's text, as clang writes it before any optimization, from one file to another, and
// keeps critical sections in their loops.
//
// Threads that take a lock in turn are written as a loop that holds the section:
//
//	while (!done) if (atomicCAS(&lock, 0, 1) == 0) { ...; atomicExch(&lock, 0); done = true; }
//
// LLVM moves the section behind the loop, where only lanes come that have left it. From sm_70 on each
// lane advances by itself, so that is right. On sm_1x the lane that has the lock then waits behind the
// loop for lanes that wait in the loop for the lock. So all lanes that come to the end of such a
// section meet at the end of the loop's body, even if they leave by break, goto or return. Something
// convergent stands there, which LLVM may not duplicate.
//
// A loop that only waits, such as while (atomicCAS(&lock, 0, 1)), stays as it is: on a board, too,
// a warp whose lanes want one lock never leaves such a loop.
func Locks(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, []byte(keepSections(string(text))), 0o666)
}

// named finds atomic operations in a source.
var named = regexp.MustCompile(`\batomic[A-Z]|\b(atom|red)\.`)

// synchronize reports whether threads may take locks in a source.
func synchronize(read []sourceFile) bool {
	return slices.ContainsFunc(read, func(f sourceFile) bool { return named.Match(f.text) })
}

// keepSections returns a module whose critical sections stay in their loops.
func keepSections(text string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	synchronizes := synchronizing(lines)
	var out strings.Builder
	for i := 0; i < len(lines); i++ {
		end := endOf(lines, i)
		if f := parseFunction(lines[i:end]); f != nil {
			s := &sections{function: f, synchronizes: synchronizes, locals: f.locals(), done: map[string]bool{}}
			for s.keepOne() {
			}
			f.print(&out)
			i = end - 1
			continue
		}
		out.WriteString(lines[i] + "\n")
	}
	return out.String()
}

// endOf returns the line behind the body of the function that begins in a line; the next for another.
func endOf(lines []string, i int) int {
	if strings.HasPrefix(lines[i], "define ") {
		for j := i + 1; j < len(lines); j++ {
			if lines[j] == "}" {
				return j
			}
		}
	}
	return i + 1
}

var (
	called = regexp.MustCompile(`\bcall .*?@([-\w.$]+|"[^"]*")\(`)
	result = regexp.MustCompile(`^  (%(?:[-\w.$]+|"[^"]*")) = `)
	// atomic finds instructions that synchronize, fences too; volatile finds accesses that other
	// threads see; cleared finds the store of 0 that releases a lock without either.
	atomic   = regexp.MustCompile(`\b(atomicrmw|cmpxchg|load atomic|store atomic)\b|^  fence |@llvm\.nvvm\.(atomic|membar)|asm .*\b(atom|red|membar|fence)\.`)
	volatile = regexp.MustCompile(`\b(load|store) volatile\b`)
	cleared  = regexp.MustCompile(`^  store i(?:32|64) 0, ptr ([^ ,]+)`)
	local    = regexp.MustCompile(`^  (%\S+) = alloca `)
)

// synchronizing returns the functions that have an atomic operation, or call such a function.
func synchronizing(lines []string) map[string]bool {
	callers, known := map[string][]string{}, map[string]bool{}
	var mark func(name string)
	mark = func(name string) {
		if !known[name] {
			known[name] = true
			for _, caller := range callers[name] {
				mark(caller)
			}
		}
	}
	var in string
	var first []string
	for _, line := range lines {
		if m := defined.FindStringSubmatch(line); m != nil {
			in = m[1]
		}
		if atomic.MatchString(line) {
			first = append(first, in)
		} else if m := called.FindStringSubmatch(line); m != nil {
			callers[m[1]] = append(callers[m[1]], in)
		}
	}
	for _, name := range first {
		mark(name)
	}
	return known
}

// sections finds critical sections in the loops of a function.
type sections struct {
	*function
	synchronizes map[string]bool
	locals       map[string]bool // variables of the function
	done         map[string]bool // heads of loops
	kept         int
}

// section is a loop that holds a critical section.
type section struct {
	head, end int          // first and last block of the loop in the text, in source order
	body      map[int]bool // the natural loop
	// held are the blocks that lanes come to with the lock, or may.
	held map[int]bool
}

// keepOne keeps the section of one loop, inner loops first. It returns false if there is none left.
func (s *sections) keepOne() bool {
	g := s.flow()
	for head := len(s.blocks) - 1; head >= 0; head-- {
		name := s.blocks[head].name
		body := g.loop(head)
		if body == nil || s.done[name] {
			continue
		}
		s.done[name] = true
		l := &section{head: head, end: s.lastOf(head, body), body: body}
		if s.locks(g, l) && s.keep(g, l) {
			return true
		}
	}
	return false
}

// loopHead finds the statement of a loop by the name of its first block.
var loopHead = regexp.MustCompile(`^(while|for|do)\.`)

// opened finds the block that every loop of a statement has once, by the statement.
var opened = map[string]*regexp.Regexp{
	"while.": regexp.MustCompile(`^while\.body\d*$`),
	"for.":   regexp.MustCompile(`^for\.cond\d*$`),
	"do.":    regexp.MustCompile(`^do\.body\d*$`),
}

// lastOf returns the last block of a loop in the text. Blocks that lead out of the loop follow
// blocks that lead back, if they are inside its braces in the source. The loop then ends before
// the block that lanes reach after it. Other loops may stand between.
func (s *sections) lastOf(head int, body map[int]bool) int {
	last := head
	for b := range body {
		last = max(last, b)
	}
	kind := loopHead.FindString(s.blocks[head].name)
	if kind == "" {
		return last
	}
	inner := 0
	for i := last + 1; i < len(s.blocks); i++ {
		switch name := s.blocks[i].name; {
		case opened[kind].MatchString(name):
			inner++
		case !strings.HasPrefix(name, kind+"end"):
		case inner == 0:
			return i - 1
		default:
			inner--
		}
	}
	return last
}

// locks reports whether a loop has a critical section, and finds the blocks that hold the lock:
// they follow an atomic operation whose result decides over a second one.
func (s *sections) locks(g *flow, l *section) bool {
	for a := l.head; a <= l.end; a++ {
		if !l.body[a] || !s.acquires(s.blocks[a]) {
			continue
		}
		l.held = map[int]bool{}
		releases := false
		for b := l.head; b <= l.end; b++ {
			if g.tree.Dominates(a, b) {
				l.held[b] = true
				releases = releases || b != a && s.releases(s.blocks[b])
			}
		}
		if releases {
			return true
		}
	}
	return false
}

// acquires reports whether a block reads a word that other threads write, by an atomic operation
// or a volatile load, and uses it.
func (s *sections) acquires(b *block) bool {
	for i, line := range b.lines {
		m := result.FindStringSubmatch(line)
		if m != nil && (s.atomic(line) || volatile.MatchString(line)) && s.uses(b.lines[i+1:], m[1]) {
			return true
		}
	}
	return false
}

// uses reports whether lines use a value. The value of a call is used in its own block, or not at
// all.
func (s *sections) uses(lines []string, value string) bool {
	used := regexp.MustCompile(regexp.QuoteMeta(value) + `([^-\w.$]|$)`)
	return slices.ContainsFunc(lines, used.MatchString)
}

// releases reports whether a block may give a lock back.
func (s *sections) releases(b *block) bool {
	return slices.ContainsFunc(b.lines, func(line string) bool {
		clear := cleared.FindStringSubmatch(line)
		return s.atomic(line) || clear != nil && !s.locals[clear[1]] || strings.Contains(line, "store volatile")
	})
}

// atomic reports whether a line synchronizes, or calls what does.
func (s *sections) atomic(line string) bool {
	if atomic.MatchString(line) {
		return true
	}
	m := called.FindStringSubmatch(line)
	return m != nil && s.synchronizes[m[1]]
}

// way is an edge that lanes take from a section: into the next round, or out of the loop.
type way struct {
	from int
	to   string // "" for the end of the function
}

// returned finds the type and the value that a function returns; both are empty for void.
var returned = regexp.MustCompile(`^  ret (?:void|(.+) (%[-\w.$]+|-?[\w.+]+))(?:, !dbg .*)?$`)

// ways returns the ways from a section. They are false if a block that they lead to asks where control
// comes from.
func (s *sections) ways(g *flow, l *section) (list []way, ok bool) {
	head := s.blocks[l.head]
	for _, p := range g.pred[l.head] {
		if l.body[p] && !slices.Contains(list, way{p, head.name}) {
			list = append(list, way{p, head.name})
		}
	}
	ok = !head.phis()
	for b := l.head; b <= l.end; b++ {
		if !l.held[b] {
			continue
		}
		for _, t := range g.succ[b] {
			if !l.body[t] && !l.held[t] {
				list = append(list, way{b, s.blocks[t].name})
				ok = ok && !s.blocks[t].phis()
			}
		}
		if returned.MatchString(s.blocks[b].ending()) {
			list = append(list, way{b, ""})
		}
	}
	return list, ok
}

// value finds the values in a line.
var value = regexp.MustCompile(`%[-\w.$]+`)

// escapes reports whether a value of a loop is used behind it other than by a variable: behind the
// meeting there is none. Clang writes no such value for a statement.
func (s *sections) escapes(l *section) bool {
	inside := map[string]bool{}
	for i, b := range s.blocks {
		for _, line := range b.lines {
			if m := result.FindStringSubmatch(line); m != nil && (l.body[i] || l.held[i]) {
				inside[m[1]] = true
			}
		}
	}
	for i, b := range s.blocks {
		if l.body[i] || l.held[i] {
			continue
		}
		for _, line := range b.lines {
			if slices.ContainsFunc(value.FindAllString(line, -1), func(v string) bool { return inside[v] }) {
				return true
			}
		}
	}
	return false
}

// keep leads all ways from a section over a block at the end of the loop, where the lanes meet. It
// returns false if the loop has to stay as it is.
func (s *sections) keep(g *flow, l *section) bool {
	ways, ok := s.ways(g, l)
	if !ok || s.escapes(l) {
		return false
	}
	s.kept++
	m := &meeting{name: fmt.Sprintf("section.%d", s.kept), numbers: map[string]int{s.blocks[l.head].name: 0}}
	m.variables = []string{fmt.Sprintf("  %%%s.way = alloca i32", m.name)}
	for _, w := range ways {
		m.add(s.blocks[w.from], w.to)
	}
	s.blocks[0].prepend(m.variables)
	s.blocks = slices.Insert(s.blocks, l.end+1, append(m.edges, m.block(s.blocks[l.head].name))...)
	s.blocks = append(s.blocks, m.returns...)
	return true
}
