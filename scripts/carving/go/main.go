// The contender of `npm run carving`: the same service in Go, behind Twirp. As many workers as there are
// processors take jobs from one channel, each with a generator of its own.
package main

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime"

	"github.com/twitchtv/twirp"
	rpc "penstock/carving/rpc"
)

const (
	numbersOfJob = 100_000
	most         = 100
	mostTimes    = math.MaxInt32 / most
)

type job struct {
	numbers int32
	done    chan<- int64
}

type counting struct{ jobs chan job }

func work(jobs <-chan job) {
	random := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	for one := range jobs {
		sum := int64(0)
		for range one.numbers {
			sum += int64(random.Uint32N(most + 1))
		}
		one.done <- sum
	}
}

func (c *counting) sum(times int32) int64 {
	jobs := int((times-1)/numbersOfJob + 1)
	done := make(chan int64, jobs)
	for left := times; left > 0; left -= numbersOfJob {
		c.jobs <- job{min(left, numbersOfJob), done}
	}
	sum := int64(0)
	for range jobs {
		sum += <-done
	}
	return sum
}

func (c *counting) Count(_ context.Context, request *rpc.Times) (*rpc.Sum, error) {
	if request.Times <= 0 {
		return nil, twirp.InvalidArgumentError("times", "has to be more than 0")
	}
	if request.Times > mostTimes {
		return nil, twirp.NewErrorf(twirp.OutOfRange, "times can be %d at most", mostTimes)
	}
	return &rpc.Sum{Sum: int32(c.sum(request.Times))}, nil
}

func (c *counting) SumNumbers(_ context.Context, request *rpc.Job) (*rpc.JobSum, error) {
	return &rpc.JobSum{Sum: c.sum(request.Numbers)}, nil
}

func main() {
	c := &counting{jobs: make(chan job, 100)}
	for range runtime.GOMAXPROCS(0) {
		go work(c.jobs)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://%s/\n", listener.Addr())
	log.Fatal(http.Serve(listener, rpc.NewCarvedServer(c)))
}
