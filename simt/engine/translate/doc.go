// Package translate is the engine that makes machine code of the host from lowered code, at run
// time.
//
// [Compile] makes a program ready. The interpreter executes the program until it is hot. Then
// [translate] turns the whole program into one piece of code, for one level of the host's vector
// instructions and for warps that run with all lanes or with some. An engine runs a warp on in that
// code ([Engine.RunOn]): straight code, branches on which all lanes agree, and regions of the
// policy's stack, in which lanes part and meet; there, code for all lanes and code for some go on
// in each other. Forks, short regions without accesses, run under masks. The code leaves where the
// schedule must decide, and where the interpreter must execute an instruction, because the
// instruction has no translation or an access is outside of the memory that was seen last.
//
// Rows of the warp are in vector registers while that pays (cache.go), and in loops across
// iterations (loop.go). The code counts issues, branches and the cost of accesses as it runs.
//
// Reading order: engine.go and image.go (turns, hot code), frame.go (what Go and the code share),
// emit.go (the layout of code, entries and ways out), cache.go, straight.go with operand.go
// (instructions), then the families: integer.go, float.go, convert.go, special.go, double.go;
// control.go, region.go, move.go, the relay*.go files, fork.go, loop.go; listener.go, keep.go and
// watched.go (those who watch); access.go, lanes.go, accessor.go, routine.go, ahead.go and the
// cost*.go files (memory); texture.go, view.go and the lookup*.go files (textures). Packages vector
// and x86 make the instructions of the host, package hostcode runs them.
package translate
