import type { StrutKind } from "../tree/support-tree.ts";

// How drafts are numbers in shared memory. The answering thread reads them without the kernels.

/** Numbers of a point in a request: x, y, z, its normal (NaN: that of the surface), and its diameter. */
export const POINT_STRIDE = 7;

/** Numbers of a strut: x, y, z and radius of both ends, and the index of its kind. */
export const STRUT_STRIDE = 9;
export const STRUT_KINDS = ["TIP", "PILLAR", "BRACE"] as const satisfies readonly StrutKind[];
