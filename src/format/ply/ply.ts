import type { ErrorFactory } from "../../core/api-error.ts";
import type { Progress } from "../../core/progress.ts";
import { ensureCapacity } from "../../core/typed-arrays.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import type { ModelFile, ModelReader } from "../model-reader.ts";
import { claimModelSize, requireModelSize } from "../model-size.ts";
import { strokeWarnings, unreadFields } from "../message-names.ts";
import { readNearOrigin } from "../near-origin.ts";
import { PolygonCollector } from "../polygon-collector.ts";
import { type FileSource, readError, readExactly } from "../../codec/file-source.ts";
import { withFileSource } from "../model-source.ts";
import { type PlyElement, type PlyHeader, type PlyProperty, readPlyHeader } from "./ply-header.ts";
import { type PlyNumbers, asciiNumbers, binaryNumbers } from "./ply-numbers.ts";

/** Headers have a few hundred bytes; comments may make them longer. */
const MAX_HEADER_BYTES = 1 << 20;
const ROWS_PER_REPORT = 16_384;
/** The rest of the progress is for triangulating polygons. */
const PARSE_SHARE = 0.9;
const FACES = "face";
const STRIPS = "tristrips";
const EDGES = "edge";
const CORNER_LISTS = new Set(["vertex_indices", "vertex_index"]);
const AXES = ["x", "y", "z"];
/** Restarts a strip. */
const RESTART = -1;

/**
 * PLY (G. Turk, 1994), as text or binary: elements "vertex" with x, y and z, "face" and "tristrips" with lists of vertices. Other
 * elements and properties are skipped. The format has no unit.
 */
export const plyReader: ModelReader = {
  async read(file, options, progress) {
    return withFileSource(file, (source) =>
      readNearOrigin(options, progress, (share, origin) => parsePly(source, share, origin)),
    );
  },
};

function parsePly(source: FileSource, progress: Progress, origin?: Vec3): ModelFile {
  const refuse: ErrorFactory = (why) => readError(source, why);
  const start = new Uint8Array(Math.min(source.size, MAX_HEADER_BYTES));
  readExactly(source, start, 0);
  const header = readPlyHeader(start, refuse);
  claimHeaderSize(source, header, refuse);
  const parsing = progress.part(0, PARSE_SHARE);
  const numbers =
    header.encoding === "ascii"
      ? asciiNumbers(source, header, origin ? "double" : "single", parsing)
      : binaryNumbers(source, header, parsing);
  const collector = new PolygonCollector(origin);
  for (const element of header.elements) readElement(element, numbers, collector, refuse, parsing);
  const surface = collector.toSurface(progress.part(PARSE_SHARE, 1));
  if (surface.triangles.length === 0) throw refuse(NO_FACES);
  const strokes = countOf(header, EDGES) > 0 ? ["edges"] : [];
  return { parts: [{ index: 0, surface }], ...unreadFields([], strokeWarnings(strokes)) };
}

const NO_FACES = "it has no faces; a cloud of points cannot be printed; export the model again as a mesh";

const countOf = ({ elements }: PlyHeader, name: string): number =>
  elements.reduce((sum, element) => sum + (element.name === name ? element.count : 0), 0);

function claimHeaderSize(source: FileSource, header: PlyHeader, refuse: ErrorFactory): void {
  const size = { facets: countOf(header, FACES), vertices: countOf(header, "vertex"), parts: 1 };
  const rows = header.elements.reduce((sum, { count }) => sum + count, 0);
  // A row takes at least a byte, also as text.
  if (rows > source.size || header.elements.some(({ properties }) => properties.length === 0)) {
    throw refuse(
      `its header announces ${rows} rows, more than it can hold, or rows without properties; export the model again`,
    );
  }
  // Scanners write points that they did not see as NaN; for a point cloud the error must be the missing faces instead.
  if (size.facets + countOf(header, STRIPS) === 0) throw refuse(NO_FACES);
  const namesOf = (element: string): string[] =>
    header.elements
      .filter(({ name }) => name === element)
      .flatMap(({ properties }) => properties.map(({ name }) => name));
  const missing = AXES.find((axis) => !namesOf("vertex").includes(axis));
  if (missing !== undefined) throw refuse(`its vertices have no property "${missing}"; export the model again`);
  claimModelSize(source.path, size, refuse);
}

function readElement(
  element: PlyElement,
  numbers: PlyNumbers,
  collector: PolygonCollector,
  refuse: ErrorFactory,
  progress: Progress,
): void {
  const { name, count, properties } = element;
  const row = new Float64Array(3);
  const isVertex = name === "vertex";
  let corners = new Float64Array(8);
  for (let i = 0; i < count; i++) {
    if (i % ROWS_PER_REPORT === 0) {
      requireModelSize(collector.size, refuse);
      progress.report(0);
    }
    numbers.beginRow();
    for (const property of properties) {
      if (property.countType === undefined) {
        const value = numbers.next(property.type);
        const axis = AXES.indexOf(property.name);
        if (axis >= 0) row[axis] = value;
        continue;
      }
      const items = numbers.next(property.countType);
      if (!(items >= 0)) throw refuse(`a list of its element "${name}" has ${items} items; export the model again`);
      for (let k = 0; k < items; k++) {
        const item = numbers.next(property.type);
        corners = ensureCapacity(corners, k + 1);
        corners[k] = item;
      }
      if (holdsCorners(property)) addCorners(name, corners, items, collector, refuse);
    }
    if (isVertex) addVertex(row, i, collector, refuse);
  }
}

const holdsCorners = ({ name }: PlyProperty): boolean => CORNER_LISTS.has(name);

function addVertex(row: Float64Array, index: number, collector: PolygonCollector, refuse: ErrorFactory): void {
  if (!row.every((value) => Number.isFinite(Math.fround(value)))) {
    throw refuse(`vertex ${index + 1} has a coordinate that is not a finite number; export the model again`);
  }
  collector.addVertex(row[0], row[1], row[2]);
}

/** Adds a face or a strip of the first `count` corners. */
function addCorners(
  element: string,
  corners: Float64Array,
  count: number,
  collector: PolygonCollector,
  refuse: ErrorFactory,
): void {
  const { vertexCount } = collector;
  const isStrip = element === STRIPS;
  if (!isStrip && element !== FACES) return;
  for (let i = 0; i < count; i++) {
    const corner = corners[i];
    if (corner < vertexCount && (corner >= 0 || (isStrip && corner === RESTART))) continue;
    throw refuse(
      `a face names vertex ${corner} (counted from 0), and the file has ${vertexCount} before it; export the model again`,
    );
  }
  if (!isStrip) {
    // Faces of one or two corners are points and lines.
    if (count >= 3) collector.addFace(corners, count);
    return;
  }
  let first = 0;
  for (let i = 0; i < count; i++) {
    if (corners[i] === RESTART) first = i + 1;
    else if (i >= first + 2) {
      const isOdd = (i - first) % 2 === 1;
      collector.addTriangle(corners[isOdd ? i - 1 : i - 2], corners[isOdd ? i - 2 : i - 1], corners[i]);
    }
  }
}
