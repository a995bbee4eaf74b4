import type { Calls, StagedCalls } from "./calls.ts";
import { listModels } from "../feature/models/endpoint.ts";
import { getScene } from "../feature/scenes/endpoint.ts";
import { pick } from "./body.ts";
import type { RowRequest } from "./row.ts";
import { must } from "../core/must.ts";

// Converts answers of `/v1/` to answers of the 0.9 interface.

/** A model or scene as `/v1/` describes it; clients of 0.9 ignore fields that they do not know. */
type Description = Readonly<Record<string, unknown>>;

export interface SceneAnswer extends Description {
  readonly id: string;
  readonly models: readonly Description[];
}

/** A model of 0.9, which has no lock that allows flips: such a lock becomes the lock of 0.9 that allows the same otherwise. */
const modelAnswer = (model: Description): Description =>
  model.lock === "LOCKED_XY_FLIP_ENABLED" ? { ...model, lock: "LOCKED_XY_ROTATION_FREE_TRANSLATION" } : model;

export const sceneAnswer = (scene: SceneAnswer): SceneAnswer => ({ ...scene, models: scene.models.map(modelAnswer) });

/** The scene after the calls so far. */
export const sceneNow = async (calls: Calls, scene_id: string): Promise<SceneAnswer> =>
  sceneAnswer(await calls.call<SceneAnswer>(getScene, { scene_id }));

/** The answer of rows that answer with their scene. */
export const withScene = (_: unknown, calls: Calls, { sceneId }: RowRequest): Promise<SceneAnswer> =>
  sceneNow(calls, sceneId);

/** The model after the calls so far. */
export async function modelNow(calls: Calls, scene_id: string, id: string): Promise<Description> {
  const { models } = await calls.call<{ models: Description[] }>(listModels, { scene_id, model_ids: [id] });
  return modelAnswer(must(models[0], "the model"));
}

/** The id of the default scene. */
export const defaultSceneId = ({ server }: StagedCalls): string =>
  must(server.store.read().scenes[0], "the default scene").id;

export interface Notices {
  readonly warnings: readonly string[];
  readonly infos: readonly string[];
}

/** The answer of rows that answer with the warnings and infos of their action. */
export const noticesOf = (answer: Partial<Notices> | undefined): Notices => ({
  warnings: answer?.warnings ?? [],
  infos: answer?.infos ?? [],
});

/** Fields of every variant of a device. Clients recognise the generic variant by exactly these. */
interface DeviceDescription extends Description {
  readonly id: string;
}

/**
 * A device with the fields of the generic variant only, since clients of 0.9 refuse a device that matches two variants. The additional
 * fields that they read of a queue, its id for printing and its machine types, do not complete another variant.
 */
export const deviceAnswer = (device: DeviceDescription): Description => ({
  id: device.id,
  product_name: device.product_name,
  status: device.status,
  is_connected: device.is_connected,
  connection_type: device.connection_type ?? "",
  ip_address: device.ip_address ?? "",
  firmware_version: device.firmware_version,
  ...pick<Description>(device, "ready_to_print_now", "dashboard_queue_id", "supported_machine_type_ids"),
});

export interface DevicesAnswer {
  readonly count: number;
  readonly devices: readonly DeviceDescription[];
}

export const devicesAnswer = ({ count, devices }: DevicesAnswer) => ({ count, devices: devices.map(deviceAnswer) });
