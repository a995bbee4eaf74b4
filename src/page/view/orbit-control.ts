import type { Box } from "../../geometry/box.ts";
import { type Orbit, type Pixel, framing, framingPlaces, lookFrom, panned, rotated, zoomed } from "./orbit.ts";
import type { DrawnScene } from "./drawn-scene.ts";
import type { ShownBodies } from "./shown-bodies.ts";
import type { ShownState } from "./shown-state.ts";
import type { Marker, ShownVolume, Viewpoint } from "./view.ts";

/**
 * Moves the camera. It frames by itself what the page asks for, until a person moves it: then only `frame` and the next scene make it
 * do so again.
 */
export class OrbitControl {
  readonly #state: ShownState;
  readonly #picture: DrawnScene;
  readonly #bodies: ShownBodies;
  /** Whether a person has moved the camera. */
  #isOwn = false;
  /** What is framed when all meshes are loaded. */
  #awaited: ((modelId: string) => boolean) | undefined;

  constructor(state: ShownState, picture: DrawnScene, bodies: ShownBodies) {
    this.#state = state;
    this.#picture = picture;
    this.#bodies = bodies;
  }

  rotate(by: Pixel): void {
    this.#own();
    this.#moveTo(rotated(this.#state.orbit, by));
  }

  pan(by: Pixel): void {
    this.#own();
    this.#moveTo(panned(this.#state.orbit, by, this.#picture.canvas.size()));
  }

  /** Multiplies the visible height by `factor`; the point at the pixel `about`, or in the middle, stays there. */
  zoom(factor: number, about: Pixel | undefined): void {
    const { width, height } = this.#picture.canvas.size();
    const fixed = about ?? { x: width / 2, y: height / 2 };
    this.#own();
    this.#moveTo(zoomed(this.#state.orbit, factor, fixed, { width, height }));
  }

  look(from: Viewpoint): void {
    this.#own();
    if (from === "home") this.#goHome();
    else this.#moveTo(lookFrom(this.#state.orbit, from));
  }

  /** Looks at the whole build volume, and at all parts when they are loaded. */
  openScene(): void {
    this.#isOwn = false;
    this.#goHome();
    this.#awaited = () => true;
  }

  /** Frames models as soon as all meshes are loaded, unless a person moves the camera. */
  frameModels(modelIds: readonly string[]): void {
    if (this.#isOwn) return;
    const wanted = new Set(modelIds);
    this.#awaited = (id) => wanted.has(id);
    if (!this.#picture.isLoading) this.frameAwaited();
  }

  /** Frames what waits for meshes. */
  frameAwaited(): void {
    const isWanted = this.#awaited;
    if (!isWanted) return;
    this.#awaited = undefined;
    this.#moveTo(framing(this.#state.orbit, this.#bodies.boxes(isWanted), this.#picture.canvas.size()));
  }

  #own(): void {
    this.#isOwn = true;
    this.#awaited = undefined;
  }

  #goHome(): void {
    const { scene, orbit } = this.#state;
    if (scene) this.#moveTo(framing(lookFrom(orbit, "home"), [volumeBox(scene.volume)], this.#picture.canvas.size()));
  }

  /** Frames the given markers; else the selection; else the whole scene. */
  frame(places: readonly Marker[] = []): void {
    this.#isOwn = false;
    this.#awaited = undefined;
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
