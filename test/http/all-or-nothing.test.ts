import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Endpoint } from "../../src/api/endpoint.ts";
import { ENDPOINTS } from "../../src/feature/endpoints.ts";
import { openApi } from "../../src/api/openapi.ts";
import type { Reply } from "../fixture/client.ts";
import { someAccount, writePrintersFile } from "../fixture/printers-file.ts";
import { fc } from "../fixture/property.ts";
import {
  BODIES,
  type BodyMutation,
  FILES,
  IDS,
  KEYS,
  MANUAL,
  NUMBERS,
  POWDER_ONLY,
  QUERIES,
  WORDS,
  mutatedBody,
  resolved,
  writeBodyFiles,
} from "../fixture/request-bodies.ts";
import { POWDER, type TestServer, bodyOf, codeOf, codeOfEnvelope, openTestServer } from "../fixture/test-server.ts";
import { slowRuns } from "../fixture/long.ts";

// Interface, "Errors"; supplement, section 1: "All or nothing".

const RUNS_PER_ENDPOINT = 60;
/** Endpoints with slow runs: the long suite makes half as many runs of each of them; the plain suite makes one run of each endpoint. */
const SLOW: ReadonlySet<string> = new Set([
  "/v1/calibration/plate/",
  "/v1/scene/print/",
  "/v1/scene/prepare/",
  "/v1/scene/export/",
  "/v1/scene/render/",
  "/v1/scene/model/auto-layout/",
  "/v1/scene/model/auto-pack/",
  "/v1/scene/model/auto-support/",
  "/v1/scene/model/cage/",
  "/v1/scene/model/cut/",
  "/v1/scene/model/dental-hollow/",
  "/v1/scene/model/drill/",
  "/v1/scene/model/fill-build-chamber/",
  "/v1/scene/model/fill-build-platform/",
  "/v1/scene/model/hollow/",
  "/v1/scene/model/label/",
  "/v1/scene/model/regenerate-supports/",
  "/v1/scene/model/validate/cups/",
  "/v1/scene/model/vent/",
  "/v1/scene/model/auto-drain/",
  "/v1/scene/model/validate/thin-features/",
]);
const MAX_SCENES = 6;
const HANG = { timeout: 300_000 };
/** With more models the scene is emptied, to keep the runs quick. */
const MANY_MODELS = 25;

const jobs = mkdtempSync(join(tmpdir(), "printwright-jobs-"));
const PRINTER = "FORM-4-0=a printer";
const PRINTERS = join(jobs, "printers.json");
let server: TestServer;
before(async () => {
  writePrintersFile(PRINTERS, { accounts: [await someAccount("ann")] });
  const printers = ["--virtual-printer", PRINTER, "--job-dir", jobs, "--printers", PRINTERS];
  server = await openTestServer(["--max-scenes", String(MAX_SCENES), ...printers]);
  await writeBodyFiles(server);
});
after(async () => {
  await server.close();
  rmSync(jobs, { recursive: true });
});

const path = (name: string): string => join(server.folder, name);
const scenes = async (): Promise<Reply["body"][]> =>
  bodyOf(await server.printwright.call("GET", "/v1/scene/list/")).scenes;
const defaultScene = async (): Promise<string> => (await scenes())[0].id;
const files = (): string[] =>
  readdirSync(server.folder)
    .sort()
    .map((name) => `${name} ${readFileSync(path(name), "base64")}`);

/** Empties the default scene and sets its combination, because the results of earlier requests could make a body fail. */
async function reset(combination: object): Promise<void> {
  const scene_id = await defaultScene();
  bodyOf(await server.ask("delete", { scene_id }));
  bodyOf(await server.printwright.post("/v1/scene/update/", { scene_id, ...combination }));
}

/** Keeps few models and few scenes, among them the two scenes that the bodies name. */
async function tidy(): Promise<void> {
  const [first, ...others] = await scenes();
  for (const { id } of others.slice(2)) {
    bodyOf(await server.printwright.call("DELETE", "/v1/scene/delete/", { scene_id: id }));
  }
  if (others.length === 0) bodyOf(await server.printwright.post("/v1/scene/create/", MANUAL));
  if (first.models.length > MANY_MODELS) bodyOf(await server.ask("delete", { scene_id: first.id }));
  const { models } = await server.scene(first.id);
  for (let count = models.length; count < 3; count++) await server.importOne(first.id, path("cube.stl"));
}

async function resolve(body: unknown): Promise<unknown> {
  const [first, second] = await scenes();
  const [a, b, c] = first.models.map(({ id }: { id: string }) => id);
  return resolved(body, { $scene: first.id, $second: second?.id ?? first.id, $a: a, $b: b, $c: c }, path);
}

const leaf = fc.oneof(
  fc.constantFrom(...IDS, ...WORDS, ...FILES),
  fc.constantFrom(...NUMBERS),
  fc.constantFrom(null, true, false, [], {}),
  fc.string({ maxLength: 5 }),
);
const value = fc.oneof(
  { weight: 3, arbitrary: leaf },
  { weight: 1, arbitrary: fc.array(leaf, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...KEYS), leaf, { maxKeys: 4 }) },
);

