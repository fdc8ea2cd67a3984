// Package slurm gives the cells of a study to Slurm, as job arrays. Slurm's queue is the only record
// of what waits and runs: jobs are found by their names, which hold the identity of the folder of
// results, so a submitter that was killed loses nothing.
//
// A batch is a file of at most 1,000 cells, and one call of sbatch. Each task of its array takes
// some neighbouring cells of it, runs them with package sweep, and leaves out finished ones.
//
// Reading order: batch.go, slurm.go.
package slurm
