import { type Vec3, distance } from "../../geometry/vector.ts";
import type { AreaShape } from "../../support/plan/support-area.ts";
import { packedNormal } from "./brushed-facets.ts";
import type { DrawnScene } from "./drawn-scene.ts";
import type { Drag, PlaceTool } from "./gestures.ts";
import { inverted, scaleOf, transformed } from "./instances.ts";
import { type MeshFace, faceAround } from "./mesh-faces.ts";
import type { Pixel } from "./orbit.ts";
import type { OverlayLine } from "./overlay.ts";
import type { PackedMesh } from "./packed-mesh.ts";
import type { ShownBodies } from "./shown-bodies.ts";
import type { ShownState } from "./shown-state.ts";
import type { AreaEvents, Brush } from "./view.ts";

/** A place on the edited part, in the coordinates of its mesh. */
interface BrushHit {
  readonly mesh: PackedMesh;
  /** Of the mesh to the scene. */
  readonly scale: number;
  readonly point: Vec3;
  readonly normal: Vec3;
  readonly facet: number;
}

/** Distance between the places of a stroke, as a share of its radius: its rim is smooth. */
const STEP_SHARE = 0.25;
/** Places farther apart than this many radii, though their pixels are not, are on different surfaces. */
const JUMP_RADII = 2;
/** Most places of one stroke (`feature/support-plan/plan-fields.ts`). */
const MOST_PLACES = 1000;
/** Most places that are looked for between two events of the pointer: a fast pointer paints coarsely rather than late. */
const MOST_STEPS = 8;

/** Marks areas of the surface of the edited part: faces by clicks, or whatever the brush passes. */
export class AreaBrush implements PlaceTool {
  readonly #state: ShownState;
  readonly #picture: DrawnScene;
  readonly #bodies: ShownBodies;
  readonly #events: AreaEvents;
  #litFace: { readonly mesh: PackedMesh; readonly face: MeshFace } | undefined;

  constructor(state: ShownState, picture: DrawnScene, bodies: ShownBodies, events: AreaEvents) {
    this.#state = state;
    this.#picture = picture;
    this.#bodies = bodies;
    this.#events = events;
  }

  hover(at: Pixel | undefined): void {
    const brush = this.#brush;
    const hit = at && brush && this.#hitAt(at);
    this.#show({ lit: hit ? this.#litBy(hit, brush) : [], fresh: [] });
  }

  click(at: Pixel): boolean {
    const brush = this.#brush;
    const hit = brush && this.#hitAt(at);
    if (!hit) return false;
    this.#events.mark([markOf(hit, brush)]);
    return true;
  }

  grab(from: Pixel): Drag | undefined {
    const brush = this.#brush;
    const first = brush?.kind === "BRUSH" ? this.#hitAt(from) : undefined;
    return first && brush && this.#stroke(from, first, brush);
  }

  wheel(factor: number): boolean {
    if (this.#brush?.kind !== "BRUSH") return false;
    this.#events.resizeBrush(factor);
    return true;
  }

  lines(): readonly OverlayLine[] {
    return [];
  }

  get #brush(): Brush | undefined {
    return this.#state.supportEdit?.brush;
  }

  #stroke(from: Pixel, first: BrushHit, brush: Brush): Drag {
    const radius = meshRadius(first, brush);
    let strokes: BrushHit[][] = [[first]];
    let last = from;
    let fresh: readonly AreaShape[] = [markOf(first, brush)];
    const add = (hit: BrushHit): void => {
      const stroke = strokes.at(-1) ?? [];
      const before = stroke.at(-1);
      const apart = before ? distance(before.point, hit.point) : Infinity;
      if (apart < STEP_SHARE * radius) return;
      const goesOn = before !== undefined && apart < JUMP_RADII * radius && stroke.length < MOST_PLACES;
      if (goesOn) stroke.push(hit);
      else strokes = [...strokes, [hit]];
      fresh = [...fresh, strokeOf(goesOn ? [before, hit] : [hit], radius)];
    };
    return {
      move: (to) => {
        for (const pixel of this.#between(last, to, brush)) {
          const hit = this.#hitAt(pixel);
          if (hit) add(hit);
        }
        last = to;
        this.#show({ lit: [], fresh });
      },
      end: () => {
        this.#show(NOTHING);
        this.#events.mark(strokes.map((stroke) => strokeOf(stroke, radius)));
      },
      cancel: () => this.#show(NOTHING),
    };
  }

  /** Pixels on the way to `to`, so near to each other that the stroke has no gaps. */
  #between(from: Pixel, to: Pixel, { radiusMm }: Brush): Pixel[] {
    const pxPerMm = this.#picture.canvas.size().height / this.#state.orbit.heightMm;
    const px = Math.hypot(to.x - from.x, to.y - from.y);
    const steps = Math.max(1, Math.min(MOST_STEPS, Math.ceil(px / Math.max(1, radiusMm * pxPerMm))));
    return Array.from({ length: steps }, (_, i) => {
      const share = (i + 1) / steps;
      return { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) };
    });
  }

  /** What a click would mark. A face that is lit already is not drawn anew. */
  #litBy(hit: BrushHit, brush: Brush): readonly AreaShape[] {
    const { lit } = this.#state.marking;
    const { mesh, facet } = hit;
    if (brush.kind === "BRUSH") return [markOf(hit, brush)];
    const face = faceAround(mesh, facet, brush.angleDeg);
    const isLit = lit.length > 0 && this.#litFace?.mesh === mesh && this.#litFace.face === face;
    this.#litFace = { mesh, face };
    return isLit ? lit : [markOf(hit, brush)];
  }

  #show(marking: ShownState["marking"]): void {
    const { lit, fresh } = this.#state.marking;
    const isNothing = marking.lit.length + marking.fresh.length + lit.length + fresh.length === 0;
    if (isNothing || marking.lit === lit) return;
    this.#state.marking = marking;
    this.#picture.move();
  }

  /** The place of the part under a pixel; undefined beside it, or before its exact mesh is loaded. */
  #hitAt(at: Pixel): BrushHit | undefined {
    const hit = this.#bodies.surfaceAt(at, this.#picture.canvas.size());
    const model = this.#state.scene?.models.find(({ id }) => id === hit?.instance.modelId);
    const mesh = model && this.#picture.meshes.exact(model.mesh);
    if (!hit || !mesh) return undefined;
    const point = transformed(inverted(model.matrix), hit.point);
    return { mesh, scale: scaleOf(model.matrix), point, normal: packedNormal(mesh, hit.facet), facet: hit.facet };
  }
}

const NOTHING: ShownState["marking"] = { lit: [], fresh: [] };

/** The radius of a brush, which is in the scene, in the lengths of the mesh. */
const meshRadius = ({ scale }: BrushHit, { radiusMm }: Brush): number => radiusMm / scale;

/** What a click marks. */
const markOf = (hit: BrushHit, brush: Brush): AreaShape =>
  brush.kind === "BRUSH"
    ? strokeOf([hit], meshRadius(hit, brush))
    : { kind: "FACE", point: hit.point, normal: hit.normal, angleDeg: brush.angleDeg };

const strokeOf = (hits: readonly BrushHit[], radius: number): AreaShape => ({
  kind: "STROKE",
  points: hits.map(({ point }) => point),
  normals: hits.map(({ normal }) => normal),
  radius,
});
