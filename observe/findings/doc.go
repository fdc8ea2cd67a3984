// Package findings owns what checkers found in a run of a program: a file that grows while the
// program runs, and the reports that are made of it.
//
// [Log] writes the file, [Read] makes a [Report] of it. A report has text for people
// ([Report.Text]), a page ([Report.HTML]), JSON, SARIF and JUnit XML ([Report.JSON], [Report.SARIF],
// [Report.JUnit]), and the forms of compute-sanitizer and cuda-memcheck ([Report.Sanitizer]).
// [Report.Keep] filters it by kernel, [Suppressions] take known findings out.
//
// [Meaning] explains the words of findings.
//
// Reading order: report.go, words.go, log.go, follow.go (a race explains a value that nobody wrote),
// branch.go (source tells a branch from a return), text.go, site.go (the parts of a place), page.go,
// sanitizer.go, suppress.go, suppressxml.go.
package findings
