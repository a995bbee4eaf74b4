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
import type { SurfaceCapsule } from "../../geometry/surface-capsule.ts";
import type { AreaShape } from "../../support/plan/support-area.ts";
import { type AreaTint, type AreaUniforms, newAreaMaterial, newAreaUniforms } from "./area-material.ts";
import { planesOf } from "./body-material.ts";
import { brushedFacets, capsulesOf, packedCorners } from "./brushed-facets.ts";
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

/** Areas of one colour: facets that are wholly in them, and those at the rims of strokes. */
class AreaLayer {
  readonly #tint: AreaTint;
  readonly #facets: Mesh;
  readonly #rims: Mesh;
  #mesh: PackedMesh | undefined;
  #shapes = NO_SHAPES;
  #whole = new Set<number>();
  #rim: Rim[] = [];
  #corners = newCorners(FIRST_FACETS);

  constructor(uniforms: AreaUniforms, hatchSide: 1 | -1, opacity: number) {
    this.#tint = { tint: { value: [0, 0, 0] }, opacity: { value: opacity } };
    const all = { ...uniforms, ...this.#tint };
    this.#facets = new Mesh(new BufferGeometry(), newAreaMaterial(false, hatchSide, all));
    this.#rims = new Mesh(new BufferGeometry(), newAreaMaterial(true, hatchSide, all));
    for (const mesh of this.meshes) {
      mesh.frustumCulled = false;
      mesh.visible = false;
    }
  }

  get meshes(): readonly Mesh[] {
    return [this.#facets, this.#rims];
  }

  colour(tint: number): void {
    this.#tint.tint.value = rgbOf(tint);
  }

  /** Shows these shapes. Those that are added to the shown ones cost only themselves. */
  show(mesh: PackedMesh | undefined, shapes: readonly AreaShape[]): void {
    if (mesh === this.#mesh && shapes === this.#shapes) return;
    const goesOn = mesh === this.#mesh && this.#shapes.every((shape, i) => shape === shapes[i]);
    const added = goesOn ? shapes.slice(this.#shapes.length) : shapes;
    if (!goesOn) [this.#whole, this.#rim] = [new Set(), []];
    const shown = this.#whole.size;
    [this.#mesh, this.#shapes] = [mesh, shapes];
    if (mesh) for (const shape of added) this.#add(mesh, shape);
    const facets = [...this.#whole].slice(shown);
    if (mesh) this.#showFacets(mesh, facets, shown);
    this.#rim = this.#rim.filter(({ facet }) => !this.#whole.has(facet));
    this.#rims.geometry.dispose();
    if (mesh) this.#rims.geometry = rimGeometry(mesh, this.#rim);
    this.#facets.visible = this.#whole.size > 0;
    this.#rims.visible = this.#rim.length > 0;
  }

  #add(mesh: PackedMesh, shape: AreaShape): void {
    if (shape.kind === "FACE") for (const facet of faceOf(mesh, shape)?.facets ?? []) this.#whole.add(facet);
    for (const capsule of capsulesOf(shape)) {
      const { whole, rim } = brushedFacets(mesh, capsule);
      for (const facet of whole) this.#whole.add(facet);
      for (const facet of rim) if (!this.#whole.has(facet)) this.#rim.push({ facet, capsule });
    }
  }

  /** Draws more facets after the first `shown` ones. Only they are sent to the graphics, as long as there is room. */
  #showFacets(mesh: PackedMesh, facets: readonly number[], shown: number): void {
    const count = shown + facets.length;
    if (
      count * FACET_NUMBERS > this.#corners.array.length ||
      this.#facets.geometry.attributes.position !== this.#corners
    ) {
      const larger = newCorners(Math.max(FIRST_FACETS, Math.ceil(1.5 * count)));
      larger.array.set(this.#corners.array.subarray(0, shown * FACET_NUMBERS));
      this.#corners = larger;
      this.#facets.geometry.dispose();
      this.#facets.geometry = new BufferGeometry().setAttribute("position", larger);
    }
    let at = shown * FACET_NUMBERS;
    this.#corners.addUpdateRange(at, facets.length * FACET_NUMBERS);
    for (const facet of facets) {
      for (const corner of packedCorners(mesh, facet)) {
        this.#corners.array.set(corner, at);
        at += 3;
      }
    }
    this.#corners.needsUpdate = true;
    this.#facets.geometry.setDrawRange(0, 3 * count);
  }

  close(): void {
    for (const { geometry, material } of this.meshes) {
      geometry.dispose();
      for (const one of [material].flat()) one.dispose();
    }
  }
}

/** Coordinates of the corners of a facet. */
const FACET_NUMBERS = 9;
const FIRST_FACETS = 1024;

type Corners = BufferAttribute & { readonly array: Float32Array };

const newCorners = (facets: number): Corners =>
  new BufferAttribute(new Float32Array(FACET_NUMBERS * facets), 3) as Corners;

/** A facet of which a piece of a stroke covers a part. */
interface Rim {
  readonly facet: number;
  readonly capsule: SurfaceCapsule;
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

function rimGeometry(mesh: PackedMesh, rims: readonly Rim[]): BufferGeometry {
  const values = new Float32Array(STRIDE * rims.length);
  let at = 0;
  for (const { facet, capsule } of rims) {
    const { from, to, radiusMm } = capsule;
    for (const vector of [...packedCorners(mesh, facet), from.point, from.normal, to.point, to.normal]) {
      values.set(vector, at);
      at += 3;
    }
    values[at++] = radiusMm;
  }
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(CORNERS, 3));
  const buffer = new InstancedInterleavedBuffer(values, STRIDE);
  let offset = 0;
  for (const [name, size] of ATTRIBUTES) {
    geometry.setAttribute(name, new InterleavedBufferAttribute(buffer, size, offset));
    offset += size;
  }
  geometry.instanceCount = rims.length;
  return geometry;
}
