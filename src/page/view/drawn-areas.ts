import {
  BufferAttribute,
  BufferGeometry,
  Group,
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  Matrix4,
  Mesh,
} from "three";
import type { AreaShape } from "../../support/plan/support-area.ts";
import { type AreaTint, type AreaUniforms, newAreaMaterial, newAreaUniforms } from "./area-material.ts";
import { planesOf } from "./body-material.ts";
import { capsulesOf, facetsNear, packedCorners } from "./brushed-facets.ts";
import type { Mat4 } from "./instances.ts";
import { faceOf } from "./mesh-faces.ts";
import type { PackedMesh } from "./packed-mesh.ts";
import { type Palette, rgbOf } from "./palette.ts";
import type { AreaMode, CutPlane } from "./view.ts";

/** Areas of one body, by how they are drawn; shapes in the coordinates of its mesh. */
export interface BodyAreas {
  readonly mesh: PackedMesh;
  readonly matrix: Mat4;
  /** `fresh`: what the brush has passed in a stroke that goes on; `lit`: what a click would mark. */
  readonly shapes: Readonly<Record<AreaMode | "fresh" | "lit", readonly AreaShape[]>>;
  /** Mode of the stroke. */
  readonly mode: AreaMode;
}

const KINDS = ["never", "always", "fresh", "lit"] as const;
const LIT_OPACITY = 0.45;
const NO_SHAPES: readonly AreaShape[] = [];

/** Draws areas on the surface of a body: those without supports and those with dense ones in hatched colours. */
export class DrawnAreas {
  readonly object = new Group();
  readonly #uniforms = newAreaUniforms();
  readonly #layers: Readonly<Record<(typeof KINDS)[number], AreaLayer>>;

