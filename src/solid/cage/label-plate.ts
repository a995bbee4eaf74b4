import { operationFailed } from "../../core/api-error.ts";
import type { Progress } from "../../core/progress.ts";
import { coordinateRange } from "../../geometry/polygon.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import { union } from "../../mesh/boolean.ts";
import { boxSurface } from "../../mesh/box-surface.ts";
import type { LetterPlane } from "../../mesh/letter-plane.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { CAP_HEIGHT, UNITS_PER_EM } from "../../text/font.ts";
import { meshFromBoolean } from "../boolean-mesh.ts";
import { labelMesh, layOutText } from "../label/label-mesh.ts";
import { type AxisPlan, type CageShape, edgeBarMm } from "./cage-plan.ts";

/** Heights of capitals that are tried, the largest first: in the smallest, sintered strokes are 0.5 mm wide. */
const CAP_HEIGHTS_MM = [8, 7, 6, 5, 4, 3];
/** Height of the letters above the plate: several layers of 0.1 mm, which blasting does not wear off. */
const RAISED_MM = 0.6;
/** Least distance between the letters and the rim of the plate. */
const MARGIN_MM = 1;

/** Openings of a side wall that are filled for a line of text. */
export interface LabelPlate {
  readonly text: string;
  /** Size of the em. */
  readonly fontSizeMm: number;
  /** Axis of the normal of its wall: 0 or 1. The wall is the one at the front (y) or at the right (x). */
  readonly axis: 0 | 1;
  /** Number of openings that the plate fills. */
  readonly openings: number;
  /** Bounds of the filled openings and the bars between them. */
  readonly min: Vec3;
  readonly max: Vec3;
  /** Whether a point, seen along the axis, is in a filled opening, on the side of the plate. */
  covers(point: readonly number[]): boolean;
}

/** Letters are on the front of the cage; if the wall there is too narrow, on its right side. */
const AXES = [1, 0] as const;

/**
 * The plate for a text in the middle of the front wall or, if that wall has too little room, of the right wall. The letters are as large as
 * fit. Throws OPERATION_FAILED for a text that does not fit at all, or that the font cannot write.
 */
export async function planLabelPlate(plan: readonly AxisPlan[], text: string): Promise<LabelPlate> {
  const up = plan[2];
  const { region } = await layOutText(text, 1);
  // The line is centred on half the height of its capitals: its larger extent from the centre counts twice.
  const extent = ([least, most]: readonly [number, number]): number => 2 * Math.max(-least, most);
  const [wide, high] = [extent(coordinateRange(region, 0)), extent(coordinateRange(region, 1))];
  for (const [axis, capMm] of AXES.flatMap((axis) => CAP_HEIGHTS_MM.map((capMm) => [axis, capMm] as const))) {
    const fontSizeMm = (capMm * UNITS_PER_EM) / CAP_HEIGHT;
    const across = plan[1 - axis];
    const [from, to] = [across, up].map((one, i) => filledSpan(one, fontSizeMm * [wide, high][i] + 2 * MARGIN_MM));
    if (!from || !to) continue;
    const min: [number, number, number] = [0, 0, to.fromMm];
    const max: [number, number, number] = [0, 0, to.toMm];
    min[1 - axis] = from.fromMm;
    max[1 - axis] = from.toMm;
    [min[axis], max[axis]] = axis === 1 ? [-Infinity, 0] : [0, Infinity];
    return {
      text,
      fontSizeMm,
      axis,
      openings: from.count * to.count,
      min,
      max,
      covers: (point) => point.every((value, i) => min[i] < value && value < max[i]),
    };
  }
  const needMm = Math.ceil((CAP_HEIGHTS_MM.at(-1)! * UNITS_PER_EM * wide) / CAP_HEIGHT + 2 * MARGIN_MM);
  const widestMm = Math.max(plan[0].lengthMm, plan[1].lengthMm);
  throw operationFailed(
    `The label needs a wall ${needMm} mm wide at least, and the largest of the cage is ${Math.floor(widestMm)} mm wide and ` +
      `${Math.floor(up.lengthMm)} mm high: shorten cage_label, or leave out generate_mesh_label.`,
  );
}

interface Span {
  readonly count: number;
  readonly fromMm: number;
  readonly toMm: number;
}

/** The fewest openings in the middle of an axis that are, with the bars between them, at least `lengthMm` long; undefined if all are shorter. */
function filledSpan({ bars }: AxisPlan, lengthMm: number): Span | undefined {
  const all = bars.length - 1;
  for (let count = 1; count <= all; count++) {
    const first = (all - count) >> 1;
    const [fromMm, toMm] = [bars[first][1], bars[first + count][0]];
    if (toMm - fromMm >= lengthMm) return { count, fromMm, toMm };
  }
  return undefined;
}

/** How far the plate of a round lattice projects beyond the bars outside, and stays within the bars inside, in bar thicknesses. */
const PROUD_SHARE = 0.1;
const SUNK_SHARE = 0.05;

/** The lattice of round bars with the plate: a slab that contains its bars, also where they widen towards the edges. */
export async function uniteWithPlate(
  lattice: Mesh,
  plate: LabelPlate,
  plan: readonly AxisPlan[],
  shape: CageShape,
  progress: Progress,
): Promise<Mesh> {
  const { barThicknessMm, barWidthMm } = shape;
  const faceMm = plan[plate.axis].lengthMm / 2 + PROUD_SHARE * barThicknessMm;
  const insideMm = (plan[plate.axis].lengthMm - edgeBarMm(shape)) / 2 - (0.5 - SUNK_SHARE) * barThicknessMm;
  const side = outwardSide(plate);
  const faces = side > 0 ? [insideMm, faceMm] : [-faceMm, -insideMm];
  const corner = (end: 0 | 1): Vec3 => {
    const sign = end === 0 ? -1 : 1;
    const at = (end === 0 ? plate.min : plate.max).map((value) => value + (sign * barWidthMm) / 2);
    at[plate.axis] = faces[end];
    return [at[0], at[1], at[2]];
  };
  const surface = await union([lattice, boxSurface({ min: corner(0), max: corner(1) })], progress.part(0, 0.5));
  return meshFromBoolean(surface, progress.part(0.5, 1));
}

const outwardSide = ({ axis }: Pick<LabelPlate, "axis">): 1 | -1 => (axis === 1 ? -1 : 1);

/** The lattice with the text raised from its plate, which is on the outermost face of the wall. */
export async function embossPlate(
  lattice: Mesh,
  plate: LabelPlate,
  progress: Progress,
): Promise<{ readonly mesh: Mesh; readonly letters: LetterPlane }> {
  const side = outwardSide(plate);
  const { axis } = plate;
  const letters: LetterPlane = { axis, side, atMm: (side < 0 ? lattice.box.min : lattice.box.max)[axis] };
  const position: [number, number, number] = [0, 0, 0].map((_, i) =>
    i === axis ? letters.atMm : (plate.min[i] + plate.max[i]) / 2,
  ) as [number, number, number];
  const normal: Vec3 = plate.axis === 1 ? [0, side, 0] : [side, 0, 0];
  const along: Vec3 = plate.axis === 1 ? [1, 0, 0] : [0, 1, 0];
  const { mesh } = await labelMesh(
    {
      mesh: lattice,
      text: plate.text,
      placement: { position, along, normal },
      fontSizeMm: plate.fontSizeMm,
      depthMm: RAISED_MM,
      mode: "EMBOSS",
    },
    progress,
  );
  return { mesh, letters };
}
