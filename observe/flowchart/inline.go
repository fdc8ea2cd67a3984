package flowchart

import (
	"bufio"
	_ "embed"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"jacquard/simt/cfg"
)

// InlineStyle is the style of pictures by [WriteInline]. The page sets --ink, --soft, --panel,
// --raised, --rule, --flow and --accent, the fonts --mono and --sans, and for blocks in colour --heat
// and --heat-ink.
//
//go:embed inline.css
var InlineStyle string

// Card is the text of a block in a picture for a page: a few lines, the first as a head.
type Card struct {
	Lines      []string
	Attributes []xml.Attr // of the group of the block, such as its class
}

// Inline describes a picture for a page.
type Inline struct {
	Label string // its accessible name
	Card  func(block int) Card
	Way   func(block int, e cfg.Edge) string // the text beside a way out of a block; may be ""
}

// WriteInline draws one function of a kernel as an svg element for an HTML page. InlineStyle
// colours it: a block is a group with a rectangle of class "box" and lines of class "head" and "text";
// ways are of class "line" and the kind's name, with "back" to the next round of a loop; ends of
// ways are of class "end".
func WriteInline(w io.Writer, k *Kernel, function int, show Inline) error {
	c := charts(k)[function]
	for i := range c.lines {
		l := &c.lines[i]
		if text := show.Way(l.from, cfg.Edge{Kind: l.kind, To: l.to}); text != "" {
			l.label = text
		}
	}
	for i := range k.Graph.Functions[function].Blocks {
		b := show.Card(i)
		c.boxes[i] = box{head: b.Lines[0], text: b.Lines[1:], card: &b, round: cfg.None}
	}
	p := picture{inline: true}
	width, height := p.body(&c, border, -border/2)
	width += 2 * border
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg class="flow" role="group" width="%.0f" height="%.0f" viewBox="0 0 %.0[1]f %.0[2]f" aria-label="`, width, height)
	if err := xml.EscapeText(b, []byte(show.Label)); err != nil {
		return err
	}
	b.WriteString("\">\n")
	b.WriteString(p.String())
	b.WriteString("</svg>\n")
	return b.Flush()
}

// card draws a block with the text of the page.
func (d *drawing) card(b *box, n *node, x, y float64) {
	d.printf("<g")
	for _, a := range b.card.Attributes {
		d.printf(` %s="`, a.Name.Local)
		_ = xml.EscapeText(&d.Builder, []byte(a.Value)) // a strings.Builder never fails
		d.printf(`"`)
	}
	d.printf(`><rect class="box" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="4"/>`+"\n", x, y, n.w, n.h)
	y += margin + fontSize
	for k, t := range b.card.Lines {
		class := "text"
		if k == 0 {
			class = "head"
		}
		d.text(x+1.5*margin, y+float64(k)*lineHeight, class, t)
	}
	d.printf("</g>\n")
}

// kindClass is the class of ways of a kind in a page.
func kindClass(k cfg.EdgeKind) string { return strings.ReplaceAll(k.String(), " ", "-") }
