import { type Change, amountOf, changesNothing } from "./changes.ts";
import type { Drag } from "./gestures.ts";
import type { Pixel } from "./orbit.ts";
import type { Overlay } from "./overlay.ts";

/** Shows a change while the user drags, and takes the final change. */
export interface ChangeTarget {
  /** Shows the models with the change applied; undefined shows them unchanged. */
  show(change: Change | undefined): void;
  propose(change: Change): void;
}

/** A drag that changes the selection. The proposed change stays visible until the next scene arrives from the server. */
export function changeDrag(
  overlay: Overlay,
  changeTo: (to: Pixel, snaps: boolean) => Change,
  target: ChangeTarget,
): Drag {
  let change: Change | undefined;
  return {
    move(to, snaps) {
      change = changeTo(to, snaps);
      target.show(change);
      overlay.say(amountOf(change), to);
    },
    end() {
      overlay.say(undefined);
      if (change && !changesNothing(change)) target.propose(change);
      else target.show(undefined);
    },
    cancel() {
      overlay.say(undefined);
      target.show(undefined);
    },
  };
}
