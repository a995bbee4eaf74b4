import { join } from "node:path";
import type { Endpoint } from "../../../src/api/endpoint.ts";
import { ENDPOINTS } from "../../../src/feature/endpoints.ts";
import type { Reply } from "../../fixture/client.ts";
import type { Random } from "../../fixture/mutated.ts";
import { TEXT_MUTATIONS, mutated } from "../../fixture/mutated.ts";
import {
  BODIES,
  type BodyMutation,
  FILES,
  IDS,
  KEYS,
  NUMBERS,
  QUERIES,
  WORDS,
  mutatedBody,
  resolved,
  writeBodyFiles,
} from "../../fixture/request-bodies.ts";
import { UNKNOWN_ID } from "../../fixture/test-server.ts";
import { assertAnswered, assertEnvelope } from "../answer.ts";
import { type Family, type Lane, type SendInput, pick } from "./family.ts";

/** Fields that make a request wait for a printer. Their defaults are longer than a trial can wait. */
const WAITS: Readonly<Record<string, string>> = {
  "/v1/device/discover/": "timeout_seconds",
  "/v1/scene/print/": "find_printer_timeout_seconds",
};
/** Number of inputs after which a lane makes new scenes. */
const INPUTS_PER_SCENE = 40;
/** Lengths of lists and strings that replace a value; some exceed every limit. */
const LENGTHS = [0, 3, 1000, 20_000, 300_000];

/** Mutated bodies of requests to every endpoint, and bodies that are not JSON. */
export const mutatedBodies: Family = {
  name: "bodies",
  share: 4,
  lanes: 4,
  async open(lane: Lane): Promise<SendInput> {
    const { random, server } = lane;
    const path = (name: string): string => join(server.folder, name);
    let scenes: string[] = [];
    let meanings = { $scene: "", $second: "", $a: "", $b: "", $c: "" };
    let sent = 0;
    async function renew(): Promise<void> {
      // Exports may have overwritten the files.
      await writeBodyFiles(server);
      for (const scene_id of scenes) await lane.call("DELETE", "/v1/scene/delete/", { scene_id });
      scenes = [await server.newScene(), await server.newScene()];
      const models = [];
      for (let model = 0; model < 3; model++) models.push(await server.importOne(scenes[0], path("cube.stl")));
      meanings = { $scene: scenes[0], $second: scenes[1], $a: models[0], $b: models[1], $c: models[2] };
    }
    return async () => {
      if (sent++ % INPUTS_PER_SCENE === 0) await renew();
      const endpoint = pick(ENDPOINTS, random);
      let body: unknown = BODIES[endpoint.path];
      for (let more = 1 + Math.floor(3 * random()); more > 0; more--) body = mutatedBody(body, randomMutation(random));
      const text = JSON.stringify(withoutWaiting(endpoint, resolved(body, meanings, path)));
      const raw = random() < 0.2 ? mutated(new TextEncoder().encode(text), TEXT_MUTATIONS, random) : text;
      lane.note(`${endpoint.method} ${endpoint.path}\n${raw}`);
      const reply = await lane.call(endpoint.method, endpoint.path + pick(QUERIES, random), undefined, raw);
      assertAnswered(reply);
      await keepFewScenes(lane, reply, scenes);
      return reply.status === 202 ? ended(lane, reply) : reply.status;
    };
  },
};

function withoutWaiting({ path }: Endpoint, body: unknown): unknown {
  const field = WAITS[path];
  const seconds = field === undefined ? "" : (body as Record<string, unknown>)[field];
  return seconds === undefined || typeof seconds === "number" ? { ...(body as object), [field]: 0 } : body;
}

function randomMutation(random: Random): BodyMutation {
  const kind = pick(["swap", "swap", "swap", "swap", "replace", "remove", "add"] as const, random);
  return { kind, pick: Math.floor(100_000 * random()), value: randomValue(random) };
}

function randomValue(random: Random): unknown {
  const leaf = pick<unknown>([...IDS, ...WORDS, ...FILES, ...NUMBERS, UNKNOWN_ID, null, true, false], random);
  const length = random() < 0.02 ? pick(LENGTHS, random) : Math.floor(4 * random());
  switch (Math.floor(6 * random())) {
    case 0:
      return Array.from({ length }, () => leaf);
    case 1:
      return Object.fromEntries(Array.from({ length }, (_, i) => [KEYS[i] ?? `key ${i}`, leaf]));
    case 2:
      return "x".repeat(length);
    default:
      return leaf;
  }
}

/** Deletes scenes that a request created, and forgets those that it deleted. */
async function keepFewScenes(lane: Lane, { body }: Reply, own: readonly string[]): Promise<void> {
  const created = body?.scene_id === undefined ? (body?.scenes ?? []) : [body];
  for (const { scene_id } of created as { scene_id?: string }[]) {
    if (scene_id !== undefined && !own.includes(scene_id)) await lane.call("DELETE", "/v1/scene/delete/", { scene_id });
  }
}

/** The status of the request that began an operation, after the end of the operation. */
async function ended(lane: Lane, { body: { operation_url } }: Reply): Promise<number> {
  for (;;) {
    const reply = await lane.call("GET", `${operation_url}&mode=oneshot`);
    assertAnswered(reply);
    // Another lane may have deleted or fetched the operation.
    if (reply.status !== 200 || reply.body.status === "SUCCEEDED") return reply.status;
    if (reply.body.status !== "FAILED") continue;
    assertEnvelope(reply.body.result);
    return 400;
  }
}
