import type { Watch } from "../../core/watch.ts";
import type { Direction } from "../../render/camera.ts";
import { type Framing, type Shot, shotsOf } from "../../render/flight.ts";
import type { Stage } from "../../render/item.ts";
import { flightThrough } from "../../render/keyframes.ts";
import { type Prepared, prepare } from "../../render/prepare.ts";

export interface FlightRequest {
  readonly stage: Stage;
  readonly framing: Framing;
  readonly keyframes: readonly Direction[];
  readonly frameCount: number;
  readonly constantSize: boolean;
}

/** All that threads need to draw any frame of a flight. */
export interface Flight {
  readonly prepared: Prepared;
  /** One for each frame, all of one canvas. */
  readonly shots: readonly Shot[];
}

/** Share of the progress of the whole flight at which its frames can be drawn. */
export const PREPARED = 0.08;

/** Of these preparations, those of the bodies: the rest is looking for the frames. */
const BODIES = 0.9;

/** Works out once what all frames of a flight around a stage need. */
export function prepareFlight(request: FlightRequest, watch: Watch): Flight {
  const { stage, framing, keyframes, frameCount, constantSize } = request;
  const part = watch.part(0, PREPARED);
  const prepared = prepare(stage, "manyPictures", part.part(0, BODIES));
  const directions = flightThrough(keyframes, frameCount);
  const inSpaceOrder = { ...stage, items: prepared.bodies };
  return { prepared, shots: shotsOf(inSpaceOrder, framing, directions, constantSize, part.part(BODIES, 1)) };
}
