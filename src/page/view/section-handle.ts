import { type Vec3, ORIGIN, add, dot, times } from "../../geometry/vector.ts";
import type { DrawnScene } from "./drawn-scene.ts";
import type { Drag } from "./gestures.ts";
import { arrow, handleAt } from "./handles.ts";
import { type Orbit, type Pixel, type PictureSize, projected } from "./orbit.ts";
import type { OverlayLine } from "./overlay.ts";
import type { ShownState } from "./shown-state.ts";
import type { CutPlane, ViewEvents } from "./view.ts";

const ARROW_PX = 72;
/** Distance of the handle from the edges of the picture. */
const MARGIN_PX = 90;
/** A plane whose normal is at a smaller sine to the line of sight has its handle upward in the picture: one pixel would be many millimetres. */
const TOWARD_VIEWER = 0.3;

/** Where the handle of a section is, and how a movement along it moves the plane. */
interface SectionGrip {
  readonly points: readonly Pixel[];
  /** Unit vector in the picture. */
  readonly direction: Pixel;
  readonly mmPerPx: number;
}

/** The handle of a plane: an arrow along its normal, from the point of the plane that is nearest to `middle`, or the edge of the picture. */
export function sectionGrip({ normal, atMm }: CutPlane, middle: Vec3, orbit: Orbit, size: PictureSize): SectionGrip {
  const onPlane = add(middle, times(normal, atMm - dot(normal, middle)));
  const base = projected(orbit, onPlane, size);
  const step = projected(orbit, add(onPlane, normal), size);
  const pxPerMm = size.height / orbit.heightMm;
  const [x, y] = [step.x - base.x, step.y - base.y];
  const seenPx = Math.hypot(x, y);
  const isFlat = seenPx >= TOWARD_VIEWER * pxPerMm;
  const direction = isFlat ? { x: x / seenPx, y: y / seenPx } : { x: 0, y: -1 };
  const from = { x: within(base.x, size.width), y: within(base.y, size.height) };
  const tip = { x: from.x + ARROW_PX * direction.x, y: from.y + ARROW_PX * direction.y };
  return { points: arrow(from, tip, ARROW_PX), direction, mmPerPx: 1 / (isFlat ? seenPx : pxPerMm) };
}

const within = (px: number, size: number): number => Math.max(MARGIN_PX, Math.min(size - MARGIN_PX, px));

/** Drags the section along its normal, with every tool. */
export class SectionHandle {
  readonly #state: ShownState;
  readonly #picture: DrawnScene;
  readonly #events: Pick<ViewEvents, "section">;
  #middle: Vec3 = ORIGIN;

  constructor(state: ShownState, picture: DrawnScene, events: Pick<ViewEvents, "section">) {
    this.#state = state;
    this.#picture = picture;
    this.#events = events;
  }

  /** Puts the handle near the middle of the parts. */
  setMiddle(middle: Vec3): void {
    this.#middle = middle;
  }

  lines(): readonly OverlayLine[] {
    const { section } = this.#state;
    return section ? [{ points: this.#grip(section).points, style: "section" }] : [];
  }

  /** Starts a drag of the handle; undefined if it is elsewhere. */
  grab(from: Pixel, reachPx: number): Drag | undefined {
    const { section } = this.#state;
    if (!section) return undefined;
    const { points, direction, mmPerPx } = this.#grip(section);
    if (!handleAt([{ axis: undefined, points }], from, reachPx)) return undefined;
    const { overlay } = this.#picture;
    return {
      move: (to, snaps) => {
        const byPx = (to.x - from.x) * direction.x + (to.y - from.y) * direction.y;
        const atMm = section.atMm + byPx * mmPerPx;
        this.#events.section({ ...section, atMm: snaps ? Math.round(atMm) : atMm });
        overlay.say(this.#words(section), to);
      },
      end: () => overlay.say(undefined),
      cancel: () => {
        this.#events.section(section);
        overlay.say(undefined);
      },
    };
  }

  /** How far the section is from where the drag began. */
  #words(begun: CutPlane): string {
    const byMm = (this.#state.section ?? begun).atMm - begun.atMm;
    return `${byMm < 0 ? "−" : "+"}${Math.abs(byMm).toFixed(1)} mm`;
  }

  #grip(section: CutPlane): SectionGrip {
    return sectionGrip(section, this.#middle, this.#state.orbit, this.#picture.canvas.size());
  }
}
