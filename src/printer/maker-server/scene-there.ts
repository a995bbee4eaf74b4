import * as v from "valibot";
import { canonicalMachineType } from "../../catalog/catalog.ts";
import { isSameThickness, parseLayerThickness } from "../../catalog/setting.ts";
import { operationFailed } from "../../core/api-error.ts";
import { lenient } from "../polled/lenient.ts";
import { MachineRefusal } from "../polled/machine.ts";
import type { MakerCalls } from "./maker-calls.ts";
import { type BoxOnWire, type ModelFile, type SceneSettings, boxOnWire } from "./models-archive.ts";

// The scene of a job on the server of the maker.

const modelReply = v.object({ id: v.string(), position: boxOnWire.entries.min_corner, bounding_box: boxOnWire });

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

export const pathOf = (scene: string): string => `/scene/${encodeURIComponent(scene)}/`;

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
  const imported = await calls
    .run(`${pathOf(scene)}import-model/`, body, modelReply, signal, report)
    .catch((thrown: unknown) => {
      if (!(thrown instanceof MachineRefusal)) throw thrown;
      throw operationFailed(`${JSON.stringify(file)}, as the server sees it, is not imported: ${thrown.message}`);
    });
  if (isInPlace(imported.bounding_box, model.box)) return;
  const canMove = isInPlace(sizeAsBox(imported.bounding_box), sizeAsBox(model.box));
  const found = canMove ? await moveToPlace(calls, scene, imported, model.box, signal) : imported;
  if (isInPlace(found.bounding_box, model.box)) return;
  throw operationFailed(
    `the model ${JSON.stringify(model.name)} is at ${spanOf(found.bounding_box)} there instead of ${spanOf(model.box)}: ` +
      "export the scene with /v1/scene/export/, and print that with the maker's program",
  );
}

/** Moves a model so that the lower corner of its box is in its place. Returns the model as it is then. */
async function moveToPlace(
  calls: MakerCalls,
  scene: string,
  { id, position, bounding_box: { min_corner } }: ModelThere,
  box: BoxOnWire,
  signal: AbortSignal,
): Promise<ModelThere> {
  const moved = combined(position, combined(box.min_corner, min_corner, subtract), add);
  const path = `${pathOf(scene)}models/${encodeURIComponent(id)}/`;
  await calls.order("POST", path, signal, { position: moved });
  return calls.read(path, modelReply, signal);
}

type Corner = BoxOnWire["min_corner"];
const AXES = ["x", "y", "z"] as const;

const combined = (a: Corner, b: Corner, combine: (a: number, b: number) => number): Corner => ({
  x: combine(a.x, b.x),
  y: combine(a.y, b.y),
  z: combine(a.z, b.z),
});
const add = (a: number, b: number): number => a + b;
const subtract = (a: number, b: number): number => a - b;

const areNear = (a: Corner, b: Corner): boolean => AXES.every((axis) => Math.abs(a[axis] - b[axis]) <= TOLERANCE_MM);

const isInPlace = (found: BoxOnWire, box: BoxOnWire): boolean =>
  areNear(found.min_corner, box.min_corner) && areNear(found.max_corner, box.max_corner);

/** The box, moved with its lower corner to the origin. */
const sizeAsBox = ({ min_corner, max_corner }: BoxOnWire): BoxOnWire => ({
  min_corner: { x: 0, y: 0, z: 0 },
  max_corner: combined(max_corner, min_corner, subtract),
});

const spanOf = ({ min_corner, max_corner }: BoxOnWire): string =>
  `${AXES.map((axis) => `${axis} ${min_corner[axis].toFixed(3)} to ${max_corner[axis].toFixed(3)}`).join(", ")} mm`;

/** Deletes a scene, which may be missing. */
export async function deleteScene(calls: MakerCalls, scene: string, signal: AbortSignal): Promise<void> {
  try {
    await calls.order("DELETE", pathOf(scene), signal);
  } catch (thrown) {
    if (!(thrown instanceof MachineRefusal)) throw thrown;
    // The interface has one status for all errors: a scene that the server does not describe is missing.
    const isMissing = await calls.order("GET", pathOf(scene), signal).then(
      () => false,
      (refusal: unknown) => refusal instanceof MachineRefusal,
    );
    if (!isMissing) throw thrown;
  }
}
