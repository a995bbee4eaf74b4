import { type Progress, noProgress } from "../../core/progress.ts";
import { polygonsArea, type Polygons } from "../../geometry/polygon.ts";
import { subtractPolygons } from "../../geometry/polygon-operations.ts";
import { dot, times } from "../../geometry/vector.ts";
import { difference, splitByPlane, union } from "../../mesh/boolean.ts";
import { buildBvh } from "../../mesh/bvh/bvh.ts";
import { distanceToSurface } from "../../mesh/bvh/closest-point.ts";
import { float32SpacingMm } from "../../mesh/measure.ts";
import { type Mesh, type Surface, triangleCount } from "../../mesh/mesh.ts";
import { cleanMesh, meshFromBoolean, requireSolid } from "../boolean-mesh.ts";
import { type HoleFrame, fromHoleFrame } from "../drill/bore.ts";
import { oneSolid } from "../one-solid.ts";
import { type RoomFor, automaticKeys } from "./automatic-keys.ts";
import { cutFace } from "./cut-face.ts";
import { type Key, circumradius, keyOutline, keyPrism } from "./key.ts";

/** A cut of a raw mesh. */
export interface CutRequest {
  readonly mesh: Mesh;
  /** Its plane is at s = 0; the upper part is at positive s. */
  readonly frame: HoleFrame;
  readonly keys: "NONE" | "AUTO" | readonly Key[];
  /** Gap around keys in their holes, and at their ends, mm of the scene. */
  readonly playMm: number;
  /** Scale of the model: mm of the scene per mm of the raw mesh. */
  readonly scale: number;
}

/** The closed parts of a solid that was cut. */
export interface CutSolid {
  readonly above: Mesh;
  readonly below: Mesh;
  readonly dowels: readonly Mesh[];
  /** Keys that were made, in the order of the request. */
  readonly keys: readonly Key[];
  /** Indices of keys of the request that are not wholly on the cut face: they are not made. */
  readonly offFace: readonly number[];
  /** Indices of made keys that come near the surface of the solid, or through it. */
  readonly nearSurface: readonly number[];
}

/** Distances along the plane that are less than so many steps of single precision are rounding. */
const TOLERANCE_STEPS = 4;
/** A key may be outside of the cut face by this share of its area, from the rounding of polygons. */
const OFF_FACE_SHARE = 1e-3;

/**
 * Cuts a solid at a plane into two closed parts, and joins them by keys. Undefined if the plane misses the mesh or only touches it. Throws
 * OPERATION_FAILED for a mesh that does not bound a solid.
 */
export async function cutMesh(request: CutRequest, progress: Progress): Promise<CutSolid | undefined> {
  const { mesh, frame, scale } = request;
  const toleranceMm = TOLERANCE_STEPS * float32SpacingMm(mesh.box);
  if (!crossesPlane(mesh, frame, toleranceMm)) return undefined;
  requireSolid(mesh, progress.part(0, 0.05));
  const solid = await oneSolid(mesh, progress.part(0.05, 0.2));
  const [above, below] = await splitByPlane(solid, frame.s, dot(frame.origin, frame.s), progress.part(0.2, 0.5));
  if (triangleCount(above) === 0 || triangleCount(below) === 0) return undefined;
  const keyed = await keysOf(request, solid, () => cutFace(above, below, frame, toleranceMm, scale));
  const parts = await joinedParts({ above, below }, keyed.keys, request, progress.part(0.5, 0.9));
  const dowels = keyed.keys.flatMap((key) => (key.kind === "DOWEL" ? [dowelOf(key, request)] : []));
  return {
    ...keyed,
    above: meshFromBoolean(parts.above, progress.part(0.9, 0.95)),
    below: meshFromBoolean(parts.below, progress.part(0.95, 1)),
    dowels: dowels.map((dowel) => cleanMesh(dowel, progress.silent())),
  };
}

function crossesPlane({ vertices }: Mesh, { origin, s }: HoleFrame, toleranceMm: number): boolean {
  const planeMm = dot(origin, s);
  let [least, most] = [Infinity, -Infinity];
  for (let at = 0; at < vertices.length; at += 3) {
    const along = vertices[at] * s[0] + vertices[at + 1] * s[1] + vertices[at + 2] * s[2] - planeMm;
    least = Math.min(least, along);
    most = Math.max(most, along);
  }
  return least < -toleranceMm && most > toleranceMm;
}

