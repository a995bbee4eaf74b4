import { ENTRIES } from "../../catalog/catalog.ts";
import { type PowderProfile, profileOf } from "../../catalog/profile.ts";
import type { PrinterType } from "../../catalog/setting.ts";
import type { PowderDevice } from "../device.ts";
import type { Moment } from "./moment.ts";

const ROOM_C = 22;
/** Invented: the powder that a fresh printer has, and gets again when it is used up. */
const CREDIT_G = 12_000;

type Supply = Pick<PowderDevice, "bed_temperature_c" | "powder_level" | "powder_credit_g">;

/** What a virtual powder printer tells of its bed and powder. The bed is heated evenly, and cools evenly. */
export function powderSupply(printerType: PrinterType, moment: Moment): Supply {
  const profile = profileFor(printerType, moment.materialCode);
  const usedG = moment.usedMl * profile.densityGPerMl;
  const left = 1 - (usedG % CREDIT_G) / CREDIT_G;
  return {
    bed_temperature_c: bedTemperatureC(profile, moment),
    powder_level: `${Math.ceil(left * 100)} % full`,
    powder_credit_g: left * CREDIT_G,
  };
}

function bedTemperatureC({ bedTemperatureC, removalTemperatureC }: PowderProfile, { print }: Moment): number {
  if (!print) return ROOM_C;
  const { phase, share } = print.progress;
  if (phase === "preparing") return ROOM_C + (bedTemperatureC - ROOM_C) * share;
  return phase === "cooling" ? bedTemperatureC + (removalTemperatureC - bedTemperatureC) * share : bedTemperatureC;
}

/** Temperatures and densities do not depend on the other choices of a setting. */
function profileFor(printerType: PrinterType, materialCode: string): PowderProfile {
  const ofType = ENTRIES.filter((entry) => entry.printerType === printerType);
  const { combination } = ofType.find((entry) => entry.combination.materialCode === materialCode) ?? ofType[0];
  return profileOf({ combination, printerType }) as PowderProfile;
}
