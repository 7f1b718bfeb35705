import { Refused } from "./refused.mjs";

/** Above this the sum is no int32, which is what the carved service gives. */
const MOST = Math.floor((2 ** 31 - 1) / 100);

/**
 * The sum of so many random numbers from 0 to 100. Until it is done, this process does nothing else: no request is
 * read, no answer written.
 */
export function count(times) {
  if (times < 1) throw new Refused(400, "times has to be more than 0");
  if (times > MOST) throw new Refused(400, `times can be ${MOST} at most: the sum of more is no int32`);
  let sum = 0;
  for (let left = times; left > 0; left -= 1) sum += Math.floor(Math.random() * 101);
  return sum;
}
