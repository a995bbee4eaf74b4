import type { Progress } from "../../core/progress.ts";
import { ensureCapacity } from "../../core/typed-arrays.ts";
import { upperBound } from "../../geometry/binary-search.ts";
import { bucketBy } from "../../geometry/bucket-by.ts";
import type { SpanGrid } from "../../geometry/spans.ts";
import { type Surface, placedSurface, setFacetNormal, withOtherSurface } from "../../mesh/mesh.ts";
import type { LayerFaces, OverhangDistance } from "./overhang-distance.ts";
import { repairedSolid } from "../repaired-solid.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";

/** The pixels whose centre is below an overhanging facet, by layer. Entries `starts[k]` to `starts[k + 1]` − 1 are of layer k. */
export interface Overhangs {
  readonly starts: Uint32Array;
  readonly pixels: Uint32Array;
  /** The facet above each pixel. */
  readonly facets: Uint32Array;
  /** The largest rise of an overhanging facet across a pixel, mm. */
  readonly maxRiseMm: number;
}

/** Overhangs with the height and slope of the facet above each pixel. */
export interface OverhangFaces extends Overhangs {
  /** Height of the facet at the centre of the pixel. */
  readonly heightsMm: Float32Array;
  /** Tangent of the facet's angle from horizontal. */
  readonly slopes: Float32Array;
}

export interface OverhangRequest {
  /** In scene coordinates. */
  readonly surface: Surface;
  /** The height at which each layer is sampled, ascending. */
  readonly sampleHeightsMm: Float64Array;
  readonly grid: SpanGrid;
  /** Angle from horizontal. Flatter facets that face down overhang. */
  readonly angleDeg: number;
}

/**
 * Rasterises the overhanging facets of a surface. A pixel centre below a facet is an entry of the first layer whose sample height is
 * above the facet there. Two facets that share an edge share no pixel.
 */
export const findOverhangs = (request: OverhangRequest, progress: Progress): Overhangs =>
  rasteriseOverhangs(request, new OverhangEntries(request, false), progress);

/** {@link findOverhangs} with heights and slopes, which take 8 bytes for each entry. */
export const findOverhangFaces = (request: OverhangRequest, progress: Progress): OverhangFaces =>
  rasteriseOverhangs(request, new OverhangEntries(request, true), progress);

const FACETS_PER_REPORT = 4096;

function rasteriseOverhangs(
  { surface: { vertices, triangles }, grid, angleDeg }: OverhangRequest,
  entries: OverhangEntries,
  progress: Progress,
): OverhangFaces {
  const angle = (angleDeg * Math.PI) / 180;
  const cosine = Math.fround(Math.cos(angle));
  const normal = new Float64Array(3);
  for (let facet = 0; facet < triangles.length / 3; facet++) {
    if (facet % FACETS_PER_REPORT === 0) progress.report((3 * facet) / triangles.length);
    setFacetNormal(normal, vertices, triangles, facet);
    const nx = normal[0];
    const ny = normal[1];
    const nz = normal[2];
    if (-nz > cosine * Math.sqrt(nx * nx + ny * ny + nz * nz)) entries.addFacet(facet, nx, ny, nz);
  }
  return { ...entries.byLayer(), maxRiseMm: Math.SQRT2 * grid.pixelMm * Math.tan(angle) };
}

const FIRST_CAPACITY = 1024;

/** The entries of overhanging facets, in the order of rasterising. */
class OverhangEntries {
  readonly #request: OverhangRequest;
  readonly #hasFaces: boolean;
  #layers = new Uint32Array(FIRST_CAPACITY);
  #pixels = new Uint32Array(FIRST_CAPACITY);
  #facets = new Uint32Array(FIRST_CAPACITY);
  #heightsMm: Float32Array<ArrayBuffer>;
  #slopes: Float32Array<ArrayBuffer>;
  #count = 0;
  /** The corners of the current facet, in columns and rows from the centre of pixel 0. */
  readonly #x = [0, 0, 0];
  readonly #y = [0, 0, 0];

  /** Without `hasFaces` heights and slopes stay empty. */
  constructor(request: OverhangRequest, hasFaces: boolean) {
    this.#request = request;
    this.#hasFaces = hasFaces;
    this.#heightsMm = new Float32Array(hasFaces ? FIRST_CAPACITY : 0);
    this.#slopes = new Float32Array(hasFaces ? FIRST_CAPACITY : 0);
  }

