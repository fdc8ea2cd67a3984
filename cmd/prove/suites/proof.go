package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"jacquard/study/programs"
)

// proof judges the result of a program.
type proof struct {
	text  string // for the table
	check func(*trial) error
}

// verdict trusts the program's own last line, because programs of the SDK end with a verdict.
func verdict() proof {
	return proof{"its own verdict", func(t *trial) error {
		if t.result.Verdict != programs.Passed {
			return fmt.Errorf("%s", t.result.Reason)
		}
		return nil
	}}
}

// says requires lines in the output that are or contain these words.
func says(words ...string) proof {
	return proof{"prints `" + strings.Join(words, "`, `") + "`", func(t *trial) error {
		for _, w := range words {
			if !strings.Contains(t.result.Output, w) {
				return fmt.Errorf("does not print %q", w)
			}
		}
		return nil
	}}
}

// lacks requires that a word is missing in the output behind another word.
func lacks(word, behind string) proof {
	return proof{"no `" + word + "` behind `" + behind + "`", func(t *trial) error {
		rest, err := after(t.result.Output, behind)
		if err == nil && strings.Contains(rest, word) {
			err = fmt.Errorf("prints %q", word)
		}
		return err
	}}
}

// number requires a number between two limits, exclusive, behind a word of the output.
func number(word string, above, below float64) proof {
	found := regexp.MustCompile(regexp.QuoteMeta(word) + `\s*([-+.\w]+)`)
	return proof{fmt.Sprintf("`%s` above %g and below %g", word, above, below), func(t *trial) error {
		m := found.FindStringSubmatch(t.result.Output)
		if m == nil {
			return fmt.Errorf("does not print %q", word)
		}
		if x, err := strconv.ParseFloat(m[1], 64); err != nil || !(x > above && x < below) {
			return fmt.Errorf("%s %s", word, m[1])
		}
		return nil
	}}
}

// both requires two proofs.
func both(a, b proof) proof {
	return proof{a.text + ", " + b.text, func(t *trial) error {
		if err := a.check(t); err != nil {
			return err
		}
		return b.check(t)
	}}
}

// compiles is for programs whose results cannot be judged: their device code is compiled, but does
// not run.
func compiles() proof { return proof{text: "compiles"} }
