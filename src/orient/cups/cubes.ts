import type { Mat3, Vec3 } from "../../core/geometry.ts";

/** Cubes all over a box around a part. */
export interface Cubes {
  /** The kind of each: at (z · rows + y) · columns + x. */
  readonly kinds: Uint8Array;
  readonly columns: number;
  readonly rows: number;
  readonly levels: number;
  readonly sideMm: number;
  /** Rows: the directions of the part that columns, rows and levels count along. */
  readonly frame: Mat3;
  /** The middle of the first cube, along those. */
  readonly firstMm: Vec3;
}
