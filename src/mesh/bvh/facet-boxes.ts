/** Whether the boxes of two facets, whose corners start at `i` of `a` and at `j` of `b`, are farther from each other. */
export function facetBoxesApart(a: Float32Array, i: number, b: Float32Array, j: number, reachMm: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (least(a, i + axis) - most(b, j + axis) > reachMm || least(b, j + axis) - most(a, i + axis) > reachMm)
      return true;
  }
  return false;
}

function least(corners: Float32Array, at: number): number {
  const p = corners[at];
  const q = corners[at + 3];
  const r = corners[at + 6];
  return p < q ? (p < r ? p : r) : q < r ? q : r;
}

function most(corners: Float32Array, at: number): number {
  const p = corners[at];
  const q = corners[at + 3];
  const r = corners[at + 6];
  return p > q ? (p > r ? p : r) : q > r ? q : r;
}
