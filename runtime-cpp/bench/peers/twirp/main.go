// What the contender twirp of penstock_compare starts and asks: it says its port, and serves.
package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"

	"penstock/bench/twirp/hats"
)

type shop struct{}

func (shop) MakeHat(_ context.Context, size *hats.Size) (*hats.Hat, error) {
	return &hats.Hat{Size: size.Inches, Color: "red", Name: "bowler"}, nil
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err == nil {
		fmt.Println(listener.Addr().(*net.TCPAddr).Port)
		err = http.Serve(listener, hats.NewHaberdasherServer(shop{}))
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
