import type { NurbsCurve, NurbsSurface, Surface } from "rhino3dm";
import { type Vec3, distance, dot, subtract, times, unitOrZero } from "../../geometry/vector.ts";
import { realText } from "../occt/step-text.ts";
import { type AnalyticSurface, type SurfaceFrame, analyticForm, circleThrough } from "./analytic-surface.ts";
import type { Own } from "./rhino-library.ts";

/** Writes an instance and returns its id. */
type Add = (text: string) => string;

/** Writes instances for shapes whose lengths are multiples of `unitMm`. */
export interface Writer {
  readonly add: Add;
  /** As `add`, but writes equal texts only once: otherwise OpenCASCADE takes a fifth longer for boxes. */
  readonly share: Add;
  readonly unitMm: number;
  readonly point: Add3;
  readonly direction: Add3;
}

type Add3 = (vector: Vec3) => string;

/** Relative tolerance of lines and circles: all samples of a curve must be this near, relative to its length. */
const SHARE = 1e-8;
/** Points inside each span of a curve: a rational curve of degree 2 with five points on a circle is on it completely. */
const SAMPLES_PER_SPAN = 5;
/** Circles have four spans. */
const MAX_SPANS = 8;

/**
 * A curve as STEP, in its direction: a line or a circle if it is part of one, which OpenCASCADE tessellates in a fraction of the time;
 * else NURBS.
 */
export function curveText(curve: NurbsCurve, writer: Writer, own: Own): string {
  const { add, share, point, direction } = writer;
  const list = own(curve.points());
  const poles = Array.from({ length: list.count }, (_, i) => list.get(i));
  const { points, weights } = separated(poles);
  const knots = knotLists(own(curve.knots()));
  if (isLine(points)) {
    const vector = share(`VECTOR('',${direction(unitOrZero(subtract(points.at(-1)!, points[0])))},1.)`);
    return add(`LINE('',${point(points[0])},${vector})`);
  }
  const circle = weights && circleOf(curve, knots.spans);
  if (circle)
    return add(`CIRCLE('',${placementText(circle.placement, writer)},${realText(circle.radius * writer.unitMm)})`);
  const spline = `${curve.order - 1},(${points.map(point).join(",")}),.UNSPECIFIED.,.F.,.F.`;
  const knotText = `${knots.multiplicities},${knots.values},.UNSPECIFIED.`;
  if (!weights) return add(`B_SPLINE_CURVE_WITH_KNOTS('',${spline},${knotText})`);
  return add(
    `(BOUNDED_CURVE()B_SPLINE_CURVE(${spline})B_SPLINE_CURVE_WITH_KNOTS(${knotText})CURVE()GEOMETRIC_REPRESENTATION_ITEM()` +
      `RATIONAL_B_SPLINE_CURVE((${weights.map(realText).join(",")}))REPRESENTATION_ITEM(''))`,
  );
}

/** Whether control points follow one another on a line. */
function isLine(points: readonly Vec3[]): boolean {
  const [first, last] = [points[0], points.at(-1)!];
  const length = distance(first, last);
  const along = unitOrZero(subtract(last, first));
  const heights = points.map((point) => dot(subtract(point, first), along));
  return points.every((point, i) => {
    const offset = distance(subtract(point, first), times(along, heights[i]));
    return offset <= SHARE * length && (i === 0 || heights[i] > heights[i - 1]);
  });
}

/** The circle of which a curve is a part, starting at its start, counter-clockwise. */
function circleOf(
  curve: NurbsCurve,
  spans: number,
): { readonly placement: SurfaceFrame; readonly radius: number } | undefined {
  if (spans > MAX_SPANS) return undefined;
  const [from, to] = curve.domain as unknown as [number, number];
  const count = spans * SAMPLES_PER_SPAN;
  const samples = Array.from(
    { length: count },
    (_, i) => curve.pointAt(from + ((to - from) * i) / count) as unknown as Vec3,
  );
  const circle = circleThrough(samples[0], samples[Math.floor(count / 3)], samples[Math.floor((2 * count) / 3)]);
  if (!circle) return undefined;
  const { centre: origin, radius, axis } = circle;
  const isOn = (sample: Vec3): boolean => {
    const spoke = subtract(sample, origin);
    return Math.hypot(distance(sample, origin) - radius, dot(spoke, axis)) <= SHARE * radius;
  };
  if (!samples.every(isOn)) return undefined;
  return { placement: { origin, axis, start: unitOrZero(subtract(samples[0], origin)) }, radius };
}

/** A surface of STEP. */
interface WrittenSurface {
  readonly surface: string;
  /** Whether its normal is opposite to that of the surface in Rhino. */
  readonly isFlipped: boolean;
}

