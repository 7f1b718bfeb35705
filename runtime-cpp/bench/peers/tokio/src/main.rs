//! Tokio beside penstock_compare, with the same words: without arguments it lists its contenders,
//! one JSON object a line; with WORKLOAD CONTENDER it runs one of them once and prints its rate and
//! the processor time that it took.

use std::future::Future;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

const WARM_UP: Duration = Duration::from_millis(150);
const MEASURED: Duration = Duration::from_millis(400);
const WINDOW: usize = 64;
const THREADS: [usize; 4] = [1, 2, 4, 8];

/// harness/measure.hpp: batches double until one takes as long as the warm-up, then one of the
/// measured length is timed. The caller is a task of the runtime, as ours is a handler.
fn rate_of<F, B>(runtime: &Runtime, batch: B) -> f64
where
    B: Fn(usize) -> F,
    F: Future<Output = ()> + Send + 'static,
{
    let timed = |count: usize| {
        let begin = Instant::now();
        runtime.block_on(runtime.spawn(batch(count))).unwrap();
        begin.elapsed()
    };
    let mut count = 64;
    let mut took = timed(count);
    while took < WARM_UP {
        count *= 2;
        took = timed(count);
    }
    let count = (count as f64 * MEASURED.as_secs_f64() / took.as_secs_f64()) as usize + 1;
    count as f64 / timed(count).as_secs_f64()
}

type Request = (i64, oneshot::Sender<i64>);

/// The actor's task: answers each request by its own channel.
fn serve(runtime: &Runtime) -> mpsc::Sender<Request> {
    let (ask, mut asked) = mpsc::channel::<Request>(WINDOW);
    runtime.spawn(async move {
        while let Some((value, answer)) = asked.recv().await {
            let _ = answer.send(value);
        }
    });
    ask
}

async fn send(ask: &mpsc::Sender<Request>, value: i64) -> oneshot::Receiver<i64> {
    let (answer, answered) = oneshot::channel();
    ask.send((value, answer)).await.unwrap();
    answered
}

fn actor_one_by_one(runtime: &Runtime) -> f64 {
    let ask = serve(runtime);
    rate_of(runtime, |count| {
        let ask = ask.clone();
        async move {
            for call in 0..count {
                send(&ask, call as i64).await.await.unwrap();
            }
        }
    })
}

fn actor_window(runtime: &Runtime) -> f64 {
    let ask = serve(runtime);
    rate_of(runtime, |count| {
        let ask = ask.clone();
        async move {
            let mut window = Vec::with_capacity(WINDOW);
            for _ in 0..WINDOW {
                window.push(send(&ask, 0).await);
            }
            for call in 0..count {
                let next = send(&ask, call as i64).await;
                std::mem::replace(&mut window[call % WINDOW], next).await.unwrap();
            }
            for left in window {
                left.await.unwrap();
            }
        }
    })
}

fn spawn_one_by_one(runtime: &Runtime) -> f64 {
    rate_of(runtime, |count| async move {
        for call in 0..count {
            tokio::spawn(async move { call as i64 }).await.unwrap();
        }
    })
}

fn spawn_window(runtime: &Runtime) -> f64 {
    rate_of(runtime, |count| async move {
        let spawn = |value: i64| -> JoinHandle<i64> { tokio::spawn(async move { value }) };
        let mut window: Vec<_> = (0..WINDOW).map(|_| spawn(0)).collect();
        for call in 0..count {
            let next = spawn(call as i64);
            std::mem::replace(&mut window[call % WINDOW], next).await.unwrap();
        }
        for left in window {
            left.await.unwrap();
        }
    })
}

struct Contender {
    family: &'static str,
    name: &'static str,
    what: &'static str,
    rate: fn(&Runtime) -> f64,
}

const CONTENDERS: [Contender; 4] = [
    Contender {
        family: "pool-call",
        name: "tokio",
        what: "an actor's task, mpsc there and oneshot back",
        rate: actor_one_by_one,
    },
    Contender {
        family: "pool-call",
        name: "tokio-spawn",
        what: "a task for each call, and its JoinHandle",
        rate: spawn_one_by_one,
    },
    Contender {
        family: "pool-call-64",
        name: "tokio",
        what: "an actor's task, mpsc there and oneshot back",
        rate: actor_window,
    },
    Contender {
        family: "pool-call-64",
        name: "tokio-spawn",
        what: "a task for each call, and its JoinHandle",
        rate: spawn_window,
    },
];

fn cpu_seconds() -> f64 {
    let mut used: libc::rusage = unsafe { std::mem::zeroed() };
    unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut used) };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6;
    seconds(used.ru_utime) + seconds(used.ru_stime)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    for one in &CONTENDERS {
        for threads in THREADS {
            let workload = format!("{}/{}", one.family, threads);
            match words.as_slice() {
                [] => println!(
                    "{{\"workload\":\"{}\",\"contender\":\"{}\",\"what\":\"{}\"}}",
                    workload, one.name, one.what
                ),
                [asked, name] if *asked == workload && name == one.name => {
                    let runtime = Builder::new_multi_thread().worker_threads(threads).build().unwrap();
                    let rate = (one.rate)(&runtime);
                    println!("{{\"rate\":{},\"cpu_seconds\":{:.4}}}", rate, cpu_seconds());
                    return;
                }
                _ => {}
            }
        }
    }
    if !words.is_empty() {
        eprintln!("usage: peer [WORKLOAD CONTENDER]");
        std::process::exit(2);
    }
}
