import { type Change, amountOf, isNothing } from "./changes.ts";
import type { Drag } from "./gestures.ts";
import type { Pixel } from "./orbit.ts";
import type { Overlay } from "./overlay.ts";

/** Where a change is shown while the user drags, and where it goes in the end. */
export interface ChangeTarget {
  /** Shows the models changed; undefined shows them as they are. */
  show(change: Change | undefined): void;
  propose(change: Change): void;
}

/** A drag that changes the selection. What is proposed stays shown until the scene comes back. */
export function changeDrag(overlay: Overlay, changeTo: (to: Pixel) => Change, target: ChangeTarget): Drag {
  let change: Change | undefined;
  return {
    move(to) {
      change = changeTo(to);
      target.show(change);
      overlay.say(amountOf(change), to);
    },
    end() {
      overlay.say(undefined);
      if (change && !isNothing(change)) target.propose(change);
      else target.show(undefined);
    },
    cancel() {
      overlay.say(undefined);
      target.show(undefined);
    },
  };
}
