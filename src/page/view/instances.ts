import { type Box, unionBoxes } from "../../geometry/box.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import { boxCorners } from "./orbit.ts";
import type { BodyTint, ShownBody, ShownLetters, ShownModel } from "./view.ts";

/** 4×4 matrix, column-major, whose last row is 0, 0, 0, 1. */
export type Mat4 = ShownBody["matrix"];

/** Role of a body, which determines its colour. */
export type BodyRole = "part" | "lattice" | "support";

/** One placement of a mesh in the scene. */
export interface Instance {
  readonly modelId: string;
  readonly role: BodyRole;
  readonly inBounds: boolean;
  /** Number of triangles of the mesh. */
  readonly triangles: number;
  /** Transform from mesh to scene coordinates. */
  readonly matrix: Mat4;
  readonly letters?: ShownLetters | undefined;
  readonly tint?: BodyTint | undefined;
}

/** Instances of visible models per mesh hash, for instanced drawing. */
export function instancesByMesh(models: readonly ShownModel[]): Map<string, Instance[]> {
  const byMesh = new Map<string, Instance[]>();
  const put = (mesh: string, instance: Instance): void => {
    const instances = byMesh.get(mesh);
    if (instances) instances.push(instance);
    else byMesh.set(mesh, [instance]);
  };
  for (const { id: modelId, inBounds, kind, letters, matrix, mesh, supports, tint, triangles, visible } of models) {
    if (!visible) continue;
    put(mesh, { modelId, role: kind, inBounds, triangles, matrix, letters, tint });
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

/** Applies a matrix to a point. */
export const transformed = (m: Mat4, [x, y, z]: Vec3): Vec3 => [
  m[0] * x + m[4] * y + m[8] * z + m[12],
  m[1] * x + m[5] * y + m[9] * z + m[13],
  m[2] * x + m[6] * y + m[10] * z + m[14],
];

/** The factor by which a matrix that is a rotation with a uniform scale, and a translation, changes lengths. */
export const scaleOf = ([a, b, c]: Mat4): number => Math.sqrt(a * a + b * b + c * c);

/** The inverse of a matrix that is a rotation with a uniform scale, and a translation. */
export function inverted(m: Mat4): Mat4 {
  const square = scaleOf(m) ** 2;
  const [a, b, c, d, e, f, g, h, i] = [m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]].map((v) => v / square);
  const linear = [a!, b!, c!, 0, d!, e!, f!, 0, g!, h!, i!, 0] as const;
  const [x, y, z] = transformed([...linear, 0, 0, 0, 1], [m[12], m[13], m[14]]);
  return [...linear, -x, -y, -z, 1];
}

/** Bounding box of a transformed box. */
export function transformedBox(matrix: Mat4, box: Box): Box {
  return boxCorners(box)
    .map((corner) => transformed(matrix, corner))
    .map((point): Box => ({ min: point, max: point }))
    .reduce(unionBoxes);
}

/** Product a · b, which applies b first. */
export function product(a: Mat4, b: Mat4): Mat4 {
  const column = (x: number, y: number, z: number): Vec3 => [
    a[0] * x + a[4] * y + a[8] * z,
    a[1] * x + a[5] * y + a[9] * z,
    a[2] * x + a[6] * y + a[10] * z,
  ];
  const linear = [
    ...column(b[0], b[1], b[2]),
    0,
    ...column(b[4], b[5], b[6]),
    0,
    ...column(b[8], b[9], b[10]),
    0,
  ] as const;
  return [...linear, ...transformed(a, [b[12], b[13], b[14]]), 1];
}

/** Matrix that applies `linear` (column by column) and keeps `point` fixed. */
export function linearAbout(point: Vec3, linear: readonly [Vec3, Vec3, Vec3]): Mat4 {
  const [x, y, z] = linear;
  const moved = transformed([...x, 0, ...y, 0, ...z, 0, 0, 0, 0, 1], point);
  return [...x, 0, ...y, 0, ...z, 0, point[0] - moved[0], point[1] - moved[1], point[2] - moved[2], 1];
}

export const translation = ([x, y, z]: Vec3): Mat4 => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];
