import { signal } from "@preact/signals";
import { counted } from "../../core/quantities.ts";
import type { MadePlan, PlanPlate } from "../server/replies.ts";
import { notify } from "./notices.ts";
import { refresh, showScene } from "./project.ts";
import { callEndpoint, runTask } from "./tasks.ts";

/** A plan that is shown, with the name of its file. */
export interface ShownPlan extends MadePlan {
  readonly name: string;
}

export const shownPlan = signal<ShownPlan | undefined>(undefined);

/** Shows a plan, or makes one of the orders in a file of `printwright plan`. Says so if the file is neither. */
export async function openPlanFile(file: File): Promise<void> {
  const { name } = file;
  const given = await parsed(file);
  if (isPlan(given)) {
    shownPlan.value = { ...given, name };
    return;
  }
  if (typeof given !== "object" || given === null || !("orders" in given)) {
    const text = `${name} holds neither orders nor a plan: it needs {"orders": […], "printers": […]}.`;
    notify({ severity: "error", text });
    return;
  }
  const outcome = await runTask(`Plan ${name}`, (context) =>
    callEndpoint<MadePlan>("/v1/plan/create/", given, context),
  );
  if (outcome) shownPlan.value = { ...outcome.result, name };
}

async function parsed(file: File): Promise<unknown> {
  try {
    return JSON.parse(await file.text());
  } catch {
    return undefined;
  }
}

/** Whether a value has what the page shows of a plan. */
const isPlan = (given: unknown): given is MadePlan =>
  typeof given === "object" &&
  given !== null &&
  ["plates", "late", "unplaced", "split_groups"].every((key) => Array.isArray((given as Record<string, unknown>)[key]));

/** Whether a plate of a plan is a powder chamber. */
export const isChamber = ({ height_mm }: PlanPlate): boolean => height_mm !== undefined;

export const plateName = (plate: PlanPlate): string => `${isChamber(plate) ? "Chamber" : "Plate"} ${plate.plate}`;

/** Makes the scene of a plate and shows it; the plan closes. */
export async function openPlate(plate: PlanPlate): Promise<void> {
  const { machine_type, material_code, print_setting, layer_thickness_mm, parts } = plate;
  const title = plateName(plate);
  const outcome = await runTask(`Open ${title.toLowerCase()}`, (context) =>
    callEndpoint<{ scene_id: string; warnings?: readonly string[] }>(
      "/v1/plan/open/",
      { machine_type, material_code, print_setting, layer_thickness_mm, name: title, parts },
      context,
    ),
  );
  if (!outcome) return;
  const { scene_id, warnings = [] } = outcome.result;
  shownPlan.value = undefined;
  await refresh();
  showScene(scene_id);
  notify({
    severity: warnings.length > 0 ? "warning" : "success",
    text: `${title} with ${counted(parts.length, "part")} was opened.`,
    details: warnings,
    sceneId: scene_id,
  });
}