const mutation: fc.Arbitrary<BodyMutation> = fc.record({
  kind: fc.constantFrom("swap", "swap", "swap", "swap", "replace", "remove", "add"),
  pick: fc.nat(100_000),
  value,
});

/** With this change every body is refused, whatever else is drawn. */
const UNKNOWN_FIELD: BodyMutation = { kind: "add", pick: 0, value: true };

/** The code of a request's failure, after the end of an operation that it started; undefined for success. */
async function outcomeOf(reply: Reply): Promise<string | undefined> {
  if (reply.status === 200) return undefined;
  if (reply.status !== 202) return codeOf(reply);
  for (;;) {
    const { status, result } = bodyOf(await server.printwright.call("GET", `${reply.body.operation_url}&mode=oneshot`));
    if (status === "SUCCEEDED") return undefined;
    if (status === "FAILED") return codeOfEnvelope(result);
  }
}

async function assertAllOrNothing(endpoint: Endpoint, query: string, body: unknown): Promise<string | undefined> {
  await tidy();
  const sent = await resolve(body);
  const [scenesBefore, filesBefore] = [await scenes(), files()];
  const code = await outcomeOf(await server.printwright.call(endpoint.method, endpoint.path + query, sent));
  if (code !== undefined) {
    assert.deepEqual(await scenes(), scenesBefore, `${code} for ${JSON.stringify(sent)}`);
    assert.deepEqual(files(), filesBefore, `${code} for ${JSON.stringify(sent)}`);
  }
  return code;
}

const { paths } = openApi(ENDPOINTS) as {
  paths: Record<string, Record<string, { responses: Record<string, object> }>>;
};

/** The descriptions of the failures of an endpoint in the OpenAPI document, which contain the codes. */
const documentedFailures = ({ path: endpointPath, method }: Endpoint): string =>
  JSON.stringify(paths[endpointPath][method.toLowerCase()].responses);

/** Endpoints that find nothing: the test fetches each operation with oneshot, and has logged out. */
const FINDING_NOTHING: Readonly<Record<string, string>> = {
  "/v1/operation/get/": "MISSING_QUERY_PARAMETER",
  "/v1/operation/delete/": "NOT_FOUND",
  "/v1/operation/cancel/": "NOT_FOUND",
  "/v1/user/": "NOT_FOUND",
  // Nothing was checked.
  "/v1/scene/check/accept/": "NOT_FOUND",
  "/v1/scene/check/try-fixes/": "NOT_FOUND",
  // No queue of these printers holds a job.
  "/v1/queue/job/update/": "NOT_FOUND",
  // The queue of workers has none of these ids.
  "/v1/job/get/": "NOT_FOUND",
  "/v1/job/cancel/": "NOT_FOUND",
  "/v1/job/retry/": "NOT_FOUND",
};

for (const endpoint of ENDPOINTS) {
  test(
    `${endpoint.path} gives an answer of the interface to any request, and an error changes nothing`,
    HANG,
    async () => {
      const { path: endpointPath } = endpoint;
      assert.ok(BODIES[endpointPath], `add a body of ${endpointPath} that succeeds to BODIES`);
      await reset(POWDER_ONLY.has(endpointPath) ? POWDER : MANUAL);
      const codes = new Set([await assertAllOrNothing(endpoint, "", BODIES[endpointPath])]);
      assert.deepEqual([...codes], [FINDING_NOTHING[endpointPath]]);
      const request = fc.tuple(fc.constantFrom(...QUERIES), fc.array(mutation, { minLength: 1, maxLength: 3 }));
      const check = async ([query, mutations]: [string, BodyMutation[]]): Promise<void> => {
        const body = mutations.reduce<unknown>(mutatedBody, BODIES[endpointPath]);
        codes.add(await assertAllOrNothing(endpoint, query, body));
      };
      if (endpoint.body !== undefined) await check(["", [UNKNOWN_FIELD]]);
      const some = slowRuns(slowRuns(slowRuns(RUNS_PER_ENDPOINT)));
      const numRuns = Math.ceil(some / (SLOW.has(endpointPath) ? 4 : 2));
      await fc.assert(fc.asyncProperty(request, check), { numRuns, endOnFailure: true });
      if (endpoint.body !== undefined) assert.ok(codes.has("JSON_SCHEMA_MATCH_ERROR"), [...codes].join());
      const undocumented = [...codes].filter(
        (code) => code !== undefined && !documentedFailures(endpoint).includes(code),
      );
      assert.deepEqual(undocumented, [], "add them to the errors of the endpoint's declaration");
    },
  );
}

test("if one of many models cannot be changed, none is", async () => {
  await tidy();
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, path("cube.stl"));
  await server.importOne(scene_id, path("spike.stl"));
  bodyOf(await server.ask("translate", { scene_id, model_ids: [id], position: { x: 999_900, y: 0, z: 0 } }));
  const before = await scenes();
  const refused: [string, object][] = [
    ["scale", { scale: 100 }],
    ["translate", { position: { x: 200, y: 0, z: 0 }, mode: "RELATIVE" }],
  ];
  for (const [action, body] of refused) {
    assert.equal(codeOf(await server.ask(action, { scene_id, ...body })), "INPUT_ERROR");
    assert.deepEqual(await scenes(), before);
  }
});
