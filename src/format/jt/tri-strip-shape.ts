import { Buffer } from "node:buffer";
import type { ErrorFactory } from "../../core/api-error.ts";
import type { Progress } from "../../core/progress.ts";
import { releaseArrays } from "../../core/typed-arrays.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { ByteReader } from "../../codec/byte-reader.ts";
import { PolygonCollector } from "../polygon-collector.ts";
import { type PacketSource, readPacket } from "./int32-packet.ts";
import { nextElement } from "./scene-elements.ts";
import { decodeTopology, readTopology } from "./topology.ts";

// Shapes of JT 9 and 10: a coded topology and quantised or plain coordinates (ISO 14306:2012, 7.2.2.1.2, "Tri-strip set shape LOD").

export const TRI_STRIP_LOD = "10dd10ab-2ac8-11d1-9b6b-0080c7bb5997";
/** Fraction of the progress at which the topology is decoded. */
const TOPOLOGY_SHARE = 0.7;
const MAX_BITS = 32;

export interface RoundedSurface extends Surface {
  /** Upper bound of the movement of a vertex by the rounding of its coordinates, in their unit. */
  readonly rounding: number;
}

/** Upper bound of the rounding of coordinates that are multiples of these steps along the axes. */
export const roundingOf = ([x, y, z]: readonly number[]): number => 0.5 * Math.sqrt(x * x + y * y + z * z);

/** The mesh of a shape segment. `claim` gets the numbers of facets and vertices before they are made. */
export function readTriStripShape(
  content: Buffer,
  version: number,
  claim: (facets: number, vertices: number) => void,
  refuse: ErrorFactory,
  progress: Progress,
): RoundedSurface {
  const element = nextElement(new ByteReader(content, refuse), refuse);
  if (element?.kind !== TRI_STRIP_LOD) throw refuse("a shape in it is none of triangle strips; export it as STEP");
  const reader = element.body;
  skipHead(reader, version);
  const source: PacketSource = { reader, version, refuse };
  const coded = readTopology(source);
  claim(
    coded.valences.reduce((sum, valence) => sum + Math.max(1, valence - 2), 0),
    coded.degrees.reduce((sum, { length }) => sum + length, 0),
  );
  const { corners, starts, vertexCount } = decodeTopology(coded, refuse, progress.part(0, TOPOLOGY_SHARE));
  const { coordinates, rounding } = readCoordinates(source, vertexCount);
  const collector = new PolygonCollector();
  for (let i = 0; i < vertexCount; i++) collector.addVertex(coordinates[0][i], coordinates[1][i], coordinates[2][i]);
  releaseArrays(...coordinates);
  for (let i = 0; i < coded.valences.length; i++) {
    // Other polygons only close the mesh.
    if (coded.groups[i] < 0 || i >= coded.groups.length) continue;
    const from = starts[i];
    if (starts[i + 1] - from === 3) collector.addTriangle(corners[from], corners[from + 1], corners[from + 2]);
    else collector.addFace(Uint32Array.from(corners.subarray(from, starts[i + 1])), starts[i + 1] - from);
  }
  releaseArrays(corners, starts, coded.valences, coded.groups);
  return { ...collector.toSurface(progress.part(TOPOLOGY_SHARE, 1)), rounding };
}

/** Skips versions, bindings and nested heads. */
function skipHead(reader: ByteReader, version: number): void {
  reader.skip(version === 9 ? 2 + 2 + 8 + 2 + 4 + 2 : 1 + 1 + 8 + 4 + 16 + 1 + 4 + 1 + 4 + 1);
}

interface Coordinates {
  /** One array per axis. */
  readonly coordinates: readonly (Float32Array | Float64Array)[];
  readonly rounding: number;
}

function readCoordinates(source: PacketSource, vertexCount: number): Coordinates {
  const { reader, refuse } = source;
  reader.skip(8 + 4);
  if (reader.u32() > 0) reader.skip(4);
  const count = reader.u32();
  const components = reader.u8();
  if (count !== vertexCount || components !== 3) throw damaged(refuse);
  const ranges = [0, 1, 2].map(() => ({ least: reader.f32s(1)[0], most: reader.f32s(1)[0], bits: reader.u8() }));
  const steps = ranges.map(({ least, most, bits }) => (bits === 0 ? 0 : (most - least) / (2 ** bits - 1)));
  if (!steps.every(Number.isFinite)) throw damaged(refuse);
  const coordinates = ranges.map(({ least, bits }, axis) => {
    const values = bits === 0 ? readFloats(source) : readQuantised(source, least, steps[axis], bits);
    if (values.length !== count || !values.every(Number.isFinite)) throw damaged(refuse);
    return values;
  });
  return { coordinates, rounding: roundingOf(steps) };
}

const damaged = (refuse: ErrorFactory): Error =>
  refuse("the coordinates of a shape in it are damaged; export it again");

/**
 * Codes count from 0 over the range. The reference subtracts 0.5, which would move all real files by half a step, out of the bounding
 * boxes of their nodes.
 */
function readQuantised(source: PacketSource, least: number, step: number, bits: number): Float64Array {
  if (bits > MAX_BITS) throw damaged(source.refuse);
  const codes = readPacket(source, "lag1");
  const values = new Float64Array(codes.length);
  for (let i = 0; i < values.length; i++) values[i] = least + (codes[i] >>> 0) * step;
  return values;
}

/** Single precision: plain from version 10 on; before, exponents with signs and mantissas are stored separately. */
function readFloats(source: PacketSource): Float32Array {
  const upper = readPacket(source, "lag1");
  if (source.version >= 10) return new Float32Array(upper.buffer);
  const lower = readPacket(source, "lag1");
  if (lower.length !== upper.length) throw damaged(source.refuse);
  for (let i = 0; i < upper.length; i++) upper[i] = ((upper[i] & 0x1ff) << 23) | (lower[i] & 0x7f_ffff);
  releaseArrays(lower);
  return new Float32Array(upper.buffer);
}
