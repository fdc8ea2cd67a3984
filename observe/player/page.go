package player

import (
	"bufio"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"jacquard/observe/flowchart"
)

// MostRuns is how many runs stand side by side.
const MostRuns = 4

//go:embed assets
var assets embed.FS

// asset returns an embedded file.
func asset(name string) string {
	data, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic("player: " + err.Error()) // the file is embedded
	}
	return string(data)
}

// Play is what stands side by side: 1 to MostRuns runs of one kernel.
type Play struct {
	Title string
	Runs  []Run
}

// Style returns the style of the player in a page, which has flowchart.InlineStyle, too. It follows
// the page's color-scheme.
func Style() template.CSS { return template.CSS(asset("player.css")) }

// Markup returns the player itself: the content of the element of class "player". A page has one.
func Markup() template.HTML { return template.HTML(asset("markup.html")) }

// scripts are the parts of the script, in order.
var scripts = [...]string{"track.js", "lanes.js", "step.js", "memory.js", "panel.js", "player.js"}

// Bytes returns the script that reads elements of WriteBytes: its object jacquard has inflated, which
// promises the bytes of an element by its id, and Cursor, which reads numbers from them.
func Bytes() string { return asset("bytes.js") }

// Script returns the script of the player. It comes after Bytes, the player and its data. Both are the
// same for every page, so a content security policy can name them by their hashes.
var Script = sync.OnceValue(func() string {
	var b strings.Builder
	b.WriteString("\"use strict\";\n{\n")
	for _, name := range scripts {
		b.WriteString(asset(name))
	}
	b.WriteString("}\n")
	return b.String()
})

// HashOf returns the source of a script in a content security policy.
func HashOf(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// contents is the element by which the script finds the others.
type contents struct {
	Title string   `json:"title"`
	Runs  []string `json:"runs"` // the elements' ids begin with these
}

// WriteData writes the data of the player as elements of a page: of each play the first launch of each
// run, up to most steps of each. It reads the traces as it writes. Equal traces give equal bytes.
func WriteData(w io.Writer, most int, plays []Play) error {
	if most <= 0 {
		return errors.New("a page plays at least one step")
	}
	var list []contents
	for i, p := range plays {
		if len(p.Runs) == 0 || len(p.Runs) > MostRuns {
			return fmt.Errorf("a page plays 1 to %d runs, not %d", MostRuns, len(p.Runs))
		}
		c := contents{Title: p.Title}
		var first *head
		for k := range p.Runs {
			id := fmt.Sprintf("play-%d-%d", i, k)
			c.Runs = append(c.Runs, id)
			err := p.Runs[k].write(chunkWriter{out: w, id: id + "-"}, most, func(h *head) {
				if first == nil {
					first = h
				} else if h.Flow == first.Flow {
					h.Flow = "" // the script takes the first run's
				}
			})
			if err != nil {
				return err
			}
		}
		list = append(list, c)
	}
	_, err := fmt.Fprintf(w, "<script type=\"application/json\" id=\"plays\">%s</script>\n", marshal(list))
	return err
}

// WriteBytes writes an element of bytes for the script of Bytes.
func WriteBytes(w io.Writer, id string, data []byte) error {
	c := chunkWriter{out: w}
	c.element(id, data)
	return c.err
}

// Write writes a page that plays the first launch of each run, up to most steps of each. There must
// be 1 to MostRuns runs. After an error the page is not whole. Equal traces give equal bytes.
func Write(w io.Writer, title string, most int, runs []Run) error {
	t, err := template.ParseFS(assets, "assets/page.html")
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	script := Bytes() + Script()
	page := map[string]any{
		"Title": title, "Style": template.CSS(flowchart.InlineStyle) + Style(), "Markup": Markup(), "Script": template.JS(script),
		"Policy": fmt.Sprintf("default-src 'none'; style-src 'unsafe-inline'; script-src %s; img-src data:; base-uri 'none'; form-action 'none'", HashOf(script)),
	}
	if err := t.ExecuteTemplate(b, "page.html", page); err != nil {
		return err
	}
	if err := WriteData(b, most, []Play{{title, runs}}); err != nil {
		return err
	}
	if err := t.ExecuteTemplate(b, "end", page); err != nil {
		return err
	}
	return b.Flush()
}