  constructor() {
    this.object.matrixAutoUpdate = false;
    this.#layers = {
      never: new AreaLayer(this.#uniforms, 1, 1),
      always: new AreaLayer(this.#uniforms, -1, 1),
      fresh: new AreaLayer(this.#uniforms, 1, 1),
      lit: new AreaLayer(this.#uniforms, 1, LIT_OPACITY),
    };
    for (const kind of KINDS) this.object.add(...this.#layers[kind].meshes);
  }

  show(areas: BodyAreas | undefined, palette: Palette): void {
    for (const kind of KINDS) {
      this.#layers[kind].show(areas?.mesh, areas?.shapes[kind] ?? NO_SHAPES);
      this.#layers[kind].colour(
        palette[kind === "lit" ? "accent" : kind === "fresh" ? (areas?.mode ?? "never") : kind],
      );
    }
    if (areas) this.object.matrix = new Matrix4().fromArray(areas.matrix);
    this.object.matrixWorldNeedsUpdate = true;
  }

  cutAt(cuts: readonly CutPlane[]): void {
    this.#uniforms.cuts.value = planesOf(cuts);
  }

  /** Sets the width of the hatching to the ratio of device pixels to CSS pixels. */
  hatch(pixelRatio: number): void {
    this.#uniforms.hatchPx.value = pixelRatio;
  }

  close(): void {
    for (const kind of KINDS) this.#layers[kind].close();
  }
}

/** Areas of one colour: faces, and pieces of strokes. */
class AreaLayer {
  readonly #tint: AreaTint;
  readonly #faces: Mesh;
  readonly #strokes: Mesh;
  #mesh: PackedMesh | undefined;
  #shapes = NO_SHAPES;

  constructor(uniforms: AreaUniforms, hatchSide: 1 | -1, opacity: number) {
    this.#tint = { tint: { value: [0, 0, 0] }, opacity: { value: opacity } };
    const all = { ...uniforms, ...this.#tint };
    this.#faces = new Mesh(new BufferGeometry(), newAreaMaterial(false, hatchSide, all));
    this.#strokes = new Mesh(new BufferGeometry(), newAreaMaterial(true, hatchSide, all));
    for (const mesh of this.meshes) {
      mesh.frustumCulled = false;
      mesh.visible = false;
    }
  }

  get meshes(): readonly Mesh[] {
    return [this.#faces, this.#strokes];
  }

  colour(tint: number): void {
    this.#tint.tint.value = rgbOf(tint);
  }

  show(mesh: PackedMesh | undefined, shapes: readonly AreaShape[]): void {
    if (mesh === this.#mesh && shapes === this.#shapes) return;
    [this.#mesh, this.#shapes] = [mesh, shapes];
    replaceGeometry(this.#faces, mesh && faceGeometry(mesh, shapes));
    replaceGeometry(this.#strokes, mesh && strokeGeometry(mesh, shapes));
  }

  close(): void {
    for (const { geometry, material } of this.meshes) {
      geometry.dispose();
      for (const one of [material].flat()) one.dispose();
    }
  }
}

function replaceGeometry(mesh: Mesh, geometry: BufferGeometry | undefined): void {
  mesh.geometry.dispose();
  mesh.visible = geometry !== undefined;
  if (geometry) mesh.geometry = geometry;
}

function faceGeometry(mesh: PackedMesh, shapes: readonly AreaShape[]): BufferGeometry | undefined {
  const facets = new Set(shapes.flatMap((shape) => (shape.kind === "FACE" ? (faceOf(mesh, shape)?.facets ?? []) : [])));
  if (facets.size === 0) return undefined;
  const corners = new Uint32Array(3 * facets.size);
  let at = 0;
  for (const facet of facets) {
    corners.set(mesh.triangles.subarray(3 * facet, 3 * facet + 3), at);
    at += 3;
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(mesh.positions, 3));
  geometry.setIndex(new BufferAttribute(corners, 1));
  return geometry;
}

/** Attributes of an instance: a facet and a piece of a stroke. */
const ATTRIBUTES = [
  ["a", 3],
  ["b", 3],
  ["c", 3],
  ["fromPoint", 3],
  ["fromNormal", 3],
  ["toPoint", 3],
  ["toNormal", 3],
  ["radius", 1],
] as const;
const STRIDE = ATTRIBUTES.reduce((sum, [, size]) => sum + size, 0);

/** Shares of the three corners. */
const CORNERS = new Float32Array([1, 0, 0, 0, 1, 0, 0, 0, 1]);

function strokeGeometry(mesh: PackedMesh, shapes: readonly AreaShape[]): BufferGeometry | undefined {
  const instances = shapes.map((shape) => brushedInstances(mesh, shape));
  const total = instances.reduce((sum, { length }) => sum + length, 0);
  if (total === 0) return undefined;
  const values = new Float32Array(total);
  let at = 0;
  for (const own of instances) {
    values.set(own, at);
    at += own.length;
  }
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(CORNERS, 3));
  const buffer = new InstancedInterleavedBuffer(values, STRIDE);
  let offset = 0;
  for (const [name, size] of ATTRIBUTES) {
    geometry.setAttribute(name, new InterleavedBufferAttribute(buffer, size, offset));
    offset += size;
  }
  geometry.instanceCount = total / STRIDE;
  return geometry;
}

const known = new WeakMap<AreaShape, { readonly mesh: PackedMesh; readonly values: Float32Array }>();

/** The instances of a brushed shape; none of a face. Kept while the shape lives, so that a new one costs only itself. */
function brushedInstances(mesh: PackedMesh, shape: AreaShape): Float32Array {
  const old = known.get(shape);
  if (old?.mesh === mesh) return old.values;
  const pieces = capsulesOf(shape).map((capsule) => ({ capsule, facets: facetsNear(mesh, capsule) }));
  const values = new Float32Array(pieces.reduce((sum, { facets }) => sum + facets.length * STRIDE, 0));
  let at = 0;
  for (const { capsule, facets } of pieces) {
    const { from, to, radiusMm } = capsule;
    const piece = [...from.point, ...from.normal, ...to.point, ...to.normal, radiusMm];
    for (const facet of facets) {
      for (const corner of packedCorners(mesh, facet)) {
        values.set(corner, at);
        at += 3;
      }
      values.set(piece, at);
      at += piece.length;
    }
  }
  known.set(shape, { mesh, values });
  return values;
}
