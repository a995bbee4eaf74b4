import { profileOf } from "../../catalog/profile.ts";
import type { Setting } from "../../catalog/setting.ts";
import { type PrintTime, printTime } from "../../slice/print-time.ts";

/** Thickness of adaptive layers for the estimate: that of most of them. */
const ADAPTIVE_MM = 0.1;

/** Time of a print by its height: each layer has the mean area of the parts. */
export function platePrintTime(setting: Setting, heightMm: number, volumeMm3: number): PrintTime {
  const given = setting.combination.layerThicknessMm;
  const layerMm = typeof given === "number" ? given : ADAPTIVE_MM;
  const count = Math.max(1, Math.ceil(heightMm / layerMm));
  return printTime(profileOf(setting), {
    boundariesMm: Float64Array.from({ length: count + 1 }, (_, k) => k * layerMm),
    areasMm2: new Float64Array(count).fill(volumeMm3 / (count * layerMm)),
    perimetersMm: new Float64Array(count),
  });
}
