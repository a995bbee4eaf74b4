// Halfedge h of a list of triangles leads from corner h to the next corner of its triangle, so its triangle is ⌊h / 3⌋.

/** The facet that a halfedge belongs to. */
export const facetOf = (halfedge: number): number => (halfedge - (halfedge % 3)) / 3;
export const nextHalfedge = (halfedge: number): number => (halfedge % 3 === 2 ? halfedge - 2 : halfedge + 1);
export const previousHalfedge = (halfedge: number): number => (halfedge % 3 === 0 ? halfedge + 2 : halfedge - 1);
