import { Buffer } from "node:buffer";

// OpenCASCADE triangulates a face by inserting its points one by one (Watson, "Computing the n-dimensional Delaunay tessellation",
// 1981), and finds the circles around a point in a grid. For a plane with n points the grid has 2^log10(n) cells on a side
// (`AdjustCellsCounts` in `BRepMesh_GeomTool.cxx` of OCCT 7.x). All points of a plane are on its edges, so most circles are as wide as
// the face and are in nearly all cells: 28,800 points on 400 holes took 40 s and 819 MiB. A grid of n^(1/8) cells on a side takes 15 s
// and 256 MiB, and the triangles are the same (`bun run bench cad-peers` has smaller plates of this kind).

/**
 * The size of the grid of a plane in occt-import-js 0.0.23: `type == 0 ? ceil(exp2(log10(points)))`, with the indices of both
 * functions in that module.
 */
const TYPE_IS_PLANE = [0x20, 3, 0x45, 0x04, 0x40];
const POINTS = [0x20, 8];
const LOG10 = [0x10, 0xc4, 0x08];
const EXP2 = [0x10, 0xb9, 0x0d];
const CEIL = 0x9b;
const F64_SQRT = 0x9f;
const NOP = 0x01;

const GIVEN = Uint8Array.of(...TYPE_IS_PLANE, ...POINTS, ...LOG10, ...EXP2, CEIL);
/** Three square roots are the eighth root, with the same rounding on every machine. `NOP` keeps the length of the code. */
const ROOTS = [F64_SQRT, F64_SQRT, F64_SQRT];
const FEWER = Uint8Array.of(...TYPE_IS_PLANE, ...POINTS, ...ROOTS, NOP, NOP, NOP, CEIL);

/**
 * The module of occt-import-js with a grid of n^(1/8) cells on a side for planes of n points. A module with other code is returned
 * unchanged: users may replace the module of the package by their own build.
 */
export function withFewerPlaneCells(module: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const at = Buffer.from(module.buffer, module.byteOffset, module.byteLength).indexOf(GIVEN);
  if (at < 0) return module;
  const changed = module.slice();
  changed.set(FEWER, at);
  return changed;
}
