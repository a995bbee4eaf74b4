import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type BenchServer, RESIN, processorMs } from "./measure.ts";
import { MODEL_FILES } from "./models.ts";

/** A request that takes seconds and is divided into chunks, on the part of 36,000 facets. */
export interface LongRequest {
  readonly name: string;
  readonly path: string;
  readonly layerThicknessMm: number;
  /** The body without the id of its scene. */
  readonly bodyIn: (folder: string) => object;
}

export const LONG_REQUESTS: readonly LongRequest[] = [
  {
    name: "job",
    path: "/v1/scene/export/",
    layerThicknessMm: 0.025,
    bodyIn: (folder) => ({ file: join(folder, `${crypto.randomUUID()}.printjob`) }),
  },
  {
    name: "thin features",
    path: "/v1/scene/model/validate/thin-features/",
    layerThicknessMm: 0.05,
    bodyIn: () => ({ threshold_mm: 1 }),
  },
  {
    name: "supportedness",
    path: "/v1/scene/model/validate/supportedness/",
    layerThicknessMm: 0.025,
    bodyIn: () => ({}),
  },
  { name: "supports", path: "/v1/scene/model/auto-support/", layerThicknessMm: 0.05, bodyIn: () => ({}) },
];

/** These, and long operations that no chunks share. */
export const CANCELLED_REQUESTS: readonly LongRequest[] = [
  ...LONG_REQUESTS,
  { name: "cups", path: "/v1/scene/model/validate/cups/", layerThicknessMm: 0.025, bodyIn: () => ({}) },
  { name: "minima", path: "/v1/scene/model/validate/minima/", layerThicknessMm: 0.025, bodyIn: () => ({}) },
  { name: "hollow", path: "/v1/scene/model/hollow/", layerThicknessMm: 0.05, bodyIn: () => ({ wall_thickness_mm: 2 }) },
  { name: "orientation", path: "/v1/scene/model/auto-orient/", layerThicknessMm: 0.05, bodyIn: () => ({}) },
];

/** Each preparation turns the part by one more of these, so that no result is known from an earlier request. */
const TURN_DEG = 0.37;
let turns = 0;
const LIFT_MM = 2;

/** A new scene with the part in a new orientation, and the request for it. `end` deletes the scene. */
export async function prepareLongRequest(
  { path, layerThicknessMm, bodyIn }: LongRequest,
  folder: string,
  { call, post }: BenchServer,
) {
  const { scene_id } = await post("/v1/scene/create/", { ...RESIN, layer_thickness_mm: layerThicknessMm });
  await post("/v1/scene/model/import/", { scene_id, file: MODEL_FILES["908460"] });
  await post("/v1/scene/model/orient/", { scene_id, orientation: { x: TURN_DEG * ++turns, y: 20, z: 0 } });
  const [{ position, bounding_box: box }] = (await post("/v1/scene/model/list/", { scene_id })).models;
  await post("/v1/scene/model/translate/", {
    scene_id,
    position: { x: 0, y: 0, z: position.z - box.min_corner.z + LIFT_MM },
  });
  const body = { scene_id, ...bodyIn(folder) };
  return {
    send: (): Promise<unknown> => post(path, body),
    /** Starts an operation and returns its id. */
    begin: async (): Promise<string> => (await call("POST", `${path}?async=true`, body)).body.operation_id,
    end: (): Promise<unknown> => call("DELETE", "/v1/scene/delete/", { scene_id }),
  };
}

const LOOK_MS = 10;
/** Without work, the process takes less processor time than one tick in this time. */
const QUIET_MS = 80;

/** Milliseconds until the process takes no more processor time. */
export async function quietAfterMs(pid: number): Promise<number> {
  const began = performance.now();
  let [usedMs, changed] = [processorMs(pid), began];
  while (performance.now() - changed < QUIET_MS) {
    await sleep(LOOK_MS);
    const now = processorMs(pid);
    if (now > usedMs) [usedMs, changed] = [now, performance.now()];
  }
  return changed - began;
}
