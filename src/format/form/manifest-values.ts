import * as v from "valibot";
import { MAX_COORDINATE_MM } from "../../core/limits.ts";
import type { Vec3 } from "../../geometry/vector.ts";

// Schemas of the values of which a manifest consists.

export const finiteNumber = v.pipe(v.number(), v.finite());
export const nonNegative = v.pipe(finiteNumber, v.minValue(0));
export const positive = v.pipe(finiteNumber, v.gtValue(0));
export const atMost = (max: number) => v.pipe(nonNegative, v.maxValue(max));
export const coordinate = v.pipe(finiteNumber, v.minValue(-MAX_COORDINATE_MM), v.maxValue(MAX_COORDINATE_MM));
export const positionSchema = v.object({ x: coordinate, y: coordinate, z: coordinate });
export const hashSchema = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, "expected 64 hexadecimal digits"));

/** How far the length of a unit vector may be from 1: those of older files were computed in single precision. */
const UNIT_TOLERANCE = 1e-3;
export const isUnit = (...components: readonly number[]): boolean =>
  Math.abs(Math.sqrt(components.reduce((sum, component) => sum + component ** 2, 0)) - 1) <= UNIT_TOLERANCE;

export const directionSchema = v.pipe(
  v.object({ x: finiteNumber, y: finiteNumber, z: finiteNumber }),
  v.check(({ x, y, z }) => isUnit(x, y, z), "expected a direction of length 1"),
);

/** Coordinates of a position, mm. */
export type ManifestPosition = v.InferOutput<typeof positionSchema>;

export const positionOf = ([x, y, z]: Vec3): ManifestPosition => ({ x, y, z });

/** −0 is read as 0. */
export const parsePosition = ({ x, y, z }: ManifestPosition): Vec3 => [x + 0, y + 0, z + 0];
