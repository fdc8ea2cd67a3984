package player

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
)

const (
	// chunkSize is about how many bytes of pieces are deflated together. A page inflates as many
	// to show one piece.
	chunkSize = 1 << 17
	// mostData bounds the text of the chunks of a run.
	mostData = 400 << 20
)

// chunkWriter writes script elements that no browser runs, with data. An element of bytes is deflated
// and in base64.
type chunkWriter struct {
	out     io.Writer
	id      string // of the elements, before their names
	count   int
	written int // bytes of text
	pending []byte
	err     error
}

// add adds a piece, and returns where it is: the number of its chunk and its offset there.
func (c *chunkWriter) add(piece []byte) (chunk, offset int) {
	if len(c.pending) > 0 && len(c.pending)+len(piece) > chunkSize {
		c.flush()
	}
	chunk, offset = c.count, len(c.pending)
	c.pending = append(c.pending, piece...)
	return chunk, offset
}

// flush writes the pieces at hand as a chunk.
func (c *chunkWriter) flush() {
	if len(c.pending) > 0 {
		c.element(fmt.Sprint(c.count), c.pending)
		c.count++
		c.pending = c.pending[:0]
	}
}

// element writes an element of bytes.
func (c *chunkWriter) element(name string, data []byte) {
	var packed bytes.Buffer
	z, err := flate.NewWriter(&packed, flate.DefaultCompression)
	if err != nil {
		panic("player: " + err.Error()) // the level exists
	}
	_, _ = z.Write(data) // a bytes.Buffer never fails
	_ = z.Close()
	c.text("application/octet-stream", name, base64.StdEncoding.EncodeToString(packed.Bytes()))
}

// json writes an element of JSON.
func (c *chunkWriter) json(name string, data any) { c.text("application/json", name, marshal(data)) }

// text writes an element. Base64 and JSON by Go have no "<" that could end it.
func (c *chunkWriter) text(kind, name, text string) {
	n, err := fmt.Fprintf(c.out, "<script type=%q id=\"%s%s\">%s</script>\n", kind, c.id, name, text)
	c.written += n
	if c.err == nil {
		c.err = err
	}
}

// marshal returns JSON.
func marshal(data any) string {
	text, err := json.Marshal(data)
	if err != nil {
		panic("player: " + err.Error()) // plain structs
	}
	return string(text)
}
