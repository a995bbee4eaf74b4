import { Matrix3, Matrix4, Vector3 } from "three";
import { type Vec3, add, dot, times, unit } from "../../geometry/vector.ts";
import { type Instance, type Mat4, transformed } from "./instances.ts";
import { CAMERA_DISTANCE_MM, type Orbit, type Pixel, type PictureSize, type Ray, projected } from "./orbit.ts";
import { type PackedMesh, packedVertexAt } from "./packed-mesh.ts";
import { isKept } from "./shown-state.ts";
import type { CutPlane } from "./view.ts";
import { type RayRange, type SurfaceHit, firstHit } from "./surface-hits.ts";

/** Bodies that can be picked: those that are visible and whose meshes are loaded. */
export interface Pickable {
  readonly instances: ReadonlyMap<string, readonly Instance[]>;
  mesh(hash: string): PackedMesh | undefined;
  /** Points beyond one of these planes cannot be picked. */
  readonly cuts: readonly CutPlane[];
}

/** A hit of a ray on a body. */
export interface BodyHit {
  readonly instance: Instance;
  /** Hash of its mesh. */
  readonly mesh: string;
  readonly point: Vec3;
  /** Outward unit normal. */
  readonly normal: Vec3;
  /** Whether the surface is seen from inside of the body, which a section has opened. */
  readonly isInside: boolean;
  /** Index of the facet in the mesh, or in its simplified form as long as that is drawn. */
  readonly facet: number;
}

/** A rectangle selects a model if it contains one of about this many sampled vertices. */
const SAMPLES = 3000;

/** Returns the first body that a ray hits. */
export function pickBody(ray: Ray, { instances, mesh: meshOf, cuts }: Pickable): BodyHit | undefined {
  const range = visibleRange(ray, cuts);
  let nearest = range.to;
  let hit: BodyHit | undefined;
  for (const [hash, places] of instances) {
    const mesh = meshOf(hash);
    if (!mesh) continue;
    for (const instance of places) {
      const found = hitInstance(ray, instance, mesh, { from: range.from, to: nearest });
      if (!found) continue;
      nearest = found.at;
      const point = add(ray.origin, times(ray.direction, found.at));
      const isInside = dot(found.normal, ray.direction) > 0;
      hit = { instance, mesh: hash, facet: found.facet, point, normal: found.normal, isInside };
    }
  }
  return hit;
}

/** Returns the first intersection of a ray of the scene with one body, within a range of the ray. Its normal has unit length. */
export function hitInstance(
  ray: Ray,
  { matrix }: Pick<Instance, "matrix">,
  mesh: PackedMesh,
  range: RayRange,
): SurfaceHit | undefined {
  const inverse = new Matrix4().fromArray(matrix).invert();
  const own: Ray = {
    origin: transformed(inverse.elements, ray.origin),
    direction: rotatedBy(new Matrix3().setFromMatrix4(inverse), ray.direction),
  };
  const found = firstHit(mesh, own, range);
  return found && { ...found, normal: unit(rotatedBy(normalMatrix(matrix), found.normal)) };
}

const rotatedBy = (matrix: Matrix3, v: Vec3): Vec3 => new Vector3(...v).applyMatrix3(matrix).toArray();

/** Matrix that transforms outward normals to the scene. Mirrored bodies are included, whose facets have the opposite orientation. */
const normalMatrix = (matrix: Mat4): Matrix3 => new Matrix3().getNormalMatrix(new Matrix4().fromArray(matrix));

/** Range of a ray that is inside the scene and that no plane cuts off. */
function visibleRange({ origin, direction }: Ray, cuts: readonly CutPlane[]): RayRange {
  let [from, to] = [0, 2 * CAMERA_DISTANCE_MM];
  for (const { normal, atMm } of cuts) {
    const [rest, facing] = [atMm - dot(normal, origin), dot(normal, direction)];
    if (facing < 0) from = Math.max(from, rest / facing);
    else if (facing > 0) to = Math.min(to, rest / facing);
    else if (rest < 0) return { from: 0, to: 0 };
  }
  return { from, to };
}

/** Ids of the models in a rectangle of the picture, given by two opposite corners. */
export function modelsWithin(
  [a, b]: readonly [Pixel, Pixel],
  orbit: Orbit,
  size: PictureSize,
  { instances, mesh: meshOf, cuts }: Pickable,
): string[] {
  const [left, right] = [Math.min(a.x, b.x), Math.max(a.x, b.x)];
  const [top, bottom] = [Math.min(a.y, b.y), Math.max(a.y, b.y)];
  const touched = new Set<string>();
  for (const [hash, places] of instances) {
    const positions = meshOf(hash)?.positions;
    if (!positions) continue;
    const vertexCount = positions.length / 3;
    const step = Math.ceil(vertexCount / SAMPLES);
    for (const { modelId, matrix } of places) {
      for (let i = 0; i < vertexCount && !touched.has(modelId); i += step) {
        const point = transformed(matrix, packedVertexAt(positions, i));
        if (!isKept(cuts, point)) continue;
        const { x, y } = projected(orbit, point, size);
        if (x >= left && x <= right && y >= top && y <= bottom) touched.add(modelId);
      }
    }
  }
  return [...touched];
}
