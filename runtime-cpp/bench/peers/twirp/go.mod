module penstock/bench/twirp

go 1.23

require (
	github.com/pkg/errors v0.9.1 // indirect
	github.com/twitchtv/twirp v8.1.3+incompatible
	google.golang.org/protobuf v1.36.12
)
