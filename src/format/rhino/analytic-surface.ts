import {
  type Vec3,
  add,
  cross,
  distance,
  dot,
  exactLength,
  subtract,
  times,
  unitOrZero,
} from "../../geometry/vector.ts";

/** A right-handed frame. The axis is that of revolution, or the normal of a plane; angles about it begin at `start`. */
export interface SurfaceFrame {
  readonly origin: Vec3;
  readonly axis: Vec3;
  readonly start: Vec3;
}

/** An elementary surface of STEP (ISO 10303-42), in the units of the original surface. */
export type AnalyticSurface = { readonly placement: SurfaceFrame } & (
  | { readonly kind: "plane" }
  | { readonly kind: "cylinder"; readonly radius: number }
  | { readonly kind: "sphere"; readonly radius: number }
  | { readonly kind: "cone"; readonly radius: number; readonly semiAngle: number }
  | { readonly kind: "torus"; readonly majorRadius: number; readonly minorRadius: number }
);

/** The form of a surface, and whether its normal (outward; that of a plane is the axis) is opposite to that of the surface. */
export interface AnalyticForm {
  readonly surface: AnalyticSurface;
  readonly isFlipped: boolean;
}

/** A surface evaluated at fractions 0 to 1 of its domain, with the positions of its seam and poles. */
export interface ParametricSurface {
  readonly pointAt: (u: number, v: number) => Vec3;
  readonly normalAt: (u: number, v: number) => Vec3;
  /** Numbers of knot spans in both directions. */
  readonly spans: readonly [u: number, v: number];
}

/**
 * Relative tolerance of a match: all samples must be this near to the form, relative to their extent. Rhino's own shapes differ only
 * by rounding.
 */
const SHARE = 1e-8;
/** Points inside each span: analytic surfaces are rational of degree 2; such a curve with five points on a sphere is on it completely. */
const SAMPLES_PER_SPAN = 5;
/** Analytic surfaces have at most four spans around; more samples than these need are not taken. */
const MAX_SPANS = 8;
/** With smaller sines of the angles between normals, centres are uncertain: the surface is kept as NURBS. */
const MIN_SINE = 1e-3;

interface Sample {
  readonly point: Vec3;
  readonly normal: Vec3;
}

/** Samples by rows of equal u. */
type Grid = readonly (readonly Sample[])[];

/**
 * The plane, cylinder, cone, sphere or torus of which a surface is a part; undefined for any other surface. Its seam is that of the
 * surface, or outside of it.
 */
export function analyticForm(surface: ParametricSurface): AnalyticForm | undefined {
  if (surface.spans.some((spans) => spans > MAX_SPANS)) return undefined;
  const [us, vs] = surface.spans.map((spans) => {
    const count = spans * SAMPLES_PER_SPAN;
    return Array.from({ length: count }, (_, i) => (i + 0.5) / count);
  });
  const grid = us.map((u) => vs.map((v) => ({ point: surface.pointAt(u, v), normal: surface.normalAt(u, v) })));
  const samples = grid.flat();
  const tolerance = SHARE * Math.max(...samples.map(({ point }) => distance(point, samples[0].point)));
  const fit = { surface, grid, samples, tolerance };
  return plane(fit) ?? sphere(fit) ?? cone(fit) ?? torus(fit);
}

interface Fit {
  readonly surface: ParametricSurface;
  readonly grid: Grid;
  readonly samples: readonly Sample[];
  readonly tolerance: number;
}

function plane({ samples, tolerance }: Fit): AnalyticForm | undefined {
  const { point: origin, normal: axis } = samples[0];
  const isOn = ({ point }: Sample): boolean => Math.abs(dot(subtract(point, origin), axis)) <= tolerance;
  // A surface without an area has no normals.
  if (dot(axis, axis) === 0 || !samples.every(isOn)) return undefined;
  return { surface: { kind: "plane", placement: { origin, axis, start: across(axis) } }, isFlipped: false };
}

function sphere({ surface, samples, tolerance }: Fit): AnalyticForm | undefined {
  const reach = signedRadius(samples);
  if (reach === undefined) return undefined;
  const origin = centreAt(samples[0], reach);
  const radius = Math.abs(reach);
  if (!samples.every(({ point }) => Math.abs(distance(point, origin) - radius) <= tolerance)) return undefined;
  const axis = axisOfSphere(surface, origin, tolerance);
  const start = startAbout(surface, origin, axis, tolerance);
  return { surface: { kind: "sphere", radius, placement: { origin, axis, start } }, isFlipped: reach < 0 };
}

