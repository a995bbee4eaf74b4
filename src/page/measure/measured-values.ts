import { shortNumber } from "../../core/quantities.ts";
import { AXIS_INDICES, type Vec3, distance, subtract } from "../../geometry/vector.ts";
import { AXIS_NAMES } from "../view/axes.ts";
import type { Feature } from "./features.ts";
import type { Measure } from "./measure.ts";

/** A value for people, with its unit. */
export interface MeasuredValue {
  readonly name: string;
  readonly value: string;
}

/** Thousandths of a millimetre: coordinates are not more exact. */
const millimetres = (mm: number): string => `${shortNumber(mm, 3)} mm`;
export const degreesText = (degrees: number): string => `${shortNumber(degrees, 2)}°`;

const placeText = (point: Vec3): string => `${point.map((value) => shortNumber(value, 3)).join(", ")} mm`;

/** What a person would call the feature. */
export const FEATURE_NAMES: Readonly<Record<Feature["kind"], string>> = {
  corner: "Corner",
  place: "Place",
  edge: "Edge",
  circle: "Circle",
  face: "Face",
};

/** Length that "Make this 25 mm" can change: of an edge, or across a circle; mm. */
export const lengthOfFeature = (feature: Feature): number | undefined => {
  if (feature.kind === "edge") return distance(feature.from, feature.to);
  return feature.kind === "circle" ? 2 * feature.radius : undefined;
};

/** The values of one feature, the most important first. */
export function valuesOfFeature(feature: Feature): MeasuredValue[] {
  switch (feature.kind) {
    case "edge":
      return [
        { name: "Length", value: millimetres(distance(feature.from, feature.to)) },
        ...partsOf([feature.from, feature.to]),
      ];
    case "circle":
      return [
        { name: "Diameter", value: millimetres(2 * feature.radius) },
        { name: "Centre", value: placeText(feature.centre) },
      ];
    case "face":
      return [{ name: "Area", value: `${shortNumber(feature.area, 2)} mm²` }];
    default:
      return [{ name: "Place", value: placeText(feature.point) }];
  }
}

/** The values of two features together, the most important first. */
export function valuesOfMeasure({ line, angleDeg }: Measure): MeasuredValue[] {
  const distances = line ? [{ name: "Distance", value: millimetres(distance(...line)) }, ...partsOf(line)] : [];
  const angle = angleDeg === undefined ? [] : [{ name: "Angle", value: degreesText(angleDeg) }];
  return line && angleDeg === 0 ? [...distances, { name: "Angle", value: "parallel" }] : [...distances, ...angle];
}

const partsOf = ([from, to]: readonly [Vec3, Vec3]): MeasuredValue[] => {
  const by = subtract(to, from);
  return AXIS_INDICES.map((axis) => ({
    name: `Along ${AXIS_NAMES[axis]}`,
    value: millimetres(Math.abs(by[axis])),
  }));
};
