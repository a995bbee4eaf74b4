import * as v from "valibot";
import { MAX_COORDINATE_MM } from "../../core/units.ts";

export const finite = v.pipe(v.number(), v.finite());
export const coordinate = v.pipe(finite, v.minValue(-MAX_COORDINATE_MM), v.maxValue(MAX_COORDINATE_MM));
export const position = v.object({ x: coordinate, y: coordinate, z: coordinate });
export const meshHash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, "expected 64 hexadecimal digits"));
