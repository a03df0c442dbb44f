// A plugin with one tool on the official Go SDK.
package main

import (
	"context"
	"encoding/json"
	"log"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type input struct {
	Name string `json:"name" jsonschema:"Whom to greet"`
}

// What gum passes through: success with data, or an error with a code of the plugin's own.
type envelope struct {
	Success   bool   `json:"success"`
	Data      any    `json:"data,omitempty"`
	ErrorCode string `json:"error_code,omitempty"`
	Error     string `json:"error,omitempty"`
	Retryable *bool  `json:"retryable,omitempty"`
}

func hello(_ context.Context, _ *mcp.CallToolRequest, in input) (*mcp.CallToolResult, any, error) {
	if strings.TrimSpace(in.Name) == "" {
		retryable := false
		return answer(envelope{ErrorCode: "INVALID_INPUT", Error: "name is empty", Retryable: &retryable})
	}
	return answer(envelope{Success: true, Data: map[string]string{"greeting": "Hello, " + in.Name + "!"}})
}

func answer(body envelope) (*mcp.CallToolResult, any, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, nil, err
	}
	content := []mcp.Content{&mcp.TextContent{Text: string(text)}}
	return &mcp.CallToolResult{Content: content, IsError: !body.Success}, nil, nil
}

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "hello-go", Version: "0.1.0"}, nil)
	tool := &mcp.Tool{
		Name:        "hello",
		Description: "Return a greeting for the given name",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}
	mcp.AddTool(server, tool, hello)
	// The log goes to stderr; stdout is for the protocol alone.
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		log.Print(err)
	}
}
