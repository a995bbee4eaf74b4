/** More than any distance on a grid. */
const FAR = 1e12;

/**
 * Of each pixel, the distance from its middle to that of the nearest free one, in pixels; 0 for those that are free. Exact:
 * columns first, then the lower envelope of parabolas along each row (Felzenszwalb and Huttenlocher 2012, "Distance transforms
 * of sampled functions").
 */
export function distancesToFree(
  isFree: (column: number, row: number) => boolean,
  columns: number,
  rows: number,
): Float32Array {
  const squares = new Float64Array(columns * rows);
  for (let column = 0; column < columns; column++) {
    let away = FAR;
    for (let row = 0; row < rows; row++) {
      away = isFree(column, row) ? 0 : away + 1;
      squares[row * columns + column] = away * away;
    }
    for (let row = rows - 1; row >= 0; row--) {
      const at = row * columns + column;
      away = squares[at] === 0 ? 0 : away + 1;
      squares[at] = Math.min(squares[at], away * away);
    }
  }
  const distances = new Float32Array(columns * rows);
  const vertices = new Int32Array(columns);
  const borders = new Float64Array(columns + 1);
  for (let row = 0; row < rows; row++) {
    const line = squares.subarray(row * columns, (row + 1) * columns);
    let last = 0;
    vertices[0] = 0;
    borders[0] = -Infinity;
    borders[1] = Infinity;
    for (let column = 1; column < columns; column++) {
      let border = borderBetween(line, vertices[last], column);
      while (border <= borders[last]) border = borderBetween(line, vertices[--last], column);
      vertices[++last] = column;
      borders[last] = border;
      borders[last + 1] = Infinity;
    }
    for (let column = 0, i = 0; column < columns; column++) {
      while (borders[i + 1] < column) i++;
      distances[row * columns + column] = Math.sqrt((column - vertices[i]) ** 2 + line[vertices[i]]);
    }
  }
  return distances;
}

/** Where the parabolas of two columns meet. */
const borderBetween = (squares: Float64Array, a: number, b: number): number =>
  (squares[b] + b * b - squares[a] - a * a) / (2 * (b - a));