type KeysOfCut = Pick<CutSolid, "keys" | "offFace" | "nearSurface">;

async function keysOf(request: CutRequest, solid: Mesh, faceOf: () => Promise<Polygons>): Promise<KeysOfCut> {
  const { keys, playMm } = request;
  if (keys === "NONE" || keys.length === 0) return { keys: [], offFace: [], nearSurface: [] };
  const face = await faceOf();
  const roomFor = roomInside(solid, request);
  if (keys === "AUTO") {
    return { keys: await automaticKeys(face, roomFor), offFace: [], nearSurface: [] };
  }
  const areOff = await Promise.all(keys.map((key) => isOffFace(face, key, playMm)));
  const indices = keys.keys().toArray();
  const onFace = indices.filter((i) => !areOff[i]);
  const isNear = (key: Key): boolean => {
    const { u, v, depthMm, kind } = key;
    return roomFor({ u, v, sizeMm: 2 * circumradius(key, 0), depthMm, kind }) < depthMm;
  };
  return {
    keys: onFace.map((i) => keys[i]),
    offFace: indices.filter((i) => areOff[i]),
    nearSurface: onFace.filter((i) => isNear(keys[i])),
  };
}

async function isOffFace(face: Polygons, key: Key, playMm: number): Promise<boolean> {
  const outline = keyOutline(key, key.kind === "PEG" ? 0 : playMm);
  const outside = polygonsArea(await subtractPolygons([outline], face));
  return outside > OFF_FACE_SHARE * polygonsArea([outline]);
}

/** Least thickness of the wall around the hole of an automatic key, as a share of its size. */
const WALL_SHARE = 0.25;
/** Steps per size in which the room along a key is measured. */
const STEPS_PER_SIZE = 8;

/** Measures room by balls along the axis of a key that must not reach the surface. */
function roomInside(solid: Mesh, { frame, playMm, scale }: CutRequest): RoomFor {
  const tree = buildBvh(solid, noProgress);
  return ({ u, v, sizeMm, depthMm, kind }) => {
    const radiusMm = (0.5 + WALL_SHARE) * sizeMm + playMm;
    const isFree = (s: number): boolean => {
      const centre = fromHoleFrame(frame, times([u, v, s], 1 / scale));
      return distanceToSurface(tree, centre, (2 * radiusMm) / scale) * scale >= radiusMm;
    };
    let freeMm = 0;
    const steps = Math.ceil((STEPS_PER_SIZE * depthMm) / sizeMm);
    for (let step = 0; step <= steps; step++) {
      const s = (step * depthMm) / steps;
      if (!isFree(s) || (kind === "DOWEL" && !isFree(-s))) break;
      freeMm = s;
    }
    return freeMm;
  };
}

/** Pegs begin this share of their size within the lower part, so that they become one body with it. */
const ROOT_SHARE = 0.01;

async function joinedParts(
  { above, below }: { readonly above: Surface; readonly below: Surface },
  keys: readonly Key[],
  { frame, playMm, scale }: CutRequest,
  progress: Progress,
): Promise<{ readonly above: Surface; readonly below: Surface }> {
  if (keys.length === 0) return { above, below };
  const prism = (key: Key, growMm: number, fromMm: number, toMm: number): Surface =>
    keyPrism(key, growMm, [fromMm, toMm], frame, 1 / scale);
  const holes = keys.map((key) => prism(key, playMm, -key.sizeMm / 2, key.depthMm + playMm));
  const dowels = keys.filter(({ kind }) => kind === "DOWEL");
  const pegs = keys.filter(({ kind }) => kind === "PEG");
  const upper = await difference(above, holes, progress.part(0, 0.5));
  const lowerHoles = dowels.map((key) => prism(key, playMm, -key.depthMm - playMm, key.sizeMm / 2));
  const drilled = dowels.length === 0 ? below : await difference(below, lowerHoles, progress.part(0.5, 0.7));
  const bodies = pegs.map((key) => prism(key, 0, -ROOT_SHARE * key.sizeMm, key.depthMm));
  const lower = pegs.length === 0 ? drilled : await union([drilled, ...bodies], progress.part(0.7, 1));
  return { above: upper, below: lower };
}

/** A dowel, where it is between the parts. */
const dowelOf = (key: Key, { frame, scale }: CutRequest): Surface =>
  keyPrism(key, 0, [-key.depthMm, key.depthMm], frame, 1 / scale);
