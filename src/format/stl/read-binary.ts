import type { Watch } from "../../core/watch.ts";
import { grown } from "../../mesh/grown.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { Welder } from "../../mesh/welder.ts";
import type { Source } from "../source.ts";
import { readExactly, unreadable } from "../source.ts";

/** 80 bytes of anything and the number of facets. */
export const HEAD_BYTES = 84;
/** Normal and three corners in single precision, two bytes of attributes; little-endian, as all our processors. */
export const FACET_BYTES = 50;
/** One read; small enough that its facets stay in the cache. */
const BATCH_FACETS = 20_000;
const NORMAL_BYTES = 12;
const CORNER_FLOATS = 9;

/** Reads the `count` facets that a binary STL file announces; bytes after them do not matter. */
export function readBinary(source: Source, count: number, watch: Watch): Surface {
  if (count === 0) throw unreadable(source, "it has no facets; export the model again");
  const whole = Math.max(0, Math.floor((source.size - HEAD_BYTES) / FACET_BYTES));
  if (whole < count) {
    throw unreadable(
      source,
      `its header announces ${count} facets, but it ends after ${whole}; ` +
        "it was cut short or is not an STL file; export the model again",
    );
  }
  const triangles = grown(new Uint32Array(0), 3 * count);
  const welder = new Welder(count / 2);
  const bytes = new Uint8Array(FACET_BYTES * Math.min(count, BATCH_FACETS));
  const points = new Float32Array(CORNER_FLOATS * Math.min(count, BATCH_FACETS));
  for (let first = 0; first < count; first += BATCH_FACETS) {
    const batch = Math.min(count - first, BATCH_FACETS);
    readExactly(source, bytes.subarray(0, FACET_BYTES * batch), HEAD_BYTES + FACET_BYTES * first);
    takeCorners(bytes, points, batch);
    welder.add(points, 3 * batch, triangles, 3 * first);
    watch.report((first + batch) / count);
  }
  const vertices = welder.vertices();
  const broken = firstNotFinite(vertices);
  if (broken >= 0) {
    const facet = Math.floor(triangles.indexOf(Math.floor(broken / 3)) / 3) + 1;
    throw unreadable(
      source,
      `facet ${facet} of ${count} has a coordinate that is not a finite number; export the model again`,
    );
  }
  return { vertices, triangles };
}

/** A facet's numbers lie at even addresses only, so they are put together from halves. */
function takeCorners(bytes: Uint8Array<ArrayBuffer>, points: Float32Array<ArrayBuffer>, facets: number): void {
  const halves = new Uint16Array(bytes.buffer);
  const bits = new Int32Array(points.buffer);
  let to = 0;
  for (let facet = 0; facet < facets; facet++) {
    const from = (FACET_BYTES * facet + NORMAL_BYTES) / 2;
    for (let half = from; half < from + 2 * CORNER_FLOATS; half += 2) {
      bits[to++] = halves[half] | (halves[half + 1] << 16);
    }
  }
}

function firstNotFinite(values: Float32Array): number {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) return i;
  return -1;
}
