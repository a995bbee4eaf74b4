/** Bins of directions: a grid on each side of a cube, `perSide` bins along its edges. */
export const binCount = (perSide: number): number => 6 * perSide * perSide;

/** The bin of a unit normal. */
export function binOf(x: number, y: number, z: number, perSide: number): number {
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  const az = Math.abs(z);
  if (ax >= ay && ax >= az) return at(x < 0 ? 1 : 0, y / ax, z / ax, perSide);
  if (ay >= az) return at(y < 0 ? 3 : 2, x / ay, z / ay, perSide);
  return at(z < 0 ? 5 : 4, x / az, y / az, perSide);
}

function at(side: number, u: number, v: number, perSide: number): number {
  const column = Math.min(perSide - 1, (((u + 1) / 2) * perSide) | 0);
  const row = Math.min(perSide - 1, (((v + 1) / 2) * perSide) | 0);
  return (side * perSide + row) * perSide + column;
}
