import { Matrix3, Matrix4, Vector3 } from "three";
import { type Vec3, add, dot, lerp, matrixRow, subtract, times, unit } from "../../geometry/vector.ts";
import { viewMatrix } from "../../render/camera.ts";
import type { Feature } from "../measure/features.ts";
import { circlePoints, placedFeature } from "../measure/placed-feature.ts";
import { valuesOfFeature } from "../measure/measured-values.ts";
import { type Aim, featuresOf } from "../measure/mesh-features.ts";
import { runSlices } from "../measure/slices.ts";
import { AXES, AXIS_NAMES } from "./axes.ts";
import type { DrawnScene } from "./drawn-scene.ts";
import type { PlaceTool } from "./gestures.ts";
import { transformed } from "./instances.ts";
import { type Pixel, projected } from "./orbit.ts";
import type { OverlayLine } from "./overlay.ts";
import type { BodyHit } from "./picks.ts";
import type { ShownBodies } from "./shown-bodies.ts";
import { type ShownState, cutsOf, isKept } from "./shown-state.ts";
import type { ViewEvents } from "./view.ts";

/** Distance from the pointer at which corners and edges light up. */
const REACH_PX = 9;
/** Half the size of the mark of a corner. */
const MARK_PX = 5;

interface Search {
  readonly at: Pixel;
  readonly hit: BodyHit;
  readonly isClick: boolean;
}

/** Lights up corners, edges, circles and faces of the exact mesh under the pointer, reports clicked ones, and draws what is measured. */
export class MeasureTool implements PlaceTool {
  readonly #state: ShownState;
  readonly #picture: DrawnScene;
  readonly #bodies: ShownBodies;
  readonly #events: Pick<ViewEvents, "measure">;
  readonly #signal: AbortSignal;
  #lit: Feature | undefined;
  #isSearching = false;
  /** What is searched for next. A search that has begun ends first, because later ones can use what it finds. */
  #next: Search | undefined;

  constructor(
    state: ShownState,
    picture: DrawnScene,
    bodies: ShownBodies,
    events: Pick<ViewEvents, "measure">,
    signal: AbortSignal,
  ) {
    this.#state = state;
    this.#picture = picture;
    this.#bodies = bodies;
    this.#events = events;
    this.#signal = signal;
  }

