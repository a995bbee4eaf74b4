import { setTimeout as sleep } from "node:timers/promises";
import { startPrintwright } from "../fixture/printwright.ts";
import { bumpySphereFile } from "./bumpy-sphere.ts";
import { mib, residentBytes, type Row } from "./measure.ts";

const FACETS = 1_000_000;
const MODELS = 4;
const COPIES = 1000;
/** Long enough for idle workers to be ended and their memory to go back to the system. */
const REST_MS = 12_000;

/** Resident memory at rest for each triangle held, and for each copy of a model. */
export async function benchMemory(): Promise<Row[]> {
  const printwright = await startPrintwright();
  const scene_id = (await printwright.call("GET", "/v1/scene/list/")).body.scenes[0].id;
  const empty = residentBytes(printwright.pid);
  let triangles = 0;
  for (let model = 0; model < MODELS; model++) {
    await printwright.post("/v1/scene/model/import/", { scene_id, file: bumpySphereFile(FACETS, model) });
    triangles += FACETS;
  }
  await sleep(REST_MS);
  const held = residentBytes(printwright.pid);
  await printwright.post("/v1/scene/model/duplicate/", { scene_id, count: COPIES });
  await sleep(REST_MS);
  const copied = residentBytes(printwright.pid);
  await printwright.stop();
  const perTriangle = (held - empty) / triangles;
  const perCopy = (copied - held) / (COPIES * MODELS);
  return [
    { what: `memory of ${MODELS} models of 1 M triangles`, ours: `${perTriangle.toFixed(1)} bytes a triangle`, beside: `${mib(empty)} idle, ${mib(held)} at rest`, aim: "≤ 60" },
    { what: `memory of ${COPIES * MODELS} copies of them`, ours: `${(perCopy / 1024).toFixed(1)} KiB a copy`, aim: "no mesh memory" },
  ];
}
