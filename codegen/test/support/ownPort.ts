const TESTS = ["apart", "carving", "buffers", "published", "browser"] as const;

/**
 * A port that what a test draws may listen at: below those that the system gives by itself, and another one for
 * each of the tests that run side by side.
 */
export const ownPort = (test: (typeof TESTS)[number]): number =>
  20_000 + TESTS.indexOf(test) * 2_000 + (process.pid % 2_000);
