/** The sum of solid angles of facets. */
export interface AngleSum {
  start(): void;
  /** Adds that of the facet whose corners start at `at`, seen from x, y, z: positive where the facet faces away. */
  add(corners: Float32Array, at: number, x: number, y: number, z: number): void;
  total(): number;
}

/** No product of so large numbers with one more facet's overflows, nor does one of so small ones vanish. */
const LARGEST = 2 ** 300;

/**
 * Half of every angle is that of a complex number, so that of their product is half of the sum but for whole turns, which
 * are counted: one arc tangent for all.
 * Source: A. van Oosterom, J. Strackee, "The Solid Angle of a Plane Triangle" (1983).
 */
export function newAngleSum(): AngleSum {
  let re = 1;
  let im = 0;
  let turns = 0;
  return {
    start() {
      re = 1;
      im = turns = 0;
    },
    add(corners, at, x, y, z) {
      const ax = corners[at] - x;
      const ay = corners[at + 1] - y;
      const az = corners[at + 2] - z;
      const bx = corners[at + 3] - x;
      const by = corners[at + 4] - y;
      const bz = corners[at + 5] - z;
      const cx = corners[at + 6] - x;
      const cy = corners[at + 7] - y;
      const cz = corners[at + 8] - z;
      const a = Math.sqrt(ax * ax + ay * ay + az * az);
      const b = Math.sqrt(bx * bx + by * by + bz * bz);
      const c = Math.sqrt(cx * cx + cy * cy + cz * cz);
      const volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
      const flatness =
        a * b * c +
        (ax * bx + ay * by + az * bz) * c +
        (bx * cx + by * cy + bz * cz) * a +
        (cx * ax + cy * ay + cz * az) * b;
      if (volume === 0 && flatness === 0) return;
      const nextRe = re * flatness - im * volume;
      const nextIm = re * volume + im * flatness;
      // Both turn the same way, and the half turn is passed.
      if (im >= 0 && volume >= 0 && nextIm < 0) turns++;
      else if (im < 0 && volume < 0 && nextIm >= 0) turns--;
      const size = Math.abs(nextRe) + Math.abs(nextIm);
      const scale = size > LARGEST || size < 1 / LARGEST ? 1 / size : 1;
      re = nextRe * scale;
      im = nextIm * scale;
    },
    total: () => 2 * (Math.atan2(im, re) + 2 * Math.PI * turns),
  };
}
