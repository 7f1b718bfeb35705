const USAGE = `npm run carving -- [--json FILE] [--quick] [--rounds N] [--docs | --redraw]

  Puts the load of docs/carving.md, 20 requests a second for 10 s, on the monolith, the carved service and the
  monolith that asks it, beside a Twirp service in Go where Go is installed (it fetches two modules once), and
  draws the tables of docs/carving.md. A run of everything takes some 8 minutes after the builds.

  --json FILE   write the figures there, as a list; docs/carving.md then stays as it is
  --quick       one round of 2 s each, rough; draws nothing
  --rounds N    of each, 1 to 9 (default: 3); the tables have the median of the rounds
  --docs        draw docs/carving.md although --json is given
  --redraw      measure nothing: draw docs/carving.md from the last run of everything
  --help        this text`;

/** What `npm run carving` takes of its own. */
export const CARVING_OPTIONS = {
  usage: USAGE,
  parts: "--quick",
  options: { quick: { type: "boolean", default: false }, rounds: { type: "string" } },
  read({ quick, rounds = quick ? "1" : "3" }) {
    if (!/^[1-9]$/.test(rounds))
      throw new Error(`--rounds cannot be ${JSON.stringify(rounds)}: it is a number from 1 to 9`);
    return { rounds: Number(rounds), seconds: quick ? 2 : 10, quietMs: quick ? 0 : 30_000, whole: !quick };
  },
};
