/** Points in the plane, in square cells that hold about two each where they lie evenly. */
export interface PointGrid {
  /** Whether any point in the cells about the triangle of points a, b, c passes the test. */
  someNear(a: number, b: number, c: number, test: (point: number) => boolean): boolean;
  remove(point: number): void;
  /** Cells looked into since the grid was made. */
  looks(): number;
}

export function newPointGrid(xs: Float64Array, ys: Float64Array): PointGrid {
  const [left, right] = rangeOf(xs);
  const [bottom, top] = rangeOf(ys);
  const cell =
    Math.max(Math.sqrt(((right - left) * (top - bottom) * 2) / xs.length), (right - left + top - bottom) / xs.length) ||
    1;
  const columns = Math.floor((right - left) / cell) + 1;
  const rows = Math.floor((top - bottom) / cell) + 1;
  const columnOf = (x: number): number => Math.floor((x - left) / cell);
  const rowOf = (y: number): number => Math.floor((y - bottom) / cell);
  const cells: number[][] = Array.from({ length: columns * rows }, () => []);
  const cellOf = (point: number): number[] => cells[rowOf(ys[point]) * columns + columnOf(xs[point])];
  for (let point = 0; point < xs.length; point++) cellOf(point).push(point);
  let looks = 0;

  return {
    someNear(a, b, c, test) {
      const lastRow = rowOf(Math.max(ys[a], ys[b], ys[c]));
      const lastColumn = columnOf(Math.max(xs[a], xs[b], xs[c]));
      const firstColumn = columnOf(Math.min(xs[a], xs[b], xs[c]));
      for (let row = rowOf(Math.min(ys[a], ys[b], ys[c])); row <= lastRow; row++) {
        for (let column = firstColumn; column <= lastColumn; column++) {
          looks++;
          if (cells[row * columns + column].some(test)) return true;
        }
      }
      return false;
    },
    remove(point) {
      const inCell = cellOf(point);
      inCell.splice(inCell.indexOf(point), 1);
    },
    looks: () => looks,
  };
}

function rangeOf(values: Float64Array): [least: number, greatest: number] {
  return values.reduce<[number, number]>(
    ([least, greatest], value) => [Math.min(least, value), Math.max(greatest, value)],
    [Infinity, -Infinity],
  );
}
