// Package mcp serves memory to models over the Model Context Protocol.
//
// It knows the protocol, through the official SDK, the tools with their schemas, and how
// results read as text that a model has to pay for. It must not know how memory is found,
// stored or ranked: every call goes through the façade, and opens and closes what it
// needs, so that many servers share one store and see what others write.
package mcp
