import { Buffer } from "node:buffer";
import { operationFailed } from "../../core/api-error.ts";
import type { JobFacts } from "../job.ts";
import { BIG_ENDIAN, type Field, u8 } from "../record.ts";

/** Bytes of a line: 13 bits for its first row, 13 for its last one, 14 for its column, and 8 for its value, highest bits first. */
export const LINE_BYTES = 6;
export const MAX_COLUMNS = 2 ** 14;
export const MAX_ROWS = 2 ** 13;

// What writers and readers of `.cxdlp` files share. No description by Creality is public; the layout is that of UVtools.

/** What files of versions 2 and 3, and of version 4, state of an exposure. */
export const CARRIED = ["MOTIONS", "FIRST_LIFT", "WAIT_AFTER_RETRACT", "LIGHT", "FIRST_LIGHT"] as const;
export const CARRIED_BY_4 = [...CARRIED, "STAGES", "WAIT_BEFORE_LIFT", "WAIT_AFTER_LIFT"] as const;

export const MARK = "CXSW3DV2";
export const DELIMITER: Uint8Array = Uint8Array.of(0x0d, 0x0a);

/** UTF-8 behind its number of bytes, in which a zero at the end counts. */
export function countedText(value: string): Field {
  const bytes = new TextEncoder().encode(value);
  return Buffer.concat([BIG_ENDIAN.u32(bytes.length + 1), bytes, u8(0)]);
}

/** Version and machine, at the beginning of files of all versions. Printers refuse files with the code of another machine. */
export const fileMark = (version: number, { printer }: JobFacts): Field =>
  Buffer.concat([countedText(MARK), BIG_ENDIAN.u16(version), countedText(printer.nameInJobs)]);

/** Areas in files have this unit, in mm². */
const AREA_UNIT_MM2 = 1e-3;

/** The area of the largest region of a layer, as files state it. Printers choose the speed of lifts by it (UVtools, change log). */
export const statedArea = ({ printer }: JobFacts, pixels: number): number =>
  Math.min(0xffff_ffff, Math.round((pixels * printer.pixelMm[0] * printer.pixelMm[1]) / AREA_UNIT_MM2));

/** Throws OPERATION_FAILED for lifts of less than `leastMm`: printers refuse files that state 0 (UVtools, issue 1038). */
export function requireLifts({ printer, exposure }: JobFacts, leastMm: number): void {
  const cycles = exposure ? [exposure.firstCycle, exposure.normalCycle] : [];
  if (cycles.every(({ lift }) => lift.stages[0].mm + lift.stages[1].mm >= leastMm)) return;
  throw operationFailed(
    `The ${printer.label} refuses jobs without lifts, and its files state lifts in whole millimetres: set lifts of at least ${leastMm} mm.`,
  );
}