  byLayer(): Omit<OverhangFaces, "maxRiseMm"> {
    const layerCount = this.#request.sampleHeightsMm.length;
    const { starts, items } = bucketBy(this.#layers.subarray(0, this.#count), layerCount);
    const pixels = new Uint32Array(items.length);
    const facets = new Uint32Array(items.length);
    const heightsMm = new Float32Array(this.#hasFaces ? items.length : 0);
    const slopes = new Float32Array(this.#hasFaces ? items.length : 0);
    for (let i = 0; i < items.length; i++) {
      const entry = items[i];
      pixels[i] = this.#pixels[entry];
      facets[i] = this.#facets[entry];
      if (!this.#hasFaces) continue;
      heightsMm[i] = this.#heightsMm[entry];
      slopes[i] = this.#slopes[entry];
    }
    return { starts, pixels, facets, heightsMm, slopes };
  }

  /** Adds the pixels whose centres are below a facet. The normal points down and has any length. */
  addFacet(facet: number, nx: number, ny: number, nz: number): void {
    const { surface, grid } = this.#request;
    const { vertices, triangles } = surface;
    const { rows, pixelMm, leftMm, backMm } = grid;
    const x = this.#x;
    const y = this.#y;
    for (let i = 0; i < 3; i++) {
      const at = 3 * triangles[3 * facet + i];
      x[i] = (vertices[at] - leftMm) / pixelMm - 0.5;
      y[i] = (backMm - vertices[at + 1]) / pixelMm - 0.5;
    }
    const endRow = Math.min(rows, Math.max(y[0], y[1], y[2]));
    for (let row = Math.max(0, Math.ceil(Math.min(y[0], y[1], y[2]))); row < endRow; row++) {
      let from = Infinity;
      let to = -Infinity;
      for (let i = 0; i < 3; i++) {
        const j = i < 2 ? i + 1 : 0;
        if (y[i] <= row === y[j] <= row) continue;
        // From the end of lower y, so that both facets of an edge get the same crossing.
        const p = y[i] < y[j] ? i : j;
        const q = y[i] < y[j] ? j : i;
        const crossing = x[p] + ((row - y[p]) / (y[q] - y[p])) * (x[q] - x[p]);
        from = Math.min(from, crossing);
        to = Math.max(to, crossing);
      }
      this.#addRow(row, from, to, facet, nx, ny, nz);
    }
  }

  /** Adds the pixels of a row whose centres are from `from` to before `to`. */
  #addRow(row: number, from: number, to: number, facet: number, nx: number, ny: number, nz: number): void {
    const { surface, sampleHeightsMm, grid } = this.#request;
    const { vertices, triangles } = surface;
    const { columns, pixelMm, leftMm, backMm } = grid;
    const slope = Math.sqrt(nx * nx + ny * ny) / -nz;
    const a = 3 * triangles[3 * facet];
    const ax = vertices[a];
    const ay = vertices[a + 1];
    const az = vertices[a + 2];
    const dy = backMm - (row + 0.5) * pixelMm - ay;
    const endColumn = Math.min(columns, to);
    for (let column = Math.max(0, Math.ceil(from)); column < endColumn; column++) {
      const dx = leftMm + (column + 0.5) * pixelMm - ax;
      const heightMm = az - (nx * dx + ny * dy) / nz;
      const layer = upperBound(sampleHeightsMm, heightMm);
      if (layer === sampleHeightsMm.length) continue;
      if (this.#count === this.#pixels.length) this.#grow();
      const entry = this.#count++;
      this.#layers[entry] = layer;
      this.#pixels[entry] = row * columns + column;
      this.#facets[entry] = facet;
      if (!this.#hasFaces) continue;
      this.#heightsMm[entry] = heightMm;
      this.#slopes[entry] = slope;
    }
  }

  #grow(): void {
    this.#layers = ensureCapacity(this.#layers, this.#count + 1);
    this.#pixels = ensureCapacity(this.#pixels, this.#count + 1);
    this.#facets = ensureCapacity(this.#facets, this.#count + 1);
    if (!this.#hasFaces) return;
    this.#heightsMm = ensureCapacity(this.#heightsMm, this.#count + 1);
    this.#slopes = ensureCapacity(this.#slopes, this.#count + 1);
  }
}

/** The facets of a layer's overhangs, as {@link OverhangDistance} takes them. */
export function facesOfLayer({ starts, pixels, heightsMm, slopes }: OverhangFaces, layer: number): LayerFaces {
  const [from, to] = [starts[layer], starts[layer + 1]];
  return {
    pixels: pixels.subarray(from, to),
    heightsMm: heightsMm.subarray(from, to),
    slopes: slopes.subarray(from, to),
  };
}

/**
 * The entries of a layer's overhangs at which solid begins. Facets inside other solid, or of solid too thin for any layer, are left
 * out. `layer` is the current layer of `distances`.
 */
export function exposedOverhangs(
  { starts, pixels, maxRiseMm }: Overhangs,
  layer: number,
  sampleHeightsMm: Float64Array,
  distances: OverhangDistance,
): number[] {
  const exposed: number[] = [];
  const reachMm = maxRiseMm + 2 * (sampleHeightsMm[layer] - sampleHeightsMm[layer - 1] || 0);
  for (let entry = starts[layer]; entry < starts[layer + 1]; entry++) {
    const pixel = pixels[entry];
    if (!distances.isSolid(pixel)) continue;
    // A pixel becomes solid where the facet touches any part of it: below the height of the facet at its centre.
    const since = distances.solidSince(pixel);
    const exposedAtMm = since > 0 ? sampleHeightsMm[since - 1] : 0;
    if (sampleHeightsMm[layer] - exposedAtMm <= reachMm) exposed.push(entry);
  }
  return exposed;
}

/** The surface of the solid of a mesh, repaired if the mesh has gaps, in scene coordinates. */
export function placedSolidSurface({ mesh, pose }: PlacedMesh, progress: Progress): Surface {
  const { vertices, triangles } = repairedSolid(mesh, progress);
  return placedSurface({ mesh: withOtherSurface(mesh, { vertices: Float32Array.from(vertices), triangles }), pose });
}
