import { doors } from "./attack-doors.mjs";
import { capacity } from "./capacity.mjs";
import { figures } from "./figures.mjs";
import { fuzz } from "./fuzz.mjs";
import { inputs } from "./inputs.mjs";
import { names } from "./names.mjs";
import { services } from "./services.mjs";
import { stress } from "./stress.mjs";
import { world } from "./world.mjs";

/**
 * Quick ones first. Each says what it `proves` and how long that `usually` takes; `run` gives counts and what
 * is to be read, seeds among it.
 */
export const PROOFS = [capacity, services, names, doors, world, stress, fuzz, figures, inputs];
