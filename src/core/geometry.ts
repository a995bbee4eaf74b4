/** A point or direction: x, y, z. Millimetres where it is a place. */
export type Vec3 = readonly [x: number, y: number, z: number];

/** Row-major 3×3 matrix. */
export type Mat3 = readonly [number, number, number, number, number, number, number, number, number];

/** Axis-aligned box, millimetres. */
export interface Box {
  readonly min: Vec3;
  readonly max: Vec3;
}

/** A printer's build volume. */
export interface BuildVolume {
  /** x, y, z. The volume spans x, y about zero and z upward from the platform. */
  readonly dimensionsMm: Vec3;
  /** Radius of its four vertical edges. */
  readonly filletRadiusMm: number;
}

/**
 * The rim of a volume seen from above, counter-clockwise from the corner at the right and the back. Each corner is an arc of
 * so many pieces. Sines are rounded: engines may differ in their last bits.
 */
export function rimOf({ dimensionsMm: [x, y], filletRadiusMm }: BuildVolume, pieces: number): [x: number, y: number][] {
  const r = Math.min(filletRadiusMm, x / 2, y / 2);
  const corners = [
    [1, 1],
    [-1, 1],
    [-1, -1],
    [1, -1],
  ] as const;
  return corners.flatMap(([sideX, sideY], quarter) =>
    Array.from({ length: pieces + 1 }, (_, i): [number, number] => {
      const angle = (Math.PI / 2) * (quarter + i / pieces);
      return [
        sideX * (x / 2 - r) + r * Math.fround(Math.cos(angle)),
        sideY * (y / 2 - r) + r * Math.fround(Math.sin(angle)),
      ];
    }),
  );
}

export const ORIGIN: Vec3 = [0, 0, 0];

export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (a: Vec3, s: number): Vec3 => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const length = (a: Vec3): number => Math.hypot(a[0], a[1], a[2]);

/** The length to the same bit in every engine, which `Math.hypot` does not promise. */
export const exactLength = ([x, y, z]: Vec3): number => Math.sqrt(x * x + y * y + z * z);

/** The same direction at length 1; the vector must not be zero. */
export function unit(a: Vec3): Vec3 {
  const size = exactLength(a);
  return [a[0] / size, a[1] / size, a[2] / size];
}

export const centreOf = (box: Box): Vec3 => times(add(box.min, box.max), 0.5);
export const sizeOf = (box: Box): Vec3 => subtract(box.max, box.min);

/** The least box around two. */
export const unionOf = (a: Box, b: Box): Box => ({
  min: [Math.min(a.min[0], b.min[0]), Math.min(a.min[1], b.min[1]), Math.min(a.min[2], b.min[2])],
  max: [Math.max(a.max[0], b.max[0]), Math.max(a.max[1], b.max[1]), Math.max(a.max[2], b.max[2])],
});

/** The box grown by `scale` about the coordinate origin, then moved by `offset`. `scale` is positive. */
export const placeBox = (box: Box, scale: number, offset: Vec3): Box => ({
  min: add(times(box.min, scale), offset),
  max: add(times(box.max, scale), offset),
});
