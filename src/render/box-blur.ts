/** Two box blurs of `radius` cells one after the other; beyond the border lies nothing. */
export function boxBlur(cells: Float32Array, columns: number, radius: number): Float32Array<ArrayBuffer> {
  const rows = cells.length / columns;
  const across = (input: Float32Array): Float32Array<ArrayBuffer> => {
    const output = new Float32Array(cells.length);
    for (let row = 0; row < rows; row++) slide(input, output, row * columns, 1, columns, radius);
    return output;
  };
  const along = (input: Float32Array): Float32Array<ArrayBuffer> => {
    const output = new Float32Array(cells.length);
    for (let column = 0; column < columns; column++) slide(input, output, column, columns, rows, radius);
    return output;
  };
  return along(across(along(across(cells))));
}

/** The mean of 2 · radius + 1 cells around each of a line of cells. */
function slide(
  input: Float32Array,
  output: Float32Array,
  start: number,
  step: number,
  count: number,
  radius: number,
): void {
  let sum = 0;
  for (let i = 0; i < Math.min(radius, count); i++) sum += input[start + i * step];
  for (let i = 0; i < count; i++) {
    if (i + radius < count) sum += input[start + (i + radius) * step];
    output[start + i * step] = sum / (2 * radius + 1);
    if (i >= radius) sum -= input[start + (i - radius) * step];
  }
}
