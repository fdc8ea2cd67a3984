package translate

import (
	"jacquard/simt/engine"
	"jacquard/simt/program"
)

// CompileHot is Compile for code that is hot from the start.
func CompileHot(p *program.Program) (engine.Code, error) {
	c, err := Compile(p)
	if c, ok := c.(*Code); ok {
		c.hot = 0
	}
	return c, err
}
