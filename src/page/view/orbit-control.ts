import type { Box } from "../../geometry/box.ts";
import { type Orbit, type Pixel, framing, framingPlaces, lookFrom, panned, rotated, zoomed } from "./orbit.ts";
import type { DrawnScene } from "./drawn-scene.ts";
import type { ShownBodies } from "./shown-bodies.ts";
import type { ShownState } from "./shown-state.ts";
import type { Marker, ShownVolume, Viewpoint } from "./view.ts";

/** Moves the camera. */
export class OrbitControl {
  readonly #state: ShownState;
  readonly #picture: DrawnScene;
  readonly #bodies: ShownBodies;

  constructor(state: ShownState, picture: DrawnScene, bodies: ShownBodies) {
    this.#state = state;
    this.#picture = picture;
    this.#bodies = bodies;
  }

  rotate(by: Pixel): void {
    this.#moveTo(rotated(this.#state.orbit, by));
  }

  pan(by: Pixel): void {
    this.#moveTo(panned(this.#state.orbit, by, this.#picture.canvas.size()));
  }

  /** Multiplies the visible height by `factor`; the point at the pixel `about`, or in the middle, stays there. */
  zoom(factor: number, about: Pixel | undefined): void {
    const { width, height } = this.#picture.canvas.size();
    const fixed = about ?? { x: width / 2, y: height / 2 };
    this.#moveTo(zoomed(this.#state.orbit, factor, fixed, { width, height }));
  }

  look(from: Viewpoint): void {
    if (from === "home") this.goHome();
    else this.#moveTo(lookFrom(this.#state.orbit, from));
  }

  /** Looks at the whole build volume. */
  goHome(): void {
    const { scene, orbit } = this.#state;
    if (scene) this.#moveTo(framing(lookFrom(orbit, "home"), [volumeBox(scene.volume)], this.#picture.canvas.size()));
  }

  /** Frames the given markers; else the selection; else the whole scene. */
  frame(places: readonly Marker[] = []): void {
    const { orbit, selected } = this.#state;
    const size = this.#picture.canvas.size();
    if (places.length > 0) return this.#moveTo(framingPlaces(orbit, places, size));
    const boxes = this.#bodies.boxes((id) => selected.size === 0 || selected.has(id));
    this.#moveTo(framing(orbit, boxes, size));
  }

  #moveTo(orbit: Orbit): void {
    this.#state.orbit = orbit;
    this.#picture.move();
  }
}

const volumeBox = ({ dimensionsMm: [x, y, z] }: ShownVolume): Box => ({
  min: [-x / 2, -y / 2, 0],
  max: [x / 2, y / 2, z],
});
