import * as v from "valibot";
import { canonicalMachineType } from "../../catalog/catalog.ts";
import { isSameThickness, parseLayerThickness } from "../../catalog/setting.ts";
import { operationFailed } from "../../core/api-error.ts";
import { lenient } from "../polled/lenient.ts";
import { MachineRefusal } from "../polled/machine.ts";
import type { MakerCalls } from "./maker-calls.ts";
import type { ModelFile, SceneSettings } from "./models-archive.ts";

// The scene of a job on the server of the maker.

const corner = v.object({ x: v.number(), y: v.number(), z: v.number() });

const modelReply = v.object({
  id: v.string(),
  position: corner,
  bounding_box: v.object({ min_corner: corner, max_corner: corner }),
});

type ModelThere = v.InferOutput<typeof modelReply>;

const sceneReply = v.object({
  id: v.string(),
  scene_settings: v.object({
    machine_type: v.string(),
    material_code: v.string(),
    print_setting: lenient(v.string()),
    layer_thickness_mm: v.union([v.string(), v.number()]),
  }),
});

type SettingsThere = v.InferOutput<typeof sceneReply>["scene_settings"];

/** Makes a scene with these settings, or with those of a file there. Returns its id, and what it has instead of the settings. */
export async function makeScene(
  calls: MakerCalls,
  settings: SceneSettings,
  fpsFile: string | undefined,
  signal: AbortSignal,
): Promise<{ readonly id: string; readonly difference: string | undefined }> {
  const { layer_thickness_mm } = settings;
  const numeric = { ...settings, layer_thickness_mm: parseLayerThickness(layer_thickness_mm) };
  const body = fpsFile === undefined ? numeric : { fps_file: fpsFile };
  const { id, scene_settings } = await calls.post("/scene/", body, sceneReply, signal);
  return { id, difference: differenceOf(settings, scene_settings, fpsFile !== undefined) };
}

/** The first setting that differs; the print setting of an own file has any name there. */
function differenceOf(wanted: SceneSettings, found: SettingsThere, isCustom: boolean): string | undefined {
  const thicknesses = [wanted, found].map((one) => parseLayerThickness(one.layer_thickness_mm));
  const isSame: Readonly<Record<keyof SceneSettings, boolean>> = {
    machine_type: canonicalMachineType(found.machine_type) === wanted.machine_type,
    material_code: found.material_code === wanted.material_code,
    print_setting: isCustom || (found.print_setting ?? wanted.print_setting) === wanted.print_setting,
    layer_thickness_mm: isSameThickness(thicknesses[0] ?? NaN, thicknesses[1] ?? NaN),
  };
  const differing = (Object.keys(isSame) as (keyof SceneSettings)[]).find((key) => !isSame[key]);
  if (differing === undefined) return undefined;
  return `its scene has the ${differing} ${JSON.stringify(found[differing])} instead of ${JSON.stringify(wanted[differing])}`;
}

/**
 * The largest distance of a box from its place, mm: far below the pixels and layers of the machines, and above the rounding of coordinates
 * in single precision.
 */
const TOLERANCE_MM = 0.01;

/**
 * Imports a model into a scene and checks its box; a model that was moved is put back once. `file` is its path there. Throws
 * OPERATION_FAILED where it is elsewhere or of another size.
 */
export async function importModel(
  calls: MakerCalls,
  scene: string,
  file: string,
  model: Pick<ModelFile, "name" | "box">,
  signal: AbortSignal,
  report: (progress: number) => void,
): Promise<void> {
  const body = {
    file,
    name: model.name,
    // The file is closed already, and a repair there could close its cavities.
    repair_behavior: "IGNORE",
    units: "MILLIMETERS",
  };
  const imported = await calls.run(`/scene/${scene}/import-model/`, body, modelReply, signal, report);
  if (distanceMm(model.box, imported) <= TOLERANCE_MM) return;
  const place = `/scene/${scene}/models/${imported.id}/`;
  await calls.order("POST", place, signal, { position: movedPosition(model.box, imported) });
  const moved = await calls.read(place, modelReply, signal);
  if (distanceMm(model.box, moved) <= TOLERANCE_MM) return;
  throw operationFailed(
    `the model ${JSON.stringify(model.name)} is at ${spanOf(boxOf(moved))} there instead of ${spanOf(model.box)}: ` +
      "export the scene with /v1/scene/export/, and print that with the maker's program",
  );
}

type Box = ModelFile["box"];
const AXES = ["x", "y", "z"] as const;

const boxOf = ({ bounding_box: { min_corner: a, max_corner: b } }: ModelThere): Box => ({
  min: [a.x, a.y, a.z],
  max: [b.x, b.y, b.z],
});

function distanceMm(box: Box, model: ModelThere): number {
  const found = boxOf(model);
  const distances = AXES.flatMap((_, axis) => [found.min[axis]! - box.min[axis]!, found.max[axis]! - box.max[axis]!]);
  return Math.max(...distances.map(Math.abs));
}

/** The position with which the lower corner of the box is in its place. */
function movedPosition(box: Box, model: ModelThere): Readonly<Record<string, number>> {
  const { min } = boxOf(model);
  return Object.fromEntries(AXES.map((axis, i) => [axis, model.position[axis] + box.min[i]! - min[i]!]));
}

const spanOf = ({ min, max }: Box): string =>
  `${AXES.map((axis, i) => `${axis} ${min[i]!.toFixed(2)} to ${max[i]!.toFixed(2)}`).join(", ")} mm`;

/** Deletes a scene, which may be missing. */
export async function deleteScene(calls: MakerCalls, scene: string, signal: AbortSignal): Promise<void> {
  try {
    await calls.order("DELETE", `/scene/${scene}/`, signal);
  } catch (thrown) {
    if (!(thrown instanceof MachineRefusal)) throw thrown;
    // The interface has one status for all errors: a scene that the server does not describe is missing.
    const isMissing = await calls.order("GET", `/scene/${scene}/`, signal).then(
      () => false,
      (refusal: unknown) => refusal instanceof MachineRefusal,
    );
    if (!isMissing) throw thrown;
  }
}
