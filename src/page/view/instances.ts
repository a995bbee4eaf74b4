import { type Box, unionBoxes } from "../../geometry/box.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import { boxCorners } from "./orbit.ts";
import type { ShownLetters, ShownModel } from "./view.ts";

/** Role of a body, which determines its colour. */
export type BodyRole = "part" | "lattice" | "support";

/** One placement of a mesh in the scene. */
export interface Instance {
  readonly modelId: string;
  readonly role: BodyRole;
  readonly inBounds: boolean;
  /** Number of triangles of the mesh. */
  readonly triangles: number;
  /** Column-major transform from mesh to scene coordinates. */
  readonly matrix: readonly number[];
  readonly letters?: ShownLetters | undefined;
}

/** Instances of visible models per mesh hash, for instanced drawing. */
export function instancesByMesh(models: readonly ShownModel[]): Map<string, Instance[]> {
  const byMesh = new Map<string, Instance[]>();
  const put = (mesh: string, instance: Instance): void => {
    const instances = byMesh.get(mesh);
    if (instances) instances.push(instance);
    else byMesh.set(mesh, [instance]);
  };
  for (const { id: modelId, inBounds, kind, letters, matrix, mesh, supports, triangles, visible } of models) {
    if (!visible) continue;
    put(mesh, { modelId, role: kind, inBounds, triangles, matrix, letters });
    if (supports) {
      put(supports.mesh, {
        modelId,
        role: "support",
        inBounds,
        triangles: supports.triangles,
        matrix: supports.matrix,
      });
    }
  }
  return byMesh;
}

/** Applies a column-major matrix to a point. */
export const transformed = (m: readonly number[], [x, y, z]: Vec3): Vec3 => [
  m[0] * x + m[4] * y + m[8] * z + m[12],
  m[1] * x + m[5] * y + m[9] * z + m[13],
  m[2] * x + m[6] * y + m[10] * z + m[14],
];

/** Bounding box of a transformed box. */
export function transformedBox(matrix: readonly number[], box: Box): Box {
  return boxCorners(box)
    .map((corner) => transformed(matrix, corner))
    .map((point): Box => ({ min: point, max: point }))
    .reduce(unionBoxes);
}

/** Column-major product a · b, which applies b first. */
export function product(a: readonly number[], b: readonly number[]): number[] {
  return Array.from({ length: 16 }, (_, i) => {
    const [column, row] = [i >> 2, i & 3];
    return [0, 1, 2, 3].reduce((sum, k) => sum + a[4 * k + row] * b[4 * column + k], 0);
  });
}

/** Column-major matrix that applies `linear` (column by column) and keeps `point` fixed. */
export function linearAbout(point: Vec3, linear: readonly [Vec3, Vec3, Vec3]): number[] {
  const [x, y, z] = linear;
  const moved = transformed([...x, 0, ...y, 0, ...z, 0, 0, 0, 0, 1], point);
  return [...x, 0, ...y, 0, ...z, 0, point[0] - moved[0], point[1] - moved[1], point[2] - moved[2], 1];
}

export const translation = ([x, y, z]: Vec3): number[] => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];
