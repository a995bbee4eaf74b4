/** Enough columns that few points of a round shape are outside of the first hull. */
const MAX_COLUMNS = 1024;
/** Relative to the size of the hull. Points that are outside of the first hull by less are no corners: the distance is a rounding error. */
const TOLERANCE = 2 ** -44;

/**
 * The corners of the convex hull of points in the plane: x, y of each, counter-clockwise from the least x (then y). A first hull, of
 * the lowest and highest points of many columns, contains nearly all points; only the points outside of it are processed further.
 * `CrossSection.hull` of Manifold takes twenty times as long (300,000 points).
 */
export function convexHull(xs: Float64Array, ys: Float64Array): Float64Array {
  const seeds = columnExtremes(xs, ys);
  const first = monotoneChain(xs, ys, seeds);
  const outside = pointsOutside(xs, ys, first);
  const hull = outside.length === 0 ? first : monotoneChain(xs, ys, [...first, ...outside]);
  return Float64Array.from(hull.flatMap((i) => [xs[i], ys[i]]));
}

const NONE = -1;

interface Columns {
  readonly count: number;
  readonly perX: number;
}

/** The columns for a number of points with x in a range. */
function columnsOf(points: number, minX: number, maxX: number): Columns {
  const count = Math.min(points, MAX_COLUMNS);
  return { count, perX: maxX > minX ? count / (maxX - minX) : 0 };
}

/** The lowest and the highest point of each column, and at the least and the greatest x. */
function columnExtremes(xs: Float64Array, ys: Float64Array): number[] {
  let minX = Infinity;
  let maxX = -Infinity;
  for (let i = 0; i < xs.length; i++) {
    const x = xs[i];
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
  }
  const { count, perX } = columnsOf(xs.length, minX, maxX);
  // A separate column for each end, so that both corners of a vertical edge there are in the first hull.
  const leftEnd = count + 1;
  const rightEnd = count + 2;
  const lowY = new Float64Array(count + 3).fill(Infinity);
  const highY = new Float64Array(count + 3).fill(-Infinity);
  const lowest = new Int32Array(count + 3).fill(NONE);
  const highest = new Int32Array(count + 3).fill(NONE);
  for (let i = 0; i < xs.length; i++) {
    const x = xs[i];
    const y = ys[i];
    const column = x === minX ? leftEnd : x === maxX ? rightEnd : ((x - minX) * perX) | 0;
    if (y < lowY[column]) {
      lowY[column] = y;
      lowest[column] = i;
    }
    if (y > highY[column]) {
      highY[column] = y;
      highest[column] = i;
    }
  }
  return [...lowest, ...highest].filter((i) => i !== NONE);
}

/** The hull by Andrew's monotone chain, counter-clockwise from the least x (then y), without collinear points. */
function monotoneChain(xs: Float64Array, ys: Float64Array, points: readonly number[]): number[] {
  const sorted = [...points].sort((a, b) => xs[a] - xs[b] || ys[a] - ys[b]);
  const lower = half(xs, ys, sorted);
  const upper = half(xs, ys, sorted.toReversed());
  return lower.length === 1 ? lower : [...lower.slice(0, -1), ...upper.slice(0, -1)];
}

function half(xs: Float64Array, ys: Float64Array, sorted: readonly number[]): number[] {
  const hull: number[] = [];
  for (const p of sorted) {
    if (hull.length > 0 && xs[hull.at(-1)!] === xs[p] && ys[hull.at(-1)!] === ys[p]) continue;
    while (hull.length > 1) {
      const [a, b] = [hull[hull.length - 2], hull[hull.length - 1]];
      if ((xs[b] - xs[a]) * (ys[p] - ys[a]) - (ys[b] - ys[a]) * (xs[p] - xs[a]) > 0) break;
      hull.pop();
    }
    hull.push(p);
  }
  return hull;
}

/** The points outside of a hull, which starts at its least x. Each column has a line segment that bounds the hull below, and one above. */
function pointsOutside(xs: Float64Array, ys: Float64Array, hull: readonly number[]): number[] {
  const right = hull.reduce((best, p, place) => (xs[p] > xs[hull[best]] ? place : best), 0);
  const minX = xs[hull[0]];
  const maxX = xs[hull[right]];
  const { count, perX } = columnsOf(xs.length, minX, maxX);
  const width = perX > 0 ? 1 / perX : 0;
  const borders = new Float64Array(count + 2).map((_, i) => Math.min(maxX, minX + i * width));
  const low = heightsAt(xs, ys, hull.slice(0, right + 1), borders);
  const upperRight = right + 1 < hull.length && xs[hull[right + 1]] === maxX ? right + 1 : right;
  const high = heightsAt(xs, ys, [hull[0], ...hull.slice(upperRight).toReversed()], borders);
  const tallest = hull.reduce((most, p) => Math.max(most, Math.abs(ys[p])), maxX - minX);
  const slack = TOLERANCE * tallest;
  const outside: number[] = [];
  for (let i = 0; i < xs.length; i++) {
    const along = (xs[i] - minX) * perX;
    const column = along | 0;
    const share = along - column;
    const y = ys[i];
    if (y < low[column] + share * (low[column + 1] - low[column]) - slack) outside.push(i);
    else if (y > high[column] + share * (high[column + 1] - high[column]) + slack) outside.push(i);
  }
  return outside;
}

/** The y of a polyline, ascending in x, at the ascending x of `borders`. */
function heightsAt(xs: Float64Array, ys: Float64Array, line: readonly number[], borders: Float64Array): Float64Array {
  let k = 0;
  return borders.map((x) => {
    while (k + 1 < line.length && xs[line[k + 1]] <= x) k++;
    if (k + 1 === line.length) return ys[line[k]];
    const [a, b] = [line[k], line[k + 1]];
    return ys[a] + ((x - xs[a]) / (xs[b] - xs[a])) * (ys[b] - ys[a]);
  });
}