/** A surface as STEP: a plane, cylinder, cone, sphere or torus if it is part of one, else NURBS. */
export function surfaceText(surface: Surface, writer: Writer, own: Own): WrittenSurface {
  const nurbs = own(surface.toNurbsSurface());
  const [u, v] = [knotLists(own(nurbs.knotsU())), knotLists(own(nurbs.knotsV()))];
  const form = analyticForm({ ...evaluator(nurbs), spans: [u.spans, v.spans] });
  if (form) return { surface: analyticText(form.surface, writer), isFlipped: form.isFlipped };
  const list = own(nurbs.points());
  const rows = Array.from({ length: list.countU }, (_, i) =>
    separated(Array.from({ length: list.countV }, (_, k) => list.get(i, k))),
  );
  return { surface: splineText(nurbs, rows, [u, v], writer), isFlipped: false };
}

function evaluator(nurbs: NurbsSurface) {
  const [u, v] = [0, 1].map((direction) => nurbs.domain(direction) as unknown as [number, number]);
  const at = ([from, to]: readonly [number, number], share: number): number => from + (to - from) * share;
  return {
    pointAt: (a: number, b: number) => nurbs.pointAt(at(u, a), at(v, b)) as unknown as Vec3,
    normalAt: (a: number, b: number) => nurbs.normalAt(at(u, a), at(v, b)) as unknown as Vec3,
  };
}

function analyticText(surface: AnalyticSurface, writer: Writer): string {
  const length = (value: number): string => realText(value * writer.unitMm);
  const at = placementText(surface.placement, writer);
  if (surface.kind === "plane") return writer.add(`PLANE('',${at})`);
  if (surface.kind === "cylinder") return writer.add(`CYLINDRICAL_SURFACE('',${at},${length(surface.radius)})`);
  if (surface.kind === "sphere") return writer.add(`SPHERICAL_SURFACE('',${at},${length(surface.radius)})`);
  if (surface.kind === "cone") {
    return writer.add(`CONICAL_SURFACE('',${at},${length(surface.radius)},${realText(surface.semiAngle)})`);
  }
  return writer.add(`TOROIDAL_SURFACE('',${at},${length(surface.majorRadius)},${length(surface.minorRadius)})`);
}

const placementText = ({ origin, axis, start }: SurfaceFrame, { add, point, direction }: Writer): string =>
  add(`AXIS2_PLACEMENT_3D('',${point(origin)},${direction(axis)},${direction(start)})`);

function splineText(
  nurbs: NurbsSurface,
  rows: readonly Poles[],
  [u, v]: readonly Knots[],
  { add, point }: Writer,
): string {
  const poles = rows.map(({ points }) => `(${points.map(point).join(",")})`).join(",");
  const spline = `${nurbs.orderU - 1},${nurbs.orderV - 1},(${poles}),.UNSPECIFIED.,.F.,.F.,.F.`;
  const knots = `${u.multiplicities},${v.multiplicities},${u.values},${v.values},.UNSPECIFIED.`;
  if (rows.every(({ weights }) => weights === undefined)) {
    return add(`B_SPLINE_SURFACE_WITH_KNOTS('',${spline},${knots})`);
  }
  const weights = rows.map(({ points, weights: row }) => `(${(row ?? points.map(() => 1)).map(realText).join(",")})`);
  return add(
    `(BOUNDED_SURFACE()B_SPLINE_SURFACE(${spline})B_SPLINE_SURFACE_WITH_KNOTS(${knots})GEOMETRIC_REPRESENTATION_ITEM()` +
      `RATIONAL_B_SPLINE_SURFACE((${weights.join(",")}))REPRESENTATION_ITEM('')SURFACE())`,
  );
}

interface Poles {
  readonly points: Vec3[];
  readonly weights?: number[];
}

/** Control points are homogeneous: x·w, y·w, z·w, w. The weights are undefined if all are 1. */
function separated(poles: readonly (readonly number[])[]): Poles {
  const weights = poles.map(([, , , w]) => w);
  const points = poles.map(([x, y, z, w]) => times([x, y, z], 1 / w));
  return weights.every((w) => w === 1) ? { points } : { points, weights };
}

interface KnotList {
  toList(): number[];
  superfluousKnot(start: boolean): number;
}

interface Knots {
  readonly multiplicities: string;
  readonly values: string;
  readonly spans: number;
}

/** Rhino omits the first and the last knot, on which no curve depends. */
function knotLists(list: KnotList): Knots {
  const knots = [list.superfluousKnot(true), ...list.toList(), list.superfluousKnot(false)];
  const starts = [...knots.keys()].filter((i) => knots[i] !== knots[i - 1]);
  const values = starts.map((start) => knots[start]);
  const multiplicities = starts.map((start, i) => (starts[i + 1] ?? knots.length) - start);
  return {
    multiplicities: `(${multiplicities.join(",")})`,
    values: `(${values.map(realText).join(",")})`,
    spans: starts.length - 1,
  };
}
