import type { Watch } from "../../core/watch.ts";
import { grown } from "../../mesh/grown.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { firstAbove } from "../../slice/facet-index.ts";
import type { SpanGrid } from "../../slice/span-layers.ts";

/** The pixels whose middle lies under a face that overhangs. Those of layer k are the entries from `starts[k]` to `starts[k + 1]`. */
export interface Overhangs {
  readonly starts: Uint32Array;
  readonly pixels: Uint32Array;
  /** The facet over each. */
  readonly facets: Uint32Array;
  /** By how much a face that overhangs rises at most across a pixel. */
  readonly riseMm: number;
}

const FACETS_PER_REPORT = 4096;

/**
 * Where facets look down and lie flatter than `angleDeg` from level, of a surface in scene coordinates: the middles of
 * pixels beneath them, at the first layer whose middle lies above. Two facets that share an edge share no pixel.
 */
export function overhangsOf(
  { vertices, triangles }: Surface,
  middlesMm: Float64Array,
  { columns, rows, pixelMm, leftMm, backMm }: SpanGrid,
  angleDeg: number,
  watch: Watch,
): Overhangs {
  const cosine = Math.fround(Math.cos((angleDeg * Math.PI) / 180));
  const starts = new Uint32Array(middlesMm.length + 2);
  let [layers, pixels, facets] = [new Uint32Array(1024), new Uint32Array(1024), new Uint32Array(1024)];
  let count = 0;
  const x = [0, 0, 0];
  const y = [0, 0, 0];
  for (let facet = 0; facet < triangles.length / 3; facet++) {
    if (facet % FACETS_PER_REPORT === 0) watch.report((3 * facet) / triangles.length);
    const a = 3 * triangles[3 * facet];
    const b = 3 * triangles[3 * facet + 1];
    const c = 3 * triangles[3 * facet + 2];
    const ux = vertices[b] - vertices[a];
    const uy = vertices[b + 1] - vertices[a + 1];
    const uz = vertices[b + 2] - vertices[a + 2];
    const vx = vertices[c] - vertices[a];
    const vy = vertices[c + 1] - vertices[a + 1];
    const vz = vertices[c + 2] - vertices[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    if (-nz <= cosine * Math.sqrt(nx * nx + ny * ny + nz * nz)) continue;
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
        // From the upper end, so that both facets of an edge cut it in the same place.
        const p = y[i] < y[j] ? i : j;
        const q = y[i] < y[j] ? j : i;
        const cut = x[p] + ((row - y[p]) / (y[q] - y[p])) * (x[q] - x[p]);
        from = Math.min(from, cut);
        to = Math.max(to, cut);
      }
      const endColumn = Math.min(columns, to);
      for (let column = Math.max(0, Math.ceil(from)); column < endColumn; column++) {
        const east = leftMm + (column + 0.5) * pixelMm - vertices[a];
        const north = backMm - (row + 0.5) * pixelMm - vertices[a + 1];
        const layer = firstAbove(middlesMm, vertices[a + 2] - (nx * east + ny * north) / nz);
        if (layer === middlesMm.length) continue;
        if (count === pixels.length) {
          [layers, pixels, facets] = [grown(layers, count + 1), grown(pixels, count + 1), grown(facets, count + 1)];
        }
        layers[count] = layer;
        pixels[count] = row * columns + column;
        facets[count++] = facet;
        starts[layer + 2]++;
      }
    }
  }
  const riseMm = Math.SQRT2 * pixelMm * Math.tan((angleDeg * Math.PI) / 180);
  return { ...byLayer(starts, layers.subarray(0, count), pixels, facets), riseMm };
}

/** `starts[k + 2]` counts the entries of layer k. */
function byLayer(
  starts: Uint32Array,
  layers: Uint32Array,
  pixels: Uint32Array,
  facets: Uint32Array,
): Omit<Overhangs, "riseMm"> {
  for (let layer = 2; layer < starts.length; layer++) starts[layer] += starts[layer - 1];
  const sorted = { pixels: new Uint32Array(layers.length), facets: new Uint32Array(layers.length) };
  // starts[k + 1] is where the next entry of layer k goes: once all are placed, starts is what it is named after.
  layers.forEach((layer, i) => {
    const at = starts[layer + 1]++;
    sorted.pixels[at] = pixels[i];
    sorted.facets[at] = facets[i];
  });
  return { starts: starts.subarray(0, -1), ...sorted };
}
