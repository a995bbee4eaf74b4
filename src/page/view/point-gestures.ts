import {
  type Vec3,
  add,
  cross,
  distance,
  dot,
  length,
  matrixRow,
  subtract,
  times,
  unitOrZero,
} from "../../geometry/vector.ts";
import { viewMatrix } from "../../render/camera.ts";
import type { DrawnScene } from "./drawn-scene.ts";
import type { Drag, HeldKeys, PlaceTool } from "./gestures.ts";
import { type Pixel, projected, rayThrough } from "./orbit.ts";
import type { OverlayLine } from "./overlay.ts";
import type { BodyHit } from "./picks.ts";
import { rectangleDrag } from "./select-gestures.ts";
import type { ShownBodies } from "./shown-bodies.ts";
import { type ShownState, cutsOf, isKept } from "./shown-state.ts";
import type { PointEvents, ShownPoint } from "./view.ts";

/** Largest z of the normal of a surface that a tip can hold (`feature/support-plan/canonical-points.ts`). */
const MOST_UPWARD = 0.5;
const FACES_UP = "Faces up: no support can hold this";
/** Distance from a point within which a click means it. */
const REACH_PX = 9;
const FINGER_PX = 20;
/** A point this far below the surface, seen from the viewer, is hidden: its tip touches the surface. */
const HIDDEN_MM = 0.4;
/** Steps of a slide by keys, without and with Shift, and how far from the surface a slid point is looked for. */
const SLIDE_MM = [0.2, 1] as const;
const OFF_SURFACE_MM = 2;

const ARROWS: Readonly<Record<string, readonly [right: number, up: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** Adds support points to the part that is edited, chooses some, and slides them on its surface. */
export class PointGestures implements PlaceTool {
  readonly #state: ShownState;
  readonly #picture: DrawnScene;
  readonly #bodies: ShownBodies;
  readonly #events: PointEvents;

  constructor(state: ShownState, picture: DrawnScene, bodies: ShownBodies, events: PointEvents) {
    this.#state = state;
    this.#picture = picture;
    this.#bodies = bodies;
    this.#events = events;
  }

  hover(at: Pixel | undefined): void {
    const hit = at && !this.#pointAt(at, REACH_PX) ? this.#hitAt(at) : undefined;
    this.#picture.overlay.say(hit && hit.normal[2] > MOST_UPWARD ? FACES_UP : undefined, at);
  }

  click(at: Pixel, keys: HeldKeys): boolean {
    const point = this.#pointAt(at, keys.pointerType === "touch" ? FINGER_PX : REACH_PX);
    if (point) {
      this.#events.choose([point.key], keys.altKey ? "REMOVE" : keys.shiftKey || keys.ctrlKey ? "ADD" : "ONLY");
      return true;
    }
    if (keys.shiftKey || keys.altKey) return false;
    const hit = this.#hitAt(at);
    // The first click only takes the selection back.
    if (this.#points().some(({ isSelected }) => isSelected)) this.#events.choose([], "ONLY");
    else if (hit && hit.normal[2] > MOST_UPWARD) this.#picture.overlay.say(FACES_UP, at);
    else if (hit) this.#events.place({ modelId: hit.instance.modelId, point: hit.point, normal: hit.normal });
    return hit !== undefined;
  }

  grab(from: Pixel, keys: HeldKeys, reachPx: number): Drag | undefined {
    if (keys.shiftKey || keys.altKey) {
      const choice = keys.altKey ? "REMOVE" : "ADD";
      return rectangleDrag(this.#picture.overlay, from, (corners) =>
        this.#events.choose(this.#bodies.visiblePoints(corners, this.#picture.canvas.size()), choice),
      );
    }
    const point = this.#pointAt(from, Math.max(REACH_PX, reachPx));
    if (!point) return undefined;
    const isFinger = keys.pointerType === "touch";
    let last: BodyHit | undefined;
    return {
      move: (to) => {
        if (isFinger) this.#picture.showLoupe(to);
        const hit = this.#hitAt(to);
        const isHeld = hit !== undefined && hit.normal[2] <= MOST_UPWARD;
        this.#picture.overlay.say(hit && !isHeld ? FACES_UP : undefined, to);
        if (!isHeld) return;
        last = hit;
        this.#events.slide(point.key, hit, false);
      },
      end: () => {
        this.#picture.overlay.say(undefined);
        this.#picture.showLoupe(undefined);
        if (last) this.#events.slide(point.key, last, true);
      },
      cancel: () => {
        this.#picture.overlay.say(undefined);
        this.#picture.showLoupe(undefined);
        this.#events.slideBack();
      },
    };
  }

  /** Ctrl and an arrow slide the only selected point. */
  key(event: KeyboardEvent): boolean {
    const arrow = ARROWS[event.key];
    if (!arrow || !(event.ctrlKey || event.metaKey)) return false;
    const [point, ...others] = this.#points().filter(({ isSelected }) => isSelected);
    if (!point || others.length > 0) return false;
    const view = viewMatrix(this.#state.orbit);
    const wanted = add(times(matrixRow(view, 0), arrow[0]), times(matrixRow(view, 1), arrow[1]));
    const along = unitOrZero(subtract(wanted, times(point.normal, dot(wanted, point.normal))));
    const there = add(point.point, times(along, SLIDE_MM[event.shiftKey ? 1 : 0]));
    const hit = this.#surfaceAt(there, point.normal);
    if (hit && hit.normal[2] <= MOST_UPWARD) this.#events.slide(point.key, hit, true);
    else this.#picture.overlay.say(hit ? FACES_UP : "The surface ends here", this.#pixelOf(point.point));
    return true;
  }

  lines(): readonly OverlayLine[] {
    return [];
  }

  #points(): readonly ShownPoint[] {
    return this.#state.supportEdit?.points ?? [];
  }

  #hitAt(at: Pixel): BodyHit | undefined {
    return this.#bodies.surfaceAt(at, this.#picture.canvas.size());
  }

  #pixelOf(point: Vec3): Pixel {
    return projected(this.#state.orbit, point, this.#picture.canvas.size());
  }

  /** The nearest point to a pixel that the part does not hide. */
  #pointAt(at: Pixel, reachPx: number): ShownPoint | undefined {
    const { orbit } = this.#state;
    const cuts = cutsOf(this.#state);
    const size = this.#picture.canvas.size();
    const { origin, direction } = rayThrough(orbit, at, size);
    const reachMm = (reachPx * orbit.heightMm) / size.height;
    const near = this.#points()
      .map((point) => ({ point, offMm: length(cross(subtract(point.point, origin), direction)) }))
      .filter(({ point, offMm }) => offMm <= reachMm && isKept(cuts, point.point))
      .toSorted((a, b) => a.offMm - b.offMm);
    return near.find(({ point }) => this.#isVisible(point))?.point;
  }

  /** Whether the part does not hide a point from the viewer. */
  #isVisible({ point }: ShownPoint): boolean {
    const hit = this.#hitAt(this.#pixelOf(point));
    if (!hit) return true;
    const toward = matrixRow(viewMatrix(this.#state.orbit), 2);
    return dot(subtract(hit.point, point), toward) < HIDDEN_MM;
  }

  /** The surface near a place that is a little off it. */
  #surfaceAt(place: Vec3, normal: Vec3): BodyHit | undefined {
    const hit = this.#bodies.on({ origin: add(place, times(normal, OFF_SURFACE_MM)), direction: times(normal, -1) });
    return hit && distance(hit.point, place) <= OFF_SURFACE_MM ? hit : undefined;
  }
}
