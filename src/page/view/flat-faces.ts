import { shortestRotation } from "../../geometry/pose.ts";
import { type Vec3, add, cross, dot, length, matrixRow, subtract, times, unit } from "../../geometry/vector.ts";
import type { PageFace } from "../../ui/replies.ts";
import { type Mat4, transformed } from "./instances.ts";
import type { Ray } from "./orbit.ts";

/** A flat face on which a part can stand, in scene coordinates. */
export interface FlatFace {
  /** Outward unit normal. */
  readonly normal: Vec3;
  readonly areaMm2: number;
  /** Corners of the convex outline, counter-clockwise seen from outside. */
  readonly rim: readonly Vec3[];
}

/** Moves a face of a mesh to the scene. `matrix` is a rotation with a uniform scale, and a translation. */
export function placedFace({ normal, area_mm2, rim }: PageFace, matrix: Mat4): FlatFace {
  const origin = transformed(matrix, [0, 0, 0]);
  const scaled = subtract(transformed(matrix, normal), origin);
  const corners = Array.from({ length: Math.floor(rim.length / 3) }, (_, i): Vec3 => {
    const [x = 0, y = 0, z = 0] = rim.slice(3 * i, 3 * i + 3);
    return transformed(matrix, [x, y, z]);
  });
  return { normal: unit(scaled), areaMm2: area_mm2 * (length(scaled) / length(normal)) ** 2, rim: corners };
}

/** Returns the first face that a ray hits from outside. */
export function faceOnRay(faces: readonly FlatFace[], ray: Ray): FlatFace | undefined {
  const hits = faces.flatMap((face) => {
    const at = hitAt(face, ray);
    return at === undefined ? [] : { face, at };
  });
  return hits.toSorted((a, b) => a.at - b.at)[0]?.face;
}

/** Distance along a ray of unit length at which it enters a convex polygon; undefined if it misses it. */
function hitAt({ normal, rim }: FlatFace, { origin, direction }: Ray): number | undefined {
  const facing = dot(normal, direction);
  const [first] = rim;
  if (!first || facing >= 0) return undefined;
  const at = dot(normal, subtract(first, origin)) / facing;
  const point = add(origin, times(direction, at));
  const isInside = rim.every((corner, i) => {
    const next = rim[(i + 1) % rim.length] ?? corner;
    return dot(cross(subtract(next, corner), subtract(point, corner)), normal) >= 0;
  });
  return at >= 0 && isInside ? at : undefined;
}

/** The shortest rotation that turns a unit normal down to the platform. Its axis is horizontal, so that the part keeps its yaw. */
export function turnDown(normal: Vec3): readonly [Vec3, Vec3, Vec3] {
  const matrix = shortestRotation(normal, [0, 0, -1]);
  return [matrixRow(matrix, 0), matrixRow(matrix, 1), matrixRow(matrix, 2)];
}
