import { add, cross, dot, exactLength, subtract, times, unit, type Vec3 } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import type { FacetTree } from "../../mesh/bvh/facet-tree.ts";
import { nearestPoint } from "../../mesh/bvh/nearest-point.ts";
import { march } from "./march.ts";

/** A place on a surface and the way along x of a plane that is laid on it, as seen from `out`: unit vectors. */
export interface Anchor {
  readonly place: Vec3;
  readonly along: Vec3;
  readonly out: Vec3;
}

/** What the plane must cover, mm to each side of the anchor; negative where it need not even reach that. */
export interface Extent {
  readonly left: number;
  readonly right: number;
  readonly below: number;
  readonly above: number;
}

export interface ChartPlace {
  readonly place: Vec3;
  /** Out of the surface, of unit length, smoothed over {@link SMOOTH_STEPS}. */
  readonly normal: Vec3;
  /** How many times as large as the plane the surface is there, moved out by an offset; negative where it then folds. */
  growth(offsetMm: number): number;
}

/** A part of the plane laid on a surface: lengths along its x axis, and along y from there, are those on the surface. */
export interface Chart {
  /** Where a place of the plane comes to lie; nowhere where the surface has ended or has a sharp edge before it. */
  at(x: number, y: number): ChartPlace | undefined;
  /** The x axis, from left to right, places one step apart. */
  readonly axis: readonly Vec3[];
}

/** Normals are those of the surface over so many steps to each side: small facets do not show in them. */
const SMOOTH_STEPS = 2;

/**
 * Lays a plane on a surface as the exponential map does: along the geodesic through the anchor, and from there along those
 * across it. `stepMm` is the length of steps on the way.
 * Source: R. Schmidt, C. Grimm, B. Wyvill, "Interactive Decal Compositing with Discrete Exponential Maps" (2006).
 */
export function chartOf(tree: FacetTree, anchor: Anchor, extent: Extent, stepMm: number, watch: Watch): Chart {
  const steps = (mm: number): number => Math.ceil(Math.max(0, mm) / stepMm) + SMOOTH_STEPS;
  const [left, right, below, above] = [extent.left, extent.right, extent.below, extent.above].map(steps);
  const columns = left + right + 1;
  const rows = below + above + 1;
  const places: (Vec3 | undefined)[] = Array.from({ length: columns * rows });
  const put = (column: number, row: number, place: Vec3): void => {
    places[column * rows + row] = place;
  };

  const axis = [
    ...march(tree, anchor.place, times(anchor.along, -1), stepMm, left).toReversed(),
    anchor.place,
    ...march(tree, anchor.place, anchor.along, stepMm, right),
  ];
  const middle = axis.indexOf(anchor.place);
  const raise = (at: number, upBefore: Vec3): Vec3 => {
    const chord = subtract(axis[Math.min(at + 1, axis.length - 1)], axis[Math.max(at - 1, 0)]);
    const up = across(tree, axis[at], axis.length > 1 ? unit(chord) : anchor.along, upBefore, stepMm);
    const column = left + at - middle;
    put(column, below, axis[at]);
    march(tree, axis[at], up, stepMm, above).forEach((place, i) => put(column, below + 1 + i, place));
    march(tree, axis[at], times(up, -1), stepMm, below).forEach((place, i) => put(column, below - 1 - i, place));
    watch.report(Math.abs(at - middle) / axis.length);
    return up;
  };
  const upAtAnchor = raise(middle, cross(anchor.out, anchor.along));
  for (let at = middle + 1, up = upAtAnchor; at < axis.length; at++) up = raise(at, up);
  for (let at = middle - 1, up = upAtAnchor; at >= 0; at--) up = raise(at, up);

  const normals = normalsOf(places, columns, rows);
  return {
    axis,
    at(x, y) {
      const column = Math.min(columns - 2, Math.max(0, Math.floor(x / stepMm + left)));
      const row = Math.min(rows - 2, Math.max(0, Math.floor(y / stepMm + below)));
      const between = [x / stepMm + left - column, y / stepMm + below - row] as const;
      const first = column * rows + row;
      const place = bilinear(places, first, rows, between);
      const normal = bilinear(normals, first, rows, between);
      const onSurface = place && nearestPoint(tree, place, stepMm);
      if (!onSurface || !normal) return undefined;
      const offset = (at: number, mm: number): Vec3 => add(places[at]!, times(normals[at]!, mm));
      const growth = (mm: number): number => {
        const corner = offset(first, mm);
        const [right, up] = [first + rows, first + 1].map((at) => subtract(offset(at, mm), corner));
        return dot(cross(right, up), unit(normal)) / (stepMm * stepMm);
      };
      return { place: onSurface.point, normal: unit(normal), growth };
    },
  };
}

/** The unit vector on the surface, at a place of it, that is square to `along` on the side that `before` shows to. */
function across(tree: FacetTree, place: Vec3, along: Vec3, before: Vec3, stepMm: number): Vec3 {
  const squared = (way: Vec3): Vec3 => unit(subtract(way, times(along, dot(way, along))));
  const guess = squared(before);
  const [above, below] = [1, -1].map((side) => nearestPoint(tree, add(place, times(guess, side * stepMm)), stepMm));
  return above && below ? squared(subtract(above.point, below.point)) : guess;
}

/** At each place that there is, square to what joins those some steps away from it. */
function normalsOf(places: readonly (Vec3 | undefined)[], columns: number, rows: number): (Vec3 | undefined)[] {
  const farthest = (column: number, row: number, byColumn: number, byRow: number): Vec3 => {
    let found = places[column * rows + row]!;
    for (let i = 1; i <= SMOOTH_STEPS; i++) {
      const [c, r] = [column + i * byColumn, row + i * byRow];
      const next = c >= 0 && c < columns && r >= 0 && r < rows ? places[c * rows + r] : undefined;
      if (!next) return found;
      found = next;
    }
    return found;
  };
  return places.map((place, i) => {
    if (!place) return undefined;
    const [column, row] = [Math.floor(i / rows), i % rows];
    const right = subtract(farthest(column, row, 1, 0), farthest(column, row, -1, 0));
    const up = subtract(farthest(column, row, 0, 1), farthest(column, row, 0, -1));
    const normal = cross(right, up);
    return exactLength(normal) > 0 ? unit(normal) : undefined;
  });
}

/** Between four neighbours, by the shares of the way from the first to those of the next column and row. */
function bilinear(
  values: readonly (Vec3 | undefined)[],
  first: number,
  rows: number,
  [x, y]: readonly [number, number],
): Vec3 | undefined {
  const [a, b, c, d] = [values[first], values[first + rows], values[first + 1], values[first + rows + 1]];
  if (!a || !b || !c || !d) return undefined;
  const along = (axis: 0 | 1 | 2): number =>
    (1 - y) * ((1 - x) * a[axis] + x * b[axis]) + y * ((1 - x) * c[axis] + x * d[axis]);
  return [along(0), along(1), along(2)];
}