/**
 * Through a pole, if a side of the surface is a single point; else across the middle of the surface, or about the axis around which it
 * closes.
 */
function axisOfSphere({ pointAt }: ParametricSurface, centre: Vec3, tolerance: number): Vec3 {
  const isSame = (a: Vec3, b: Vec3): boolean => distance(a, b) <= tolerance;
  for (const side of [0, 1]) {
    if (isSame(pointAt(0.3, side), pointAt(0.6, side))) return unitOrZero(subtract(pointAt(0.3, side), centre));
    if (isSame(pointAt(side, 0.3), pointAt(side, 0.6))) return unitOrZero(subtract(pointAt(side, 0.3), centre));
  }
  const around = isSame(pointAt(0, 0.5), pointAt(1, 0.5))
    ? [pointAt(0, 0.5), pointAt(0.3, 0.5), pointAt(0.6, 0.5)]
    : [pointAt(0.5, 0), pointAt(0.5, 0.3), pointAt(0.5, 0.6)];
  const [a, b, c] = around;
  return unitOrZero(cross(subtract(b, a), subtract(c, a)));
}

/** Also finds cylinders, whose normals are all perpendicular to the axis. */
function cone({ surface, samples, tolerance }: Fit): AnalyticForm | undefined {
  const [first] = samples;
  const axis = axisOfNormals(samples.map(({ normal }) => normal));
  if (axis === undefined) return undefined;
  const sine = dot(first.normal, axis);
  if (!samples.every(({ normal }) => Math.abs(dot(normal, axis) - sine) <= MIN_SINE)) return undefined;
  const acrossAxis = (vector: Vec3): Vec3 => subtract(vector, times(axis, dot(vector, axis)));
  const flat = samples.map(({ point, normal }) => ({
    point: acrossAxis(point),
    normal: unitOrZero(acrossAxis(normal)),
  }));
  // The radius changes along the axis: the radii at two samples follow from their normals and their distance along the axis.
  const slope = sine / Math.sqrt(1 - sine ** 2);
  const heights = samples.map(({ point }) => dot(subtract(point, first.point), axis));
  const level = flat.map(({ point, normal }, i) => ({ point: add(point, times(normal, slope * heights[i])), normal }));
  const reach = signedRadius(level);
  if (reach === undefined) return undefined;
  const foot = centreAt(flat[0], reach);
  const radiusAt = (height: number): number => reach - slope * height;
  const isOn = ({ point }: Sample, i: number): boolean =>
    Math.abs(distance(point, foot) - Math.abs(radiusAt(heights[i]))) <= tolerance && radiusAt(heights[i]) * reach > 0;
  if (!flat.every(isOn)) return undefined;
  const origin = add(foot, times(axis, dot(first.point, axis)));
  const isFlipped = reach < 0;
  const radius = Math.abs(reach);
  if (Math.abs(slope) * Math.max(...heights.map(Math.abs)) <= tolerance) {
    const start = startAbout(surface, origin, axis, tolerance);
    return { surface: { kind: "cylinder", radius, placement: { origin, axis, start } }, isFlipped };
  }
  // The radius grows along the axis of a cone in STEP.
  const growing = slope * Math.sign(reach) < 0 ? axis : times(axis, -1);
  const placement = { origin, axis: growing, start: startAbout(surface, origin, growing, tolerance) };
  return { surface: { kind: "cone", radius, semiAngle: Math.atan(Math.abs(slope)), placement }, isFlipped };
}

function torus({ surface, grid, samples, tolerance }: Fit): AnalyticForm | undefined {
  for (const rows of [grid, grid[0].map((_, i) => grid.map((row) => row[i]))]) {
    const reach = signedRadius(rows[0]);
    if (reach === undefined) continue;
    const centres = rows.map((row) => centreAt(row[0], reach));
    const [a, b, c] = [0, Math.floor(rows.length / 3), Math.floor((2 * rows.length) / 3)].map((i) => centres[i]);
    const circle = circleThrough(a, b, c);
    if (!circle) continue;
    const { centre: origin, radius: majorRadius, axis } = circle;
    const minorRadius = Math.abs(reach);
    const isOn = ({ point }: Sample): boolean => {
      const height = dot(subtract(point, origin), axis);
      const outward = distance(point, add(origin, times(axis, height))) - majorRadius;
      return Math.abs(Math.hypot(outward, height) - minorRadius) <= tolerance;
    };
    // STEP has no faces on tori that intersect themselves.
    if (majorRadius <= minorRadius * (1 + MIN_SINE) || !samples.every(isOn)) continue;
    const start = startAbout(surface, origin, axis, tolerance);
    return {
      surface: { kind: "torus", majorRadius, minorRadius, placement: { origin, axis, start } },
      isFlipped: reach < 0,
    };
  }
  return undefined;
}

