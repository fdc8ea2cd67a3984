package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// models are the columns of devices.csv, one per device model.
var models = []string{"8800gtx", "9800gx2", "gt240", "gtx280", "c1060"}

func printDevices(out *bytes.Buffer, rows []row) error {
	attributes := enum{goType: "DeviceAttribute", add: "Attribute"}
	fmt.Fprint(out, "import \"jacquard/tesla\"\n\n// models are the device models that the device knob chooses from.\nvar models = [...]model{\n")
	for _, m := range models {
		fmt.Fprintf(out, "{\nkey: %q,\n", m)
		for _, r := range rows {
			value := r[m]
			switch r["attribute"] {
			case "(name)":
				fmt.Fprintf(out, "name: %q,\n", value)
			case "(architecture)":
				fmt.Fprintf(out, "arch: tesla.%s,\n", strings.ToUpper(strings.ReplaceAll(value, "_", "")))
			case "(memory)":
				fmt.Fprintf(out, "memory: %s,\n", value)
			}
		}
		fmt.Fprintln(out, "attributes: [lastAttribute + 1]int32{")
		for _, r := range rows {
			if strings.HasPrefix(r["attribute"], "(") {
				continue
			}
			n, err := strconv.ParseInt(r[m], 0, 32)
			if err != nil {
				return fmt.Errorf("%s of %s: %w", r["attribute"], m, err)
			}
			if n != 0 {
				fmt.Fprintf(out, "%s: %d,\n", attributes.goName(r["attribute"]), n)
			}
		}
		fmt.Fprint(out, "},\n},\n")
	}
	fmt.Fprintln(out, "}")
	return nil
}
