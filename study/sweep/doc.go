// Package sweep runs the cells of a study and keeps their results in a folder.
//
// A cell is a child process of the tool. Its result is one file, written whole under a temporary
// name and then renamed: the files are the truth, and whatever has none is to be run. So a crash, a
// kill or a full disk costs the cells that were running, several processes may work in one folder,
// and nothing is counted twice. Tables are made of the files.
//
// docs/sweep.md describes the folder. Reading order: folder.go, result.go, runner.go, judge.go,
// local.go, table.go.
package sweep
