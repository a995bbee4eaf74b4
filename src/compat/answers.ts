import type { Calls, StagedCalls } from "./calls.ts";
import { listModels } from "../feature/models/endpoint.ts";
import { getScene } from "../feature/scenes/endpoint.ts";
import { pick } from "./body.ts";
import type { RowRequest } from "./row.ts";

// Answers of the 0.9 interface, made of those of `/v1/`.

/** A model or scene as `/v1/` describes it; 0.9 clients ignore what they do not know. */
type Description = Readonly<Record<string, unknown>>;

export interface SceneAnswer extends Description {
  readonly id: string;
  readonly models: readonly Description[];
}

/** 0.9 has no lock that allows to flip: what it allows beside is the lock that 0.9 clients take. */
const modelAnswer = (model: Description): Description =>
  model.lock === "LOCKED_XY_FLIP_ENABLED" ? { ...model, lock: "LOCKED_XY_ROTATION_FREE_TRANSLATION" } : model;

export const sceneAnswer = (scene: SceneAnswer): SceneAnswer => ({ ...scene, models: scene.models.map(modelAnswer) });

/** The scene after the calls until now. */
export const sceneNow = async (calls: Calls, scene_id: string): Promise<SceneAnswer> =>
  sceneAnswer(await calls.call<SceneAnswer>(getScene, { scene_id }));

/** For rows that answer with their scene. */
export const withScene = (_: unknown, calls: Calls, { sceneId }: RowRequest): Promise<SceneAnswer> =>
  sceneNow(calls, sceneId);

/** The model after the calls until now. */
export async function modelNow(calls: Calls, scene_id: string, id: string): Promise<Description> {
  const { models } = await calls.call<{ models: Description[] }>(listModels, { scene_id, model_ids: [id] });
  return modelAnswer(models[0]);
}

/** The id of the default scene. */
export const defaultSceneId = ({ server }: StagedCalls): string => server.store.read().scenes[0].id;

export interface Notices {
  readonly warnings: readonly string[];
  readonly infos: readonly string[];
}

/** For rows that answer with what is to be said of their action. */
export const noticesOf = (answer: Partial<Notices> | undefined): Notices => ({
  warnings: answer?.warnings ?? [],
  infos: answer?.infos ?? [],
});

/** Fields of every variant of a device, of which clients take the generic one for exactly these. */
interface DeviceDescription extends Description {
  readonly id: string;
}

/**
 * A device with the fields of the generic variant alone: the clients of 0.9 refuse one that matches two variants. What they read of a
 * queue, the id by which they print on it and the machine types that they offer it for, completes none.
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
