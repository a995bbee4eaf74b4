import type { CartridgeData } from "../device.ts";
import type { Moment } from "./moment.ts";

/** A cartridge of the smaller machines holds a litre. */
const CARTRIDGE_ML = 1000;

/** The cartridge in a virtual printer. One that is used up is replaced by the next. */
export function cartridgeData(id: string, { materialCode, usedMl }: Moment): CartridgeData {
  const usedUp = Math.floor(usedMl / CARTRIDGE_ML);
  return {
    [`${id}-cartridge-${materialCode}-${usedUp + 1}`]: {
      materialCode,
      cartridgeEstimatedVolumeDispensed_mL: usedMl - usedUp * CARTRIDGE_ML,
      cartridgeOriginalVolume_mL: CARTRIDGE_ML,
    },
  };
}
