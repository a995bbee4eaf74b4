/** The heights at the nodes of a square grid, row by row. */
export interface HeightGrid {
  /** One more than a multiple of {@link TILE_SQUARES}. */
  readonly columns: number;
  /** One more than a multiple of {@link TILE_SQUARES}. */
  readonly rows: number;
  readonly heights: Float64Array;
}

/** Squares of the grid along the short sides of the largest facets; a power of two. */
export const TILE_SQUARES = 64;

type Node = readonly [column: number, row: number];

/**
 * Triangulates a height field with right triangles, large where the field is flat: three node indices for each,
 * counter-clockwise seen from above. At the nodes with `counts`, they deviate from the heights by at most twice the
 * tolerance, in the unit of the heights. Source: right-triangulated irregular networks, W. Evans, D. Kirkpatrick and
 * G. Townsend (2001).
 */
export function heightFacets(grid: HeightGrid, counts: (node: number) => boolean, tolerance: number): Uint32Array {
  const triangles: number[] = [];
  const isVertex = new Uint8Array(grid.columns * grid.rows);
  const roots = rootTriangles(grid);
  for (const root of roots) markVertices(...root, grid, counts, tolerance, isVertex);
  for (const root of roots) addFacets(...root, grid.columns, isVertex, triangles);
  return Uint32Array.from(triangles);
}

/** The ends of the long side, counter-clockwise, then the right-angled corner. */
type Triangle = readonly [a: Node, b: Node, c: Node];

/** Two triangles for each tile. Their diagonals alternate as those of the smaller squares do, see `dependencies`. */
function rootTriangles({ columns, rows }: HeightGrid): Triangle[] {
  const roots: Triangle[] = [];
  for (let row = 0; row + TILE_SQUARES < rows; row += TILE_SQUARES) {
    for (let column = 0; column + TILE_SQUARES < columns; column += TILE_SQUARES) {
      const [left, right, front, back] = [column, column + TILE_SQUARES, row, row + TILE_SQUARES];
      if ((row + column) % (2 * TILE_SQUARES) === 0) {
        roots.push(
          [
            [right, back],
            [left, front],
            [right, front],
          ],
          [
            [left, front],
            [right, back],
            [left, back],
          ],
        );
      } else {
        roots.push(
          [
            [left, back],
            [right, front],
            [right, back],
          ],
          [
            [right, front],
            [left, back],
            [left, front],
          ],
        );
      }
    }
  }
  return roots;
}

const middleOf = (a: Node, b: Node): Node => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];

/** Whether the long side of a triangle has a node at its middle. */
const isDivisible = ([ax, ay]: Node, [bx, by]: Node): boolean => (ax + bx) % 2 === 0 && (ay + by) % 2 === 0;

/** Marks the nodes at which a triangle and its halves must be divided. */
function markVertices(
  a: Node,
  b: Node,
  c: Node,
  grid: HeightGrid,
  counts: (node: number) => boolean,
  tolerance: number,
  isVertex: Uint8Array,
): void {
  if (!isDivisible(a, b) || deviatesAtMost(a, b, c, grid, counts, tolerance)) return;
  const middle = middleOf(a, b);
  markVertex(middle, grid, isVertex);
  markVertices(c, a, middle, grid, counts, tolerance, isVertex);
  markVertices(b, c, middle, grid, counts, tolerance, isVertex);
}

/** Marks a node and those without which no triangle has it at the middle of its long side: no facet then ends in a side. */
function markVertex(node: Node, { columns, rows }: HeightGrid, isVertex: Uint8Array): void {
  const pending = [node];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [column, row] = next;
    const at = row * columns + column;
    if (isVertex[at]) continue;
    isVertex[at] = 1;
    for (const [x, y] of dependencies(next)) if (x >= 0 && y >= 0 && x < columns && y < rows) pending.push([x, y]);
  }
}

/** The right-angled corners of the two triangles whose long side has its middle at a node; none at corners of tiles. */
function dependencies([column, row]: Node): Node[] {
  const step = (column | row) & -(column | row);
  if (step === 0 || step >= TILE_SQUARES) return [];
  const [isOddColumn, isOddRow] = [(column & step) !== 0, (row & step) !== 0];
  if (isOddColumn && !isOddRow) return sidesOf(column, row, 0, step);
  if (isOddRow && !isOddColumn) return sidesOf(column, row, step, 0);
  if (2 * step >= TILE_SQUARES) return [];
  // The centre of a square. Its diagonal joins the corners that belong to a larger square, or are the centre of one.
  const joinsFrontLeft = ((column - step) & (2 * step)) === ((row - step) & (2 * step));
  return joinsFrontLeft ? sidesOf(column, row, step, -step) : sidesOf(column, row, step, step);
}

const sidesOf = (column: number, row: number, dx: number, dy: number): Node[] => [
  [column + dx, row + dy],
  [column - dx, row - dy],
];

/** Whether a triangle differs from the heights at its nodes by at most the tolerance. */
function deviatesAtMost(
  [ax, ay]: Node,
  [bx, by]: Node,
  [cx, cy]: Node,
  { columns, heights }: HeightGrid,
  counts: (node: number) => boolean,
  tolerance: number,
): boolean {
  const [heightA, heightB, heightC] = [
    heights[ay * columns + ax],
    heights[by * columns + bx],
    heights[cy * columns + cx],
  ];
  const doubledArea = (ax - cx) * (by - cy) - (bx - cx) * (ay - cy);
  for (let row = Math.min(ay, by, cy); row <= Math.max(ay, by, cy); row++) {
    for (let column = Math.min(ax, bx, cx); column <= Math.max(ax, bx, cx); column++) {
      const shareA = (column - cx) * (by - cy) - (bx - cx) * (row - cy);
      const shareB = (ax - cx) * (row - cy) - (column - cx) * (ay - cy);
      const shareC = doubledArea - shareA - shareB;
      if (shareA < 0 || shareB < 0 || shareC < 0) continue;
      const node = row * columns + column;
      if (!counts(node)) continue;
      const interpolated = (shareA * heightA + shareB * heightB + shareC * heightC) / doubledArea;
      if (Math.abs(interpolated - heights[node]) > tolerance) return false;
    }
  }
  return true;
}

function addFacets(a: Node, b: Node, c: Node, columns: number, isVertex: Uint8Array, triangles: number[]): void {
  const middle = middleOf(a, b);
  if (isDivisible(a, b) && isVertex[middle[1] * columns + middle[0]]) {
    addFacets(c, a, middle, columns, isVertex, triangles);
    addFacets(b, c, middle, columns, isVertex, triangles);
    return;
  }
  for (const [column, row] of [a, b, c]) triangles.push(row * columns + column);
}
