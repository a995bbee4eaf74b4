import { Buffer } from "node:buffer";
import type { JobExposure, JobFacts } from "../job-facts.ts";
import { f32, u16, u32 } from "./fields.ts";
import { DELIMITER, FULL_LIGHT, motionFields } from "./header.ts";
import { liftOf, retractOf, STILL } from "./motion.ts";

/** What stands before a layer's data. */
export const layerHead = (
  facts: JobFacts,
  exposure: JobExposure,
  index: number,
  exposureS: number,
  dataBytes: number,
): Uint8Array =>
  Buffer.concat([
    u16(0), // no pause,
    f32(0), // and no height for one
    f32(facts.boundariesMm[index + 1]),
    f32(exposureS),
    f32(0), // time that the light is off
    f32(exposure.waitBeforeLiftS),
    f32(0), // wait after the lift
    f32(exposure.waitAfterRetractS),
    ...[liftOf(exposure), STILL, retractOf(exposure), STILL].flatMap(motionFields),
    u16(FULL_LIGHT),
    DELIMITER,
    u32(dataBytes),
  ]);
