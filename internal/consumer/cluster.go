// Package consumer is a user of generated code inside of this module: it pins
// the API that the Go generator prints. The example sequence names the type
// Cluster of this package, so the generated file must not import itself.
package consumer

// Cluster is one cluster of VELO pixels, as the device writes it.
type Cluster struct{ X, Y, Z float32 }
