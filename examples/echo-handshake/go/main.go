// The same side process as bin/echo-handshake, in Go: one handshake line, one request line, then the end.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

const protocol = "rterm.plugin.v1"

type manifest struct {
	PluginID        string   `json:"plugin_id"`
	PluginVersion   string   `json:"plugin_version"`
	ProtocolVersion string   `json:"protocol_version"`
	ExposedTools    []string `json:"exposed_tools"`
	Capabilities    []string `json:"capabilities"`
}

type failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

type response struct {
	Type      string         `json:"type"`
	RequestID string         `json:"request_id"`
	Status    string         `json:"status"`
	Output    any            `json:"output,omitempty"`
	Error     *failure       `json:"error,omitempty"`
	Metadata  map[string]any `json:"metadata,omitempty"`
}

type request struct {
	RequestID string `json:"request_id"`
	Input     struct {
		Text *string `json:"text"`
	} `json:"input"`
}

func main() {
	in := json.NewDecoder(bufio.NewReader(os.Stdin))
	out := json.NewEncoder(os.Stdout) // ends each message with a newline

	var greeting struct {
		ProtocolVersion string `json:"protocol_version"`
	}
	if err := in.Decode(&greeting); err != nil || greeting.ProtocolVersion != protocol {
		fmt.Fprintln(os.Stderr, "this plugin speaks "+protocol)
		os.Exit(1)
	}
	must(out.Encode(map[string]any{"type": "handshake", "manifest": manifest{
		PluginID:        "example.echo",
		PluginVersion:   "0.1.0",
		ProtocolVersion: protocol,
		ExposedTools:    []string{"echo"},
		Capabilities:    []string{"text.echo"},
	}}))

	var asked request
	if err := in.Decode(&asked); err != nil {
		return // a host that only wanted to know who this is has closed stdin
	}
	must(out.Encode(answer(asked)))
}

func answer(asked request) response {
	said := response{Type: "response", RequestID: asked.RequestID}
	if asked.Input.Text == nil {
		said.Status = "error"
		said.Error = &failure{Code: "invalid_input", Message: "echo needs a text"}
		return said
	}
	said.Status = "ok"
	said.Output = map[string]string{"text": *asked.Input.Text}
	said.Metadata = map[string]any{"length": len(*asked.Input.Text)}
	return said
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
