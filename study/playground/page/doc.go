// Package page makes the folder of the playground: a page that runs kernels in a browser, by
// WebAssembly alone, from a web server or a disk.
//
// [Write] puts the parts together: the simulator that cmd/playground is compiled to, the page's
// script, which "make playground" bundles of folder script, and the lessons of testdata/lessons.
// [Load] puts a state into a page. Reading order: lesson.go, text.go, page.go; assets has the page and
// the worker, script the rest.
package page
