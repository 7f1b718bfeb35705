//go:build plugins

// The plugins of protoc that hats.proto is generated with, so that go.mod knows their versions.
package main

import (
	_ "github.com/twitchtv/twirp/protoc-gen-twirp"
	_ "google.golang.org/protobuf/cmd/protoc-gen-go"
)
