/** How much work a request is: what one thread has enough of, and what it can do in time. */
export const TIMES = [10_000_000, 1_000_000];

/**
 * What is loaded: the monolith alone, a service alone, or the monolith that asks it. `service` is Penstock's or the one in
 * Go; `monolith` whether the monolith stands before it.
 */
export const SYSTEMS = [
  { name: "monolith", monolith: true },
  { name: "service, Penstock", service: "penstock" },
  { name: "service, Go Twirp", service: "go" },
  { name: "carved, Penstock", service: "penstock", monolith: true },
  { name: "carved, Go Twirp", service: "go", monolith: true },
];
