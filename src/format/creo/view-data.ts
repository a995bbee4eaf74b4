import type { Buffer } from "node:buffer";
import { gunzipSync } from "node:zlib";
import type { ErrorFactory } from "../../core/api-error.ts";
import type { Progress } from "../../core/progress.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { ByteReader } from "../byte-reader.ts";
import { trianglesOfStrip, writeStrip } from "../triangle-strips.ts";

// The view data that Creo stores with a part ("OL", as of Creo View): compressed blocks of records with points, levels of detail and triangle
// strips. Decoded from parts of Creo 3.0.

const SIGNATURE = "DIV-OL";
/** Behind the signature and its version come a number, the size of the table and its rows: what a block is, and where it begins. */
const TABLE_AT = 14;

/** Of records: points with normals, the level of detail of what follows, and a triangle strip. */
const POINTS = 0x0100_0016;
const LEVEL = 0x0100_0017;
const STRIP = 0x1a;

/** A point and its normal, single precision. */
const POINT_BYTES = 24;
/** The finest level is for sizes on the screen up to this; others are coarser, or boxes. */
const FINEST = 16;
/** Farther from the origin lies no part, metres: it is some other data. */
const MAX_METRES = 1000;
const MAX_BLOCK_BYTES = 2 ** 30;
/** Of view data, measured: 2 to 6. */
const USUAL_RATIO = 8;

/** What the view data of a part show. */
export interface ViewData {
  /** Points of each list, x, y and z. */
  readonly points: readonly Float32Array[];
  /** Corners of each strip, and the list that they are in. */
  readonly strips: readonly { readonly corners: Uint32Array; readonly list: number }[];
}

/** Reads the view data in the section of a part. `claim` gets the bytes that blocks will take. */
export function readViewData(
  section: Buffer,
  claim: (bytes: number) => void,
  refuse: ErrorFactory,
  progress: Progress,
): ViewData {
  if (!section.toString("latin1", 0, SIGNATURE.length).startsWith(SIGNATURE)) {
    throw refuse("its view data are of a version that is not known here; in PTC Creo, save a copy as STEP");
  }
  const table = new ByteReader(section, refuse, TABLE_AT);
  table.skip(4);
  const rows = table.u32();
  const starts = Array.from({ length: Math.min(rows, section.length) }, () => {
    table.skip(4);
    return table.u32();
  });
  const data = { points: [] as Float32Array[], strips: [] as { corners: Uint32Array; list: number }[] };
  let inflatedBytes = 0;
  for (const [i, start] of starts.slice(0, -1).entries()) {
    progress.report(i / starts.length);
    const packed = section.subarray(start, starts[i + 1]);
    claim(inflatedBytes + USUAL_RATIO * packed.length);
    const block = inflated(packed, refuse);
    inflatedBytes += block.length;
    readBlock(block, data, refuse);
  }
  return data;
}

function inflated(packed: Buffer, refuse: ErrorFactory): Buffer {
  try {
    return gunzipSync(packed, { maxOutputLength: MAX_BLOCK_BYTES });
  } catch {
    throw refuse("its view data are damaged; in PTC Creo, save it again, or save a copy as STEP");
  }
}

interface GrowingViewData {
  readonly points: Float32Array[];
  readonly strips: { corners: Uint32Array; list: number }[];
}

/** Adds the points and the finest strips of a block. */
function readBlock(block: Buffer, { points, strips }: GrowingViewData, refuse: ErrorFactory): void {
  const reader = new ByteReader(block, refuse);
  let isFinest = false;
  while (reader.left >= 8) {
    const tag = reader.u32();
    // Zeros end lists, and fill up.
    if (tag === 0) continue;
    const record = new ByteReader(reader.take(reader.u32()), refuse);
    if (tag === POINTS) {
      record.skip(1);
      points.push(coordinatesOf(record.take(record.u32() * POINT_BYTES), refuse));
    } else if (tag === LEVEL) {
      record.skip(4);
      isFinest = record.f32s(1)[0] === FINEST;
    } else if (tag === STRIP && isFinest && points.length > 0) {
      const corners = record.u32s(record.left >> 2);
      const list = points.length - 1;
      if (corners.some((corner) => 3 * corner >= points[list].length)) {
        throw refuse(
          "its view data name points that are not there; in PTC Creo, save it again, or save a copy as STEP",
        );
      }
      strips.push({ corners, list });
    }
  }
}

/** The coordinates of points with normals. */
function coordinatesOf(bytes: Buffer, refuse: ErrorFactory): Float32Array {
  const count = bytes.length / POINT_BYTES;
  const coordinates = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    for (let axis = 0; axis < 3; axis++) {
      coordinates[3 * i + axis] = bytes.readFloatLE(POINT_BYTES * i + 4 * axis);
    }
  }
  if (!coordinates.every((value) => Math.abs(value) < MAX_METRES)) {
    throw refuse("its view data hold coordinates that are none; in PTC Creo, save it again, or save a copy as STEP");
  }
  return coordinates;
}

export const countTriangles = ({ strips }: ViewData): number =>
  strips.reduce((sum, { corners }) => sum + trianglesOfStrip(corners.length), 0);

export const countPoints = ({ points }: ViewData): number => points.reduce((sum, list) => sum + list.length / 3, 0);

/** The strips as one surface, metres. */
export function surfaceOfViewData(data: ViewData): Surface {
  const vertices = new Float32Array(3 * countPoints(data));
  const triangles = new Uint32Array(3 * countTriangles(data));
  const firsts: number[] = [];
  let first = 0;
  for (const list of data.points) {
    vertices.set(list, 3 * first);
    firsts.push(first);
    first += list.length / 3;
  }
  let at = 0;
  for (const { corners, list } of data.strips)
    at = writeStrip(
      triangles,
      at,
      corners.map((corner) => firsts[list] + corner),
    );
  return { vertices, triangles };
}
