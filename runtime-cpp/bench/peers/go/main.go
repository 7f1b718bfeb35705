// Go beside penstock_compare, with the same words: without arguments it lists its contenders, one
// JSON object a line; with WORKLOAD CONTENDER it runs one of them once and prints its rate and the
// processor time that it took.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"
)

const (
	warmUp   = 150 * time.Millisecond
	measured = 400 * time.Millisecond
	window   = 64
)

// rateOf is harness/measure.hpp: batches double until one takes as long as the warm-up, then one of
// the measured length is timed.
func rateOf(batch func(count int)) float64 {
	timed := func(count int) time.Duration {
		begin := time.Now()
		batch(count)
		return time.Since(begin)
	}
	count := 64
	took := timed(count)
	for took < warmUp {
		count *= 2
		took = timed(count)
	}
	count = int(float64(count)*float64(measured)/float64(took)) + 1
	return float64(count) / timed(count).Seconds()
}

type request struct {
	value  int64
	answer chan int64
}

// A goroutine a P takes requests from one channel and answers each on its caller's.
func serve(threads int) chan request {
	requests := make(chan request, window)
	for range make([]struct{}, threads) {
		go func() {
			for one := range requests {
				one.answer <- one.value
			}
		}()
	}
	return requests
}

func askOneByOne(threads int) func(int) {
	requests := serve(threads)
	answer := make(chan int64, 1)
	return func(count int) {
		for call := 0; call < count; call++ {
			requests <- request{int64(call), answer}
			<-answer
		}
	}
}

func askWindow(threads int) func(int) {
	requests := serve(threads)
	var answers [window]chan int64
	for at := range answers {
		answers[at] = make(chan int64, 1)
	}
	return func(count int) {
		for at := range answers {
			requests <- request{0, answers[at]}
		}
		for call := 0; call < count; call++ {
			answer := answers[call%window]
			<-answer
			requests <- request{int64(call), answer}
		}
		for at := range answers {
			<-answers[at]
		}
	}
}

func spawnOneByOne(int) func(int) {
	answer := make(chan int64, 1)
	return func(count int) {
		for call := 0; call < count; call++ {
			go func(value int64) { answer <- value }(int64(call))
			<-answer
		}
	}
}

func spawnWindow(int) func(int) {
	var answers [window]chan int64
	for at := range answers {
		answers[at] = make(chan int64, 1)
	}
	spawn := func(value int64, answer chan int64) { go func() { answer <- value }() }
	return func(count int) {
		for at := range answers {
			spawn(0, answers[at])
		}
		for call := 0; call < count; call++ {
			answer := answers[call%window]
			<-answer
			spawn(int64(call), answer)
		}
		for at := range answers {
			<-answers[at]
		}
	}
}

type contender struct {
	Workload  string `json:"workload"`
	Contender string `json:"contender"`
	What      string `json:"what"`
	threads   int
	ask       func(threads int) func(count int)
}

func contenders() (all []contender) {
	const channel, spawned = "a channel to a goroutine a P, and one back", "a goroutine for each call, and a channel back"
	for _, threads := range []int{1, 2, 4, 8} {
		enter := func(family, name, what string, ask func(int) func(int)) {
			all = append(all, contender{fmt.Sprintf("%s/%d", family, threads), name, what, threads, ask})
		}
		enter("pool-call", "go", channel, askOneByOne)
		enter("pool-call", "go-spawn", spawned, spawnOneByOne)
		enter("pool-call-64", "go", channel, askWindow)
		enter("pool-call-64", "go-spawn", spawned, spawnWindow)
	}
	return all
}

func cpuSeconds() float64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
}

func main() {
	if len(os.Args) == 1 {
		out := json.NewEncoder(os.Stdout)
		for _, one := range contenders() {
			if err := out.Encode(one); err != nil {
				os.Exit(1)
			}
		}
		return
	}
	for _, one := range contenders() {
		if len(os.Args) == 3 && one.Workload == os.Args[1] && one.Contender == os.Args[2] {
			runtime.GOMAXPROCS(one.threads)
			fmt.Printf("{\"rate\":%g,\"cpu_seconds\":%.4f}\n", rateOf(one.ask(one.threads)), cpuSeconds())
			return
		}
	}
	fmt.Fprintln(os.Stderr, "usage: peer [WORKLOAD CONTENDER]")
	os.Exit(2)
}
