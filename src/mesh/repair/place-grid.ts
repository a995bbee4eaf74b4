import { exactLength, subtract, type Vec3 } from "../../core/geometry.ts";

/** Points in space, found by the cubic cells that they lie in. */
export interface PlaceGrid {
  /** The numbers of the points in the cells along a segment, at least those within `reach` of it; some come twice. */
  alongSegment(from: Vec3, to: Vec3, reach: number): Iterable<number>;
  /** Cells and points looked at since the grid was made. */
  looks(): number;
}

/** Cells along a segment, at most: longer ones would be a walk through a model of very uneven edges. */
const MOST_STEPS = 4096;

/** The points in cells of the given size, or smaller ones where they lie closely. */
export function newPlaceGrid(points: readonly Vec3[], cellMm: number): PlaceGrid {
  const cells = new Map<number, number[]>();
  const least = points.reduce((a, p) => [Math.min(a[0], p[0]), Math.min(a[1], p[1]), Math.min(a[2], p[2])], points[0]!);
  const most = points.reduce((a, p) => [Math.max(a[0], p[0]), Math.max(a[1], p[1]), Math.max(a[2], p[2])], points[0]!);
  const diagonal = exactLength(subtract(most, least));
  const size = Math.max(Math.min(cellMm, diagonal / Math.cbrt(points.length)), diagonal / MOST_STEPS) || 1;
  const [columns, rows] = [0, 1].map((axis) => Math.floor((most[axis] - least[axis]) / size) + 3);
  const cellOf = (value: number, axis: number): number => Math.floor((value - least[axis]) / size) + 1;
  const keyOf = (i: number, j: number, k: number): number => (k * rows + j) * columns + i;
  points.forEach((p, number) => {
    const key = keyOf(cellOf(p[0], 0), cellOf(p[1], 1), cellOf(p[2], 2));
    const there = cells.get(key);
    if (there) there.push(number);
    else cells.set(key, [number]);
  });
  let looks = 0;
  return {
    looks: () => looks,
    *alongSegment(from, to, reach) {
      const way = subtract(to, from);
      const steps = Math.max(1, Math.ceil(exactLength(way) / size));
      const seen = new Set<number>();
      // A step is no longer than a cell: what lies near it lies in the cells of its box, grown by the reach.
      for (let step = 0; step < steps; step++) {
        const ends = [0, 1, 2].map((axis) => {
          const one = from[axis] + (way[axis] * step) / steps;
          const other = from[axis] + (way[axis] * (step + 1)) / steps;
          return [cellOf(Math.min(one, other) - reach, axis), cellOf(Math.max(one, other) + reach, axis)] as const;
        });
        for (let k = ends[2][0]; k <= ends[2][1]; k++) {
          for (let j = ends[1][0]; j <= ends[1][1]; j++) {
            for (let i = ends[0][0]; i <= ends[0][1]; i++) {
              const key = keyOf(i, j, k);
              if (seen.has(key)) continue;
              seen.add(key);
              const there = cells.get(key) ?? [];
              looks += 1 + there.length;
              yield* there;
            }
          }
        }
      }
    },
  };
}
