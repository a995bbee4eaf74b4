import { boxCentre } from "../../geometry/box.ts";
import { type Vec3, add, cross, dot, matrixRow, times } from "../../geometry/vector.ts";
import { viewMatrix } from "../../render/camera.ts";
import { type Stroke, slideMm, turnDegrees } from "./changes.ts";
import {
  keyOutline,
  onPlane,
  planeAxes,
  planePointAt,
  planeRectangle,
  shiftedPlane,
  turnedPlane,
} from "./cut-plane.ts";
import type { DrawnScene } from "./drawn-scene.ts";
import { acrossOf } from "./edge-gap.ts";
import type { Drag, HeldKeys, PlaceTool } from "./gestures.ts";
import { arrowHandle, handleAt, ringHandle } from "./handles.ts";
import { type Pixel, projected } from "./orbit.ts";
import type { OverlayLine } from "./overlay.ts";
import type { ShownState } from "./shown-state.ts";
import type { CutEvents, CutPlane, ShownCut } from "./view.ts";

/** Steps of keys, without and with Shift. */
const STEP_MM = [1, 10] as const;
const STEP_DEG = [5, 15] as const;
/** A dragged plane keeps to this, mm; with Ctrl to whole millimetres. */
const GRID_MM = 0.1;
/** Length of the arrow along the normal, CSS pixels: it reaches out of the rings. */
const ARROW_PX = 130;

/** A handle of the plane: what a drag of it makes of the plane, and what is said about it. */
interface PlaneHandle {
  readonly points: readonly Pixel[];
  drag(stroke: Stroke, snaps: boolean): { readonly plane: CutPlane; readonly words: string };
}

/** Moves and tilts the plane of a cut by its handles and by keys, and takes clicks in the cut face as places of keys. */
export class CutGestures implements PlaceTool {
  readonly #state: ShownState;
  readonly #picture: DrawnScene;
  readonly #events: CutEvents;

  constructor(state: ShownState, picture: DrawnScene, events: CutEvents) {
    this.#state = state;
    this.#picture = picture;
    this.#events = events;
  }

  hover(at: Pixel | undefined): void {
    if (at === undefined) this.#picture.overlay.say(undefined);
  }

  click(at: Pixel): boolean {
    const { cut, orbit } = this.#state;
    if (!cut?.takesKeys) return false;
    const { plane, apartMm } = cut;
    // The face that is seen: that of the lower part, or from below that of the upper one, which is drawn apart.
    const isFromAbove = dot(matrixRow(viewMatrix(orbit), 2), plane.normal) > 0;
    const offMm = isFromAbove ? 0 : apartMm;
    const point = planePointAt(shiftedPlane(plane, offMm), at, orbit, this.#picture.canvas.size());
    if (!point) return false;
    this.#events.key(add(point, times(plane.normal, -offMm)));
    return true;
  }

  grab(from: Pixel, _keys: HeldKeys, reachPx: number): Drag | undefined {
    const { cut, orbit } = this.#state;
    const handle = handleAt(this.#handles(), from, reachPx);
    if (!cut || !handle) return undefined;
    const { overlay, canvas } = this.#picture;
    return {
      move: (to, snaps) => {
        const { plane, words } = handle.drag({ from, to, orbit, size: canvas.size() }, snaps);
        this.#events.move(plane);
        overlay.say(words, to);
      },
      end: () => overlay.say(undefined),
      cancel: () => {
        overlay.say(undefined);
        this.#events.move(cut.plane);
      },
    };
  }

  key(event: KeyboardEvent): boolean {
    const { cut } = this.#state;
    if (!cut || event.altKey) return false;
    if (event.key === "Enter") this.#events.apply();
    else if (event.key === " ") this.#placeInMiddle();
    else return this.#nudge(event, cut);
    return true;
  }

  lines(): readonly OverlayLine[] {
    const { cut } = this.#state;
    if (!cut) return [];
    const corners = this.#seen(planeRectangle(cut.plane, cut.box));
    const keys = cut.keys.map((key) => this.#seen(keyOutline(cut.plane, key)));
    return [
      { points: closed(corners), style: "plane" },
      ...keys.map((outline) => ({ points: closed(outline), style: "tool" })),
      ...this.#handles().map(({ points }) => ({ points, style: "all" })),
    ];
  }

  /** An arrow along the normal, and two rings that tilt the plane. */
  #handles(): readonly PlaneHandle[] {
    const { cut, orbit } = this.#state;
    if (!cut) return [];
    const size = this.#picture.canvas.size();
    const { plane, box } = cut;
    const pivot = onPlane(plane, boxCentre(box));
    const arrow = arrowHandle(pivot, plane.normal, orbit, size, ARROW_PX);
    const slide = (stroke: Stroke, snaps: boolean) => {
      const grid = snaps ? 1 : GRID_MM;
      const moved = { ...plane, atMm: Math.round((plane.atMm + slideMm(stroke, plane.normal)) / grid) * grid };
      return { plane: moved, words: `${(moved.atMm - plane.atMm).toFixed(1)} mm` };
    };
    const rings = planeAxes(plane.normal).map((axis): PlaneHandle => {
      const [a, b] = [plane.normal, cross(axis, plane.normal)];
      return {
        points: ringHandle(pivot, a, b, orbit, size),
        drag(stroke) {
          const degrees = turnDegrees(stroke, axis, acrossOf(axis)[0], pivot);
          return { plane: turnedPlane(plane, axis, degrees, pivot), words: `${degrees}°` };
        },
      };
    });
    return [...(arrow ? [{ points: arrow, drag: slide }] : []), ...rings];
  }

  #nudge({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent, { plane, box }: ShownCut): boolean {
    const size = shiftKey ? 1 : 0;
    const sign = { PageUp: 1, ArrowUp: 1, ArrowRight: 1, PageDown: -1, ArrowDown: -1, ArrowLeft: -1 }[key];
    if (sign === undefined || key.startsWith("Arrow") !== (ctrlKey || metaKey)) return false;
    const pivot = onPlane(plane, boxCentre(box));
    const [u, v] = planeAxes(plane.normal);
    if (key.startsWith("Page")) this.#events.move(shiftedPlane(plane, sign * STEP_MM[size]));
    else if (key === "ArrowUp" || key === "ArrowDown")
      this.#events.move(turnedPlane(plane, u, -sign * STEP_DEG[size], pivot));
    else this.#events.move(turnedPlane(plane, v, sign * STEP_DEG[size], pivot));
    return true;
  }

  #placeInMiddle(): void {
    const { width, height } = this.#picture.canvas.size();
    this.click({ x: width / 2, y: height / 2 });
  }

  #seen(points: readonly Vec3[]): Pixel[] {
    const size = this.#picture.canvas.size();
    return points.map((point) => projected(this.#state.orbit, point, size));
  }
}

const closed = (corners: readonly Pixel[]): readonly Pixel[] => [...corners, ...corners.slice(0, 1)];
