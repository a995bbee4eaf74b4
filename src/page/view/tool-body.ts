import { type Vec3, add, times } from "../../geometry/vector.ts";
import { textAxes } from "../action/surface-place.ts";
import { type SurfacePoint, type SurfaceProbe, acrossOf, edgeDistanceMm } from "./edge-gap.ts";
import type { ToolBody } from "./view.ts";

/** Least material between the rim of a hole and an edge: less breaks out when the part is washed. A working value. */
const RIM_MM = 0.5;
/** Pieces of a circle. */
const PIECES = 48;
/** A wall is at least this thick: so the facet in which its ray begins is not its other side. */
const THINNEST_MM = 0.01;
/** Longer than any part. */
const FAR_MM = 10_000;
/** How far the axis of a hole stands out of the surface, in diameters. */
const AXIS_DIAMETERS = 1.5;

/** Why a tool cannot be used at a place, in words; undefined if it can. */
export function refusalAt(body: ToolBody, place: SurfacePoint, probe: SurfaceProbe): string | undefined {
  if (body.kind !== "hole") return undefined;
  const radiusMm = body.diameterMm / 2;
  const edgeMm = edgeDistanceMm(place, radiusMm + RIM_MM, probe);
  if (edgeMm === undefined) return undefined;
  return edgeMm < radiusMm ? "Across an edge" : `Too close to an edge, ${(edgeMm - radiusMm).toFixed(1)} mm`;
}

/** Depth of a hole through the wall at a place: to the cavity behind it, or to the far side, mm. */
function wallMm({ point, normal }: SurfacePoint, probe: SurfaceProbe): number {
  const inward = times(normal, -1);
  return probe({ origin: point, direction: inward }, { from: THINNEST_MM, to: FAR_MM })?.at ?? 0;
}

/** The outlines of what a tool would make at a place of a surface, as polylines of the scene; the first one is on the surface. */
export function toolBodyLines(body: ToolBody, place: SurfacePoint, probe: SurfaceProbe): readonly (readonly Vec3[])[] {
  const { point, normal } = place;
  if (body.kind === "text") return textLines(body, place);
  const depthMm = body.depthMm === "AUTO" ? wallMm(place, probe) : body.depthMm;
  const [u, v] = acrossOf(normal);
  const rimAt = (angle: number, alongMm: number): Vec3 => {
    const [a, b] = [(body.diameterMm / 2) * Math.cos(angle), (body.diameterMm / 2) * Math.sin(angle)];
    return add(point, add(add(times(u, a), times(v, b)), times(normal, alongMm)));
  };
  const circle = (alongMm: number): Vec3[] =>
    Array.from({ length: PIECES + 1 }, (_, i) => rimAt((2 * Math.PI * i) / PIECES, alongMm));
  const sides = [0, 1, 2, 3].map((i) => [rimAt((Math.PI * i) / 2, 0), rimAt((Math.PI * i) / 2, -depthMm)]);
  const axis = [add(point, times(normal, AXIS_DIAMETERS * body.diameterMm)), point];
  return [circle(0), circle(-depthMm), ...sides, axis];
}

/** The box of a text in the plane that touches the surface, and its line of writing with an arrow. */
function textLines(
  { widthMm, heightMm }: Extract<ToolBody, { kind: "text" }>,
  { point, normal }: SurfacePoint,
): readonly (readonly Vec3[])[] {
  const { x_direction: x, z_direction: z } = textAxes(normal);
  const y: Vec3 = [z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]];
  const at = (right: number, up: number): Vec3 => add(point, add(times(x, right), times(y, up)));
  const [w, h] = [widthMm / 2, heightMm / 2];
  const head = heightMm / 3;
  return [
    [at(-w, -h), at(w, -h), at(w, h), at(-w, h), at(-w, -h)],
    [at(-w, 0), at(w, 0), at(w - head, head / 2), at(w, 0), at(w - head, -head / 2)],
  ];
}
