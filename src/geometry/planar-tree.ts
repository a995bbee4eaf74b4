/** x and y of three corners, counter-clockwise. */
export type PlanarTriangle = readonly [ax: number, ay: number, bx: number, by: number, cx: number, cy: number];

/** Points in the plane, searched in triangles and removed one by one. */
export interface PlanarTree {
  /**
   * A remaining point that is in the triangle or on its border and passes the test; −1 if there is none. The test depends on the
   * position only, except for up to three points that it always refuses.
   */
  findInside(triangle: PlanarTriangle, test: (point: number) => boolean): number;
  /** Removes one of the points of the tree, once. */
  remove(point: number): void;
  /** The number of nodes visited by all searches so far. */
  visits(): number;
}

/**
 * Largest number of nodes of a tree that searches for ears may visit per corner. Polygons that do not cross themselves take up to 130,
 * and long spikes around a point 0.5 √n; a spiral of 300,000 corners that crosses itself takes 1700.
 */
const MIN_VISITS_PER_CORNER = 400;
const VISITS_PER_ROOT = 1.3;

/** The number of visits after which a polygon counts as too tangled for a search of its ears. */
export const mostVisits = (corners: number): number =>
  corners * Math.max(MIN_VISITS_PER_CORNER, VISITS_PER_ROOT * Math.sqrt(corners));

const NONE = -1;
const LEAF_POINTS = 8;
/** One more than the number of points that a test always refuses. */
const TESTS_PER_PLACE = 4;

/**
 * A k-d tree of the points with the given indices (Bentley, 1975), split at the median of the longer side of their box. For any
 * distribution of the points, a search visits few nodes outside of the triangle; four of the points at one position are tested.
 */
export const newPlanarTree = (xs: Float64Array, ys: Float64Array, points: readonly number[]): PlanarTree =>
  new KdTree(xs, ys, points);

class KdTree implements PlanarTree {
  readonly #xs: Float64Array;
  readonly #ys: Float64Array;
  readonly #firstLeaf: number;
  readonly #members: Uint32Array;
  /** For each node: its first member, and the number of its remaining points. */
  readonly #starts: Uint32Array;
  readonly #left: Uint32Array;
  readonly #boxes: Float64Array;
  /** For each point: its leaf, and 1 while it remains. */
  readonly #leafOf: Uint32Array;
  readonly #isLeft: Uint8Array;
  #visited = 0;

  constructor(xs: Float64Array, ys: Float64Array, points: readonly number[]) {
    const depth = Math.max(0, Math.ceil(Math.log2(points.length / LEAF_POINTS)));
    const nodes = 2 ** (depth + 1) - 1;
    [this.#xs, this.#ys] = [xs, ys];
    this.#firstLeaf = 2 ** depth - 1;
    this.#members = Uint32Array.from(points);
    [this.#starts, this.#left] = [new Uint32Array(nodes), new Uint32Array(nodes)];
    this.#boxes = new Float64Array(4 * nodes);
    this.#leafOf = new Uint32Array(xs.length);
    this.#isLeft = new Uint8Array(xs.length);
    this.#build(0, 0, this.#members.length);
  }

  findInside(triangle: PlanarTriangle, test: (point: number) => boolean): number {
    return this.#find(0, triangle, extentOf(triangle), test);
  }

  remove(point: number): void {
    this.#isLeft[point] = 0;
    for (let node = this.#leafOf[point]; ; node = (node - 1) >> 1) {
      this.#left[node]--;
      if (node === 0) return;
    }
  }

  visits(): number {
    return this.#visited;
  }

  #build(node: number, from: number, to: number): void {
    this.#starts[node] = from;
    this.#left[node] = to - from;
    const range = this.#members.subarray(from, to);
    const [minX, maxX] = rangeOf(this.#xs, range);
    const [minY, maxY] = rangeOf(this.#ys, range);
    this.#boxes.set([minX, minY, maxX, maxY], 4 * node);
    if (node >= this.#firstLeaf) {
      for (const point of range) {
        this.#leafOf[point] = node;
        this.#isLeft[point] = 1;
      }
      return;
    }
    const values = maxX - minX > maxY - minY ? this.#xs : this.#ys;
    range.sort((a, b) => values[a] - values[b] || a - b);
    const middle = (from + to) >>> 1;
    this.#build(2 * node + 1, from, middle);
    this.#build(2 * node + 2, middle, to);
  }

  #find(node: number, triangle: PlanarTriangle, extent: Extent, test: (point: number) => boolean): number {
    this.#visited++;
    if (this.#left[node] === 0 || !this.#isNear(node, triangle, extent)) return NONE;
    const boxes = this.#boxes;
    const members = this.#members;
    const isPlace = boxes[4 * node] === boxes[4 * node + 2] && boxes[4 * node + 1] === boxes[4 * node + 3];
    if (!isPlace && node < this.#firstLeaf) {
      const found = this.#find(2 * node + 1, triangle, extent, test);
      return found !== NONE ? found : this.#find(2 * node + 2, triangle, extent, test);
    }
    for (let at = this.#starts[node], seen = 0; seen < this.#left[node]; at++) {
      if (this.#isLeft[members[at]] === 0) continue;
      if (test(members[at])) return members[at];
      if (++seen === TESTS_PER_PLACE && isPlace) return NONE;
    }
    return NONE;
  }

  /**
   * Whether the box of the node has a point that is on the left of each edge or on it. Edges are tested one by one, so that the answer
   * may be true without such a point.
   */
  #isNear(node: number, [ax, ay, bx, by, cx, cy]: PlanarTriangle, [fromX, toX, fromY, toY]: Extent): boolean {
    const boxes = this.#boxes;
    const minX = boxes[4 * node];
    const minY = boxes[4 * node + 1];
    const maxX = boxes[4 * node + 2];
    const maxY = boxes[4 * node + 3];
    if (minX > toX || maxX < fromX || minY > toY || maxY < fromY) return false;
    // Rounded products and differences are monotone: no point of a box is farther left of an edge than its farthest corner.
    return (
      (bx - ax) * ((bx > ax ? maxY : minY) - ay) - ((by > ay ? minX : maxX) - ax) * (by - ay) >= 0 &&
      (cx - bx) * ((cx > bx ? maxY : minY) - by) - ((cy > by ? minX : maxX) - bx) * (cy - by) >= 0 &&
      (ax - cx) * ((ax > cx ? maxY : minY) - cy) - ((ay > cy ? minX : maxX) - cx) * (ay - cy) >= 0
    );
  }
}

type Extent = readonly [fromX: number, toX: number, fromY: number, toY: number];

const extentOf = ([ax, ay, bx, by, cx, cy]: PlanarTriangle): Extent => [
  Math.min(ax, bx, cx),
  Math.max(ax, bx, cx),
  Math.min(ay, by, cy),
  Math.max(ay, by, cy),
];

function rangeOf(values: Float64Array, points: Uint32Array): [least: number, greatest: number] {
  let [least, greatest] = [Infinity, -Infinity];
  for (const point of points) {
    least = Math.min(least, values[point]);
    greatest = Math.max(greatest, values[point]);
  }
  return [least, greatest];
}
