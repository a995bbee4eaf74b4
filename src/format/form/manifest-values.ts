import * as v from "valibot";
import type { Vec3 } from "../../core/geometry.ts";
import { MAX_COORDINATE_MM } from "../../core/units.ts";

export const finite = v.pipe(v.number(), v.finite());
export const coordinate = v.pipe(finite, v.minValue(-MAX_COORDINATE_MM), v.maxValue(MAX_COORDINATE_MM));
export const position = v.object({ x: coordinate, y: coordinate, z: coordinate });

export const toPosition = ([x, y, z]: Vec3): v.InferOutput<typeof position> => ({ x, y, z });
/** −0 is read as 0. */
export const fromPosition = ({ x, y, z }: v.InferOutput<typeof position>): Vec3 => [x + 0, y + 0, z + 0];

export const meshHash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, "expected 64 hexadecimal digits"));
