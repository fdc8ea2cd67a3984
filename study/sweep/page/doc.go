// Package page makes a page for a browser from the results of a study: cells that failed or differ
// first, then small multiples over two parameters. The page is one file without scripts; it fetches
// nothing.
//
// Reading order: figures.go, grid.go, page.go.
package page
