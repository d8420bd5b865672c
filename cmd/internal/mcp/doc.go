// Package mcp serves memory to models over the Model Context Protocol.
//
// It knows the protocol, through the official SDK, the tools with their schemas, and how to format results as
// short text, because a model pays for each word. It must not know how memory is found, stored or ranked:
// every call goes through the façade, which opens and closes what it needs, so that many servers share one
// store and see each other's changes.
package mcp
