import type { OcctMesh } from "occt-import-js";
import type { Transform } from "../../geometry/transform.ts";
import { type Vec3, cross, distance, dot, subtract, times } from "../../geometry/vector.ts";
import { NOTES, type StepInstances, keywordAt, reachable, referencesOf } from "./step-instances.ts";
import { type StepSolid, nameOfSolid } from "./step-solids.ts";
import { type StepLines, newLines, realText, stepFileOf } from "./step-text.ts";

/** A file in which triangles replace the solids. OpenCASCADE's result for it shows where each solid is placed, and how often. */
export interface StandIns {
  readonly bytes: Uint8Array;
  readonly find: FindSolid;
}

/** The solid that the mesh replaces, and its placement, mm; undefined for other meshes. */
export type FindSolid = (mesh: OcctMesh) => PlacedSolid | undefined;

export interface PlacedSolid {
  /** The name from `nameOfSolid`. */
  readonly name: string;
  readonly placement: Transform;
}

/**
 * Replaces the faces of each solid by a triangle with a right angle at the origin, a short side along y, and a side along x whose length
 * identifies the solid in any rotation, translation and scale. Colours, layers and notes, which may refer to faces, are left out. Undefined
 * if the structure of the file refers to them. `unitMm` is the unit of the file.
 */
export function withStandIns(
  instances: StepInstances,
  solids: readonly StepSolid[],
  unitMm: number,
): StandIns | undefined {
  const replaced = new Map(solids.map(({ instance }, k) => [instance, k]));
  const left = notes(instances);
  if (!left) return undefined;
  const inside = reachable(instances, replaced.keys());
  const others = [...instances.ids.keys()].filter((i) => !left.has(i) && (replaced.has(i) || !inside.has(i)));
  const kept = reachable(instances, others, (i) => replaced.has(i));
  const lines = newLines(instances);
  const shellOf = newShells(lines.add);
  const texts = new Map(
    solids.map(({ instance }, k) => [
      instance,
      `#${instances.ids[instance]}=FACETED_BREP('',${shellOf(longSide(k, solids.length))});`,
    ]),
  );
  return { bytes: stepFileOf(instances, kept, lines, texts), find: solidFinder(instances, solids, unitMm) };
}

/** Finds the solids of the file from {@link withStandIns} for the same arguments. */
export const solidFinder =
  (instances: StepInstances, solids: readonly StepSolid[], unitMm: number): FindSolid =>
  (mesh) => {
    const corners = cornersOf(mesh);
    if (!corners) return undefined;
    const [origin, onX, onY] = corners;
    const scale = distance(origin, onY) / (SHORT_SIDE * unitMm);
    const length = distance(origin, onX) / (scale * unitMm);
    const k = (length / LONG_SIDE - 1) * 2 * solids.length;
    const index = Math.round(k);
    if (!(Math.abs(k - index) < MAX_ROUNDING && index >= 0 && index < solids.length)) return undefined;
    const x = times(subtract(onX, origin), 1 / (length * unitMm));
    const y = times(subtract(onY, origin), 1 / (SHORT_SIDE * unitMm));
    if (!(Math.abs(dot(x, y)) < RIGHT_ANGLE * scale ** 2)) return undefined;
    const z = times(cross(x, y), 1 / scale);
    return { name: nameOfSolid(instances, solids[index]), placement: [...x, ...y, ...z, ...origin] };
  };

/**
 * Short side and longest long side of the triangles, in units of the file: far above the precision of any file. The longest long side is
 * half as long again as the shortest one.
 */
const SHORT_SIDE = 50;
const LONG_SIDE = 100;
const longSide = (k: number, count: number): number => LONG_SIDE * (1 + k / (2 * count));
/** Rounding error of the position in the order of lengths: coordinates have 15 digits, lengths differ in the sixth. */
const MAX_ROUNDING = 0.1;
const RIGHT_ANGLE = 1e-6;

/** Keywords of the instances by which OpenCASCADE finds shapes. */
const STRUCTURE = /^$|PRODUCT|SHAPE_(?:DEFINITION_)?REPRESENTATION|ASSEMBLY|_BREP$|_MODEL$|_MAP$|MAPPED_ITEM/;

/** Notes and the instances that refer to them. Undefined if the structure refers to one. */
function notes(instances: StepInstances): ReadonlySet<number> | undefined {
  const found = new Set([...instances.ids.keys()].filter((i) => NOTES.test(keywordAt(instances, i))));
  for (let before = -1; found.size > before;) {
    before = found.size;
    for (let i = 0; i < instances.ids.length; i++) {
      if (found.has(i) || !referencesOf(instances, i).some((one) => found.has(one))) continue;
      if (STRUCTURE.test(keywordAt(instances, i))) return undefined;
      found.add(i);
    }
  }
  return found;
}

/**
 * Writes the shell that replaces a solid, with the given length of its long side. OpenCASCADE accepts it although it is open. Its face is
 * bounded by a polygon of points: with edges, curves and vertices it would be three times as long, and take half as long again.
 */
function newShells(add: StepLines["add"]): (length: number) => string {
  const triple = (keyword: string, vector: Vec3): string => add(`${keyword}('',(${vector.map(realText).join(",")}))`);
  const point = (vector: Vec3): string => triple("CARTESIAN_POINT", vector);
  const [origin, onY] = [point([0, 0, 0]), point([0, SHORT_SIDE, 0])];
  const [up, alongX] = [triple("DIRECTION", [0, 0, 1]), triple("DIRECTION", [1, 0, 0])];
  const plane = add(`PLANE('',${add(`AXIS2_PLACEMENT_3D('',${origin},${up},${alongX})`)})`);
  return (length) => {
    const loop = add(`POLY_LOOP('',(${origin},${point([length, 0, 0])},${onY}))`);
    const bound = add(`FACE_OUTER_BOUND('',${loop},.T.)`);
    return add(`CLOSED_SHELL('',(${add(`FACE_SURFACE('',(${bound}),${plane},.T.)`)}))`);
  };
}

/** The corners of a triangle: the right-angled one first, then the farther one. */
function cornersOf({ attributes, index, brep_faces: faces }: OcctMesh): readonly [Vec3, Vec3, Vec3] | undefined {
  if (faces.length !== 1 || index.array.length !== 3) return undefined;
  const { array } = attributes.position;
  const at = (i: number): Vec3 => [array[3 * i], array[3 * i + 1], array[3 * i + 2]];
  const corners = [0, 1, 2].map((k) => at(index.array[k]));
  // Opposite to the longest side is the right angle.
  const sides = corners.map((_, k) => distance(corners[(k + 1) % 3], corners[(k + 2) % 3]));
  const first = sides.indexOf(Math.max(...sides));
  const [p, q] = [corners[(first + 1) % 3], corners[(first + 2) % 3]];
  const origin = corners[first];
  return distance(origin, p) > distance(origin, q) ? [origin, p, q] : [origin, q, p];
}
