import { useLayoutEffect, useState } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";

/** A button that could be the primary one of the screen. */
interface Claim {
  yields: boolean;
}

/** In the order in which they came. */
const claims = createStore<readonly Claim[]>(() => []);
const chiefOf = (all: readonly Claim[]): Claim | undefined =>
  all.findLast(({ yields }) => !yields) ?? all.at(-1);

/**
 * Whether a button that wants to be the primary one is: the last that came to the screen, which is
 * nearest to what the user does. One that yields is it only where no other wants to be.
 */
export function useChief(wants: boolean, yields: boolean): boolean {
  const [claim] = useState<Claim>({ yields });
  useLayoutEffect(() => {
    if (!wants) return;
    claims.setState([...claims.getState(), claim], true);
    return () =>
      claims.setState(
        claims.getState().filter((other) => other !== claim),
        true,
      );
  }, [wants, claim]);
  return useStore(claims, (all) => chiefOf(all) === claim) && wants;
}