  hover(at: Pixel | undefined): void {
    if (at && this.#search(at, false)) return;
    if (!this.#next?.isClick) this.#next = undefined;
    this.#light(undefined, at);
  }

  click(at: Pixel): boolean {
    const isPart = this.#search(at, true);
    if (!isPart) this.#events.measure(undefined);
    return isPart;
  }

  lines(): readonly OverlayLine[] {
    const { measure, preview } = this.#state;
    if (preview.size > 0) return [];
    return [
      ...(measure?.features ?? []).flatMap((feature) => this.#linesOf(feature, "picked")),
      ...(this.#lit ? this.#linesOf(this.#lit, "lit") : []),
      ...this.#measureLines(),
    ];
  }

  /** Returns whether there is a part at the pixel. */
  #search(at: Pixel, isClick: boolean): boolean {
    const hit = this.#hitAt(at);
    if (!hit) return false;
    if (isClick || !this.#next?.isClick) this.#next = { at, hit, isClick };
    if (!this.#isSearching) this.#runNext();
    return true;
  }

  #hitAt(at: Pixel): BodyHit | undefined {
    const size = this.#picture.canvas.size();
    // Beside a part its silhouette is within reach as well.
    const around = [
      [0, 0],
      [REACH_PX, 0],
      [-REACH_PX, 0],
      [0, REACH_PX],
      [0, -REACH_PX],
    ] as const;
    for (const [x, y] of around) {
      const hit = this.#bodies.surfaceAt({ x: at.x + x, y: at.y + y }, size);
      // Facets of a simplified mesh are elsewhere.
      if (hit && hit.instance.role === "part" && this.#picture.meshes.exact(hit.mesh)) return hit;
    }
    return undefined;
  }

  #runNext(): void {
    const search = this.#next;
    const mesh = search && this.#picture.meshes.exact(search.hit.mesh);
    this.#next = undefined;
    if (!search || !mesh) return;
    this.#isSearching = true;
    runSlices(
      featuresOf(mesh).at(this.#aimOf(search)),
      (feature) => {
        this.#isSearching = false;
        this.#found(search, feature);
        this.#runNext();
      },
      () => this.#signal.aborted,
    );
  }

  #aimOf({ at, hit }: Search): Aim {
    const { orbit } = this.#state;
    const size = this.#picture.canvas.size();
    const { matrix } = hit.instance;
    const toMesh = new Matrix4().fromArray(matrix).invert();
    const view = viewMatrix(orbit);
    const [right, up, toward] = [matrixRow(view, 0), matrixRow(view, 1), matrixRow(view, 2)];
    const pxPerMm = size.height / orbit.heightMm;
    const middle = projected(orbit, hit.point, size);
    const cuts = cutsOf(this.#state);
    const towardInMesh = new Vector3(...toward).applyMatrix3(new Matrix3().setFromMatrix4(toMesh)).toArray();
    return {
      facet: hit.facet,
      point: transformed(toMesh.elements, hit.point),
      toPixel: (point) => {
        const arm = subtract(transformed(matrix, point), hit.point);
        return { x: middle.x + dot(right, arm) * pxPerMm - at.x, y: middle.y - dot(up, arm) * pxPerMm - at.y };
      },
      isKept: (point) => isKept(cuts, transformed(matrix, point)),
      toward: unit(towardInMesh),
      reachPx: REACH_PX,
      mmPerUnit: Math.hypot(matrix[0], matrix[1], matrix[2]),
    };
  }

  #found({ at, hit, isClick }: Search, feature: Feature): void {
    const { modelId, matrix } = hit.instance;
    if (isClick) this.#events.measure({ modelId, mesh: hit.mesh, feature });
    else if (this.#state.tool === "measure") this.#light(placedFeature(feature, matrix), at);
  }

  #light(feature: Feature | undefined, at: Pixel | undefined): void {
    if (!feature && !this.#lit) return;
    this.#lit = feature;
    const [first] = feature && feature.kind !== "corner" && feature.kind !== "place" ? valuesOfFeature(feature) : [];
    this.#picture.overlay.say(first && `${first.name} ${first.value}`, at);
    this.#picture.showLines();
  }

  #pixel(point: Vec3): Pixel {
    return projected(this.#state.orbit, point, this.#picture.canvas.size());
  }

  #linesOf(feature: Feature, style: "picked" | "lit"): OverlayLine[] {
    const toPixels = (points: readonly Vec3[]): Pixel[] => points.map((point) => this.#pixel(point));
    switch (feature.kind) {
      case "edge":
        return [{ points: toPixels([feature.from, feature.to]), style }];
      case "circle":
        return [{ points: toPixels(circlePoints(feature)), style }, this.#mark(feature.centre, style)];
      case "face": {
        const rims = feature.rims.map((rim) => toPixels([...rim, ...rim.slice(0, 1)]));
        const [start = []] = rims;
        // One line to each hole and back, so that the holes stay empty.
        const surface = rims.flatMap((rim) => [...rim, ...start.slice(0, 1)]);
        return [{ points: surface, style: `${style}-face` }, ...rims.map((points) => ({ points, style }))];
      }
      default:
        return [this.#mark(feature.point, style)];
    }
  }

  #mark(point: Vec3, style: string): OverlayLine {
    const { x, y } = this.#pixel(point);
    const corners = [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
      [-1, -1],
    ] as const;
    return { points: corners.map(([a, b]) => ({ x: x + a * MARK_PX, y: y + b * MARK_PX })), style };
  }

  /** The measured line with its value, and its parts along the axes. */
  #measureLines(): OverlayLine[] {
    const { line, label, features = [] } = this.#state.measure ?? {};
    if (!line) return label === undefined ? [] : features.slice(-1).map((feature) => this.#label(feature, label));
    const [from, to] = line;
    const parts: OverlayLine[] = [];
    let at = from;
    for (const [axis, direction] of AXES.entries()) {
      const by = dot(direction, subtract(to, at));
      const next = add(at, times(direction, by));
      if (Math.abs(by) > SMALLEST_MM)
        parts.push({ points: [this.#pixel(at), this.#pixel(next)], style: `part-${AXIS_NAMES[axis]}` });
      at = next;
    }
    const whole = {
      points: [this.#pixel(from), this.#pixel(to)],
      style: "measure",
      ...(label !== undefined && { text: label }),
    };
    return [...(parts.length > 1 ? parts : []), whole];
  }

  /** The value of a feature at its middle. */
  #label(feature: Feature, text: string): OverlayLine {
    const at =
      feature.kind === "edge"
        ? lerp(feature.from, feature.to, 0.5)
        : feature.kind === "corner" || feature.kind === "place"
          ? feature.point
          : feature.centre;
    return { points: [this.#pixel(at)], style: "measure", text };
  }
}

/** Shorter parts along an axis are rounding. */
const SMALLEST_MM = 0.0005;