/** The distance along the normals at which those of a sphere or circle meet; negative on the back of the surface. */
function signedRadius(samples: readonly Sample[]): number | undefined {
  const [first] = samples;
  const gaps = samples.map(({ normal }) => distance(normal, first.normal));
  const far = gaps.indexOf(Math.max(...gaps));
  if (gaps[far] < MIN_SINE) return undefined;
  const turn = subtract(samples[far].normal, first.normal);
  const radius = dot(subtract(samples[far].point, first.point), turn) / dot(turn, turn);
  return radius === 0 ? undefined : radius;
}

const centreAt = ({ point, normal }: Sample, reach: number): Vec3 => subtract(point, times(normal, reach));

/** The axis that has the same angle to all normals, from three of them that differ most. */
function axisOfNormals(normals: readonly Vec3[]): Vec3 | undefined {
  const [a] = normals;
  const farthest = (size: (normal: Vec3) => number): Vec3 =>
    normals.reduce((best, normal) => (size(normal) > size(best) ? normal : best));
  const b = farthest((normal) => distance(normal, a));
  const c = farthest((normal) => exactLength(cross(subtract(b, a), subtract(normal, a))));
  const perpendicular = cross(subtract(b, a), subtract(c, a));
  return exactLength(perpendicular) < MIN_SINE ** 2 ? undefined : unitOrZero(perpendicular);
}

/**
 * The direction from the axis at which angles begin: the seam of the surface, else the side away from it. A side on which the angle
 * about the axis is constant shows the direction of the parameters.
 */
function startAbout({ pointAt }: ParametricSurface, origin: Vec3, axis: Vec3, tolerance: number): Vec3 {
  const outward = (u: number, v: number): Vec3 => {
    const vector = subtract(pointAt(u, v), origin);
    return unitOrZero(subtract(vector, times(axis, dot(vector, axis))));
  };
  const isAroundU = distance(outward(0, 0.4), outward(0, 0.6)) < distance(outward(0.4, 0), outward(0.6, 0));
  const [from, to]: Share[] = isAroundU
    ? [
        [0, 0.4],
        [1, 0.4],
      ]
    : [
        [0.4, 0],
        [0.4, 1],
      ];
  const isClosed = distance(pointAt(...from), pointAt(...to)) <= tolerance;
  const start = isClosed ? outward(...from) : times(outward(0.5, 0.5), -1);
  return dot(start, start) > 0 ? start : across(axis);
}

type Share = [u: number, v: number];

/** A direction perpendicular to another one. */
function across(axis: Vec3): Vec3 {
  const least = axis.map(Math.abs).indexOf(Math.min(...axis.map(Math.abs)));
  const [x, y, z] = [0, 1, 2].map((i) => (i === least ? 1 : 0));
  return unitOrZero(cross(axis, [x, y, z]));
}

/** The circle through three points, with the axis about which they run counter-clockwise; undefined for collinear points. */
export function circleThrough(
  a: Vec3,
  b: Vec3,
  c: Vec3,
): { readonly centre: Vec3; readonly radius: number; readonly axis: Vec3 } | undefined {
  const [toB, toC] = [subtract(b, a), subtract(c, a)];
  const normal = cross(toB, toC);
  const square = dot(normal, normal);
  if (Math.sqrt(square) <= MIN_SINE ** 2 * exactLength(toB) * exactLength(toC)) return undefined;
  const toCentre = times(
    subtract(times(cross(toC, normal), dot(toB, toB)), times(cross(toB, normal), dot(toC, toC))),
    1 / (2 * square),
  );
  return { centre: add(a, toCentre), radius: exactLength(toCentre), axis: unitOrZero(normal) };
}
