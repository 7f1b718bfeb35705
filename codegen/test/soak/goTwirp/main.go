// Asks the services of a binary of Penstock, and is asked by it: what protoc-gen-twirp makes of its messages.proto.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/twitchtv/twirp"

	"penstock.test/nodes/nodespb"
)

// prices answers with twice what it is asked for; a customer who has the name of a code is told that error.
type prices struct{}

func (prices) AskPrice(_ context.Context, order *nodespb.Order) (*nodespb.Quote, error) {
	if code := twirp.ErrorCode(order.Customer); twirp.IsValidErrorCode(code) {
		return nil, twirp.NewError(code, "as asked").WithMeta("of", order.Customer)
	}
	return &nodespb.Quote{Cents: 2 * order.Cents}, nil
}

func (own prices) AskPriceInJson(ctx context.Context, order *nodespb.Order) (*nodespb.Quote, error) {
	return own.AskPrice(ctx, order)
}

func (prices) Price(context.Context, *nodespb.Order) (*nodespb.Priced, error) {
	return nil, twirp.NewError(twirp.Unimplemented, "asked in the other direction only")
}

func serve() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr())
	log.Fatal(http.Serve(listener, nodespb.NewAllServer(prices{})))
}

var codes = []twirp.ErrorCode{
	twirp.Canceled, twirp.Unknown, twirp.InvalidArgument, twirp.Malformed, twirp.DeadlineExceeded, twirp.NotFound,
	twirp.BadRoute, twirp.AlreadyExists, twirp.PermissionDenied, twirp.Unauthenticated, twirp.ResourceExhausted,
	twirp.FailedPrecondition, twirp.Aborted, twirp.OutOfRange, twirp.Unimplemented, twirp.Internal, twirp.Unavailable,
	twirp.DataLoss,
}

type outcome struct {
	Text   string              `json:"text"`
	Cents  []int64             `json:"cents"`
	Errors map[string][]string `json:"errors"`
}

// ask prints what came of asking through the client.
func ask(client nodespb.All) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	order := &nodespb.Order{Id: 7, Customer: "ann ä", Cents: -21}
	priced, err := client.Price(ctx, order)
	if err != nil {
		log.Fatal(err)
	}
	result := outcome{Text: priced.Text, Errors: map[string][]string{}}
	methods := []func(context.Context, *nodespb.Order) (*nodespb.Quote, error){client.AskPrice, client.AskPriceInJson}
	for _, method := range methods {
		quote, err := method(ctx, order)
		if err != nil {
			log.Fatal(err)
		}
		result.Cents = append(result.Cents, quote.Cents)
		for _, code := range codes {
			_, err := method(ctx, &nodespb.Order{Customer: string(code)})
			told, is := err.(twirp.Error)
			if !is {
				log.Fatalf("%s: %v", code, err)
			}
			result.Errors[string(code)] = append(result.Errors[string(code)], string(told.Code())+": "+told.Msg())
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		log.Fatal(err)
	}
}

func main() {
	if len(os.Args) == 1 {
		serve()
	}
	ask(nodespb.NewAllProtobufClient(os.Args[1], &http.Client{}))
	ask(nodespb.NewAllJSONClient(os.Args[1], &http.Client{}))
}
