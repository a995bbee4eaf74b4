import type { PageSetting } from "../../ui/replies.ts";
import { post } from "../server/call.ts";
import { type WrittenFile, saveWritten } from "../server/operation.ts";
import type { FittedResin, PlateToRead } from "../server/replies.ts";
import { parseNumber } from "../widget/quantities.ts";
import { fetchedScene } from "./project.ts";
import { runReading } from "./scene-work.ts";
import { type Outcome, callEndpoint, runTask } from "./tasks.ts";

/** A plate that was written in this browser, and what was read from it so far. A day may pass between both. */
export interface KeptPlate extends PlateToRead {
  /** Printer, material and layer thickness for which it is. */
  readonly key: string;
  /** What was typed, by patch. */
  readonly values: Readonly<Record<string, string>>;
}

const KEY = "printwright.calibration";
const FIT = "/v1/calibration/fit/";

const keyOf = ({ machine_type, material_code, layer_thickness_mm }: PageSetting): string =>
  [machine_type, material_code, layer_thickness_mm].join(" ");

/** The last plate that was written in this browser, if it is for this printer, material and layer thickness. */
export function keptPlate(setting: PageSetting): KeptPlate | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "null") as KeptPlate | null;
    return kept?.key === keyOf(setting) ? kept : undefined;
  } catch {
    return undefined;
  }
}

export const keepPlate = (plate: KeptPlate): void => localStorage.setItem(KEY, JSON.stringify(plate));

/** Writes the job of a plate for the printer and material of the scene, downloads it, and keeps what can be read from it. */
export async function savePlate(setting: PageSetting, options: object): Promise<KeptPlate | undefined> {
  const { id } = fetchedScene();
  const done = await runReading("Save the calibration plate", async (context) => {
    const written = await post<WrittenFile>(`/ui/scene/${id}/calibration-plate/?async=true`, options);
    return saveWritten<PlateToRead>(written, context);
  });
  if (!done) return undefined;
  const plate = { ...done.result, key: keyOf(setting), values: {} };
  keepPlate(plate);
  return plate;
}

/** Computes the figures of the resin from what was read. */
export function fitResin({ plate, values }: KeptPlate, options: object): Promise<Outcome<FittedResin>> {
  const readings = Object.entries(values).flatMap(([patch, text]) => {
    const value = parseNumber(text);
    return value === undefined ? [] : [{ patch, value }];
  });
  return runTask("Calibrate the resin", (context) =>
    callEndpoint<FittedResin>(FIT, { plate, readings, ...options }, context),
  );
}

/** Downloads the file of printers and resins that has the figures. */
export function saveMachines({ machines }: FittedResin): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(
    new Blob([`${JSON.stringify(machines, undefined, 2)}\n`], { type: "application/json" }),
  );
  link.download = "machines.json";
  link.click();
  URL.revokeObjectURL(link.href);
}
