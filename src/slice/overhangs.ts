import type { Progress } from "../core/progress.ts";
import { ensureCapacity } from "../core/typed-arrays.ts";
import { upperBound } from "../geometry/binary-search.ts";
import { bucketBy } from "../geometry/bucket-by.ts";
import type { SpanGrid } from "../geometry/spans.ts";
import { type Surface, placedSurface, setFacetNormal } from "../mesh/mesh.ts";
import type { LayerFaces, OverhangDistance } from "./overhang-distance.ts";
import { repairedSolid } from "./repaired-solid.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";

/**
 * The pixels whose centre lies below an overhanging facet, by layer. Layer k has the entries from `starts[k]` to
 * `starts[k + 1]`.
 */
export interface Overhangs {
  readonly starts: Uint32Array;
  readonly pixels: Uint32Array;
  /** The facet above each pixel. */
  readonly facets: Uint32Array;
  /** Height of the facet at the centre of the pixel. */
  readonly heightsMm: Float32Array;
  /** Tangent of the facet's angle from horizontal. */
  readonly slopes: Float32Array;
  /** The largest rise of an overhanging facet across a pixel, mm. */
  readonly maxRiseMm: number;
}

const FACETS_PER_REPORT = 4096;

/**
 * Rasterises the overhanging facets of a surface in scene coordinates: those that face down and are less than
 * `angleDeg` from horizontal. Each pixel centre below one is entered at the first layer that is sampled above the facet
 * there. Two facets that share an edge share no pixel. The loops are unrolled: they visit every facet of the model.
 */
export function findOverhangs(
  { vertices, triangles }: Surface,
  sampleHeightsMm: Float64Array,
  { columns, rows, pixelMm, leftMm, backMm }: SpanGrid,
  angleDeg: number,
  progress: Progress,
): Overhangs {
  const cosine = Math.fround(Math.cos((angleDeg * Math.PI) / 180));
  let [layers, pixels, facets] = [new Uint32Array(1024), new Uint32Array(1024), new Uint32Array(1024)];
  let [heightsMm, slopes] = [new Float32Array(1024), new Float32Array(1024)];
  let count = 0;
  const normal = new Float64Array(3);
  const x = [0, 0, 0];
  const y = [0, 0, 0];
  for (let facet = 0; facet < triangles.length / 3; facet++) {
    if (facet % FACETS_PER_REPORT === 0) progress.report((3 * facet) / triangles.length);
    const a = 3 * triangles[3 * facet];
    setFacetNormal(normal, vertices, triangles, facet);
    const nx = normal[0];
    const ny = normal[1];
    const nz = normal[2];
    if (-nz <= cosine * Math.sqrt(nx * nx + ny * ny + nz * nz)) continue;
    for (let i = 0; i < 3; i++) {
      const at = 3 * triangles[3 * facet + i];
      x[i] = (vertices[at] - leftMm) / pixelMm - 0.5;
      y[i] = (backMm - vertices[at + 1]) / pixelMm - 0.5;
    }
    const slope = Math.sqrt(nx * nx + ny * ny) / -nz;
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
      const endColumn = Math.min(columns, to);
      for (let column = Math.max(0, Math.ceil(from)); column < endColumn; column++) {
        const dx = leftMm + (column + 0.5) * pixelMm - vertices[a];
        const dy = backMm - (row + 0.5) * pixelMm - vertices[a + 1];
        const heightMm = vertices[a + 2] - (nx * dx + ny * dy) / nz;
        const layer = upperBound(sampleHeightsMm, heightMm);
        if (layer === sampleHeightsMm.length) continue;
        if (count === pixels.length) {
          [layers, pixels, facets] = [
            ensureCapacity(layers, count + 1),
            ensureCapacity(pixels, count + 1),
            ensureCapacity(facets, count + 1),
          ];
          [heightsMm, slopes] = [ensureCapacity(heightsMm, count + 1), ensureCapacity(slopes, count + 1)];
        }
        layers[count] = layer;
        pixels[count] = row * columns + column;
        heightsMm[count] = heightMm;
        slopes[count] = slope;
        facets[count++] = facet;
      }
    }
  }
  const { starts, items } = bucketBy(layers.subarray(0, count), sampleHeightsMm.length);
  return {
    starts,
    pixels: items.map((entry) => pixels[entry]),
    facets: items.map((entry) => facets[entry]),
    heightsMm: Float32Array.from(items, (entry) => heightsMm[entry]),
    slopes: Float32Array.from(items, (entry) => slopes[entry]),
    maxRiseMm: Math.SQRT2 * pixelMm * Math.tan((angleDeg * Math.PI) / 180),
  };
}

/** The facets of a layer's overhangs, as {@link OverhangDistance} takes them. */
export function facesOfLayer({ starts, pixels, heightsMm, slopes }: Overhangs, layer: number): LayerFaces {
  const [from, to] = [starts[layer], starts[layer + 1]];
  return {
    pixels: pixels.subarray(from, to),
    heightsMm: heightsMm.subarray(from, to),
    slopes: slopes.subarray(from, to),
  };
}

/**
 * The entries of a layer's overhangs at which solid begins. Facets inside other solid, or of solid that is too thin for
 * any layer, are left out. `layer` is the current layer of `distances`.
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

/** The surface of the solid that a mesh bounds, in scene coordinates; repaired where the mesh has gaps. */
export function placedSolidSurface({ mesh, pose }: PlacedMesh, progress: Progress): Surface {
  const { vertices, triangles } = repairedSolid(mesh, progress);
  return placedSurface({ mesh: { ...mesh, vertices: Float32Array.from(vertices), triangles }, pose });
}
