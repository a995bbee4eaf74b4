import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type GivenStep, PATH_FIELDS } from "../../src/command/steps-file.ts";
import { ApiError } from "../../src/core/api-error.ts";
import { ENDPOINTS } from "../../src/feature/endpoints.ts";
import { canonicalJson } from "../../src/farm/job/content-key.ts";
import { contentOf, filesOfJob, readPayload } from "../../src/farm/job/job-payload.ts";
import type { JobRequest } from "../../src/farm/farm.ts";
import { newJob } from "../../src/farm/job/new-job.ts";
import { filesOfSteps, whyNotRelative } from "../../src/farm/job/step-files.ts";
import { openFolderStore } from "../../src/farm/store/folder-store.ts";

const folder = mkdtempSync(join(tmpdir(), "printwright-new-job-"));
after(() => rmSync(folder, { recursive: true }));
const storeFolder = join(folder, "store");
const store = openFolderStore(storeFolder);
writeFileSync(join(folder, "part.stl"), "a part");

const scene = { $: "scene.scene_id" };
const STEPS: GivenStep[] = [
  {
    name: "scene",
    request: "scene/create",
    body: { machine_type: "PRUSA-SL1S", material_code: "GENERIC-RESIN", layer_thickness_mm: 0.05 },
  },
  { request: "scene/model/import", body: { scene_id: scene, file: "part.stl" } },
  { request: "scene/export", body: { scene_id: scene, file: "job.sl1s" } },
];
const make = (more: Partial<JobRequest> = {}) => newJob({ steps: STEPS, folder, ...more }, store);
const refuses = async (more: Partial<JobRequest>, message: RegExp, code = "INPUT_ERROR"): Promise<void> => {
  await assert.rejects(
    make(more),
    (error) => error instanceof ApiError && error.code === code && message.test(error.message),
  );
};
const importing = (file: unknown): GivenStep[] => [
  STEPS[0]!,
  { request: "scene/model/import", body: { scene_id: scene, file } },
];

test("a job has its steps, the hashes of its files, and the names of those that it writes", async () => {
  const job = await make({ lane: "quote", priority: 3, group: "order 7" });
  assert.deepEqual([job.lane, job.priority, job.group, job.maxAttempts], ["quote", 3, "order 7", undefined]);
  const payload = readPayload(JSON.parse(JSON.stringify(job.payload)));
  assert.equal(payload.seconds, 60);
  const content = await contentOf(payload, store);
  assert.deepEqual(content.steps, STEPS);
  assert.deepEqual(content.outputs, ["job.sl1s"]);
  const { "part.stl": hash, ...others } = content.inputs;
  assert.deepEqual(others, {});
  await store.fetch(hash!, join(folder, "fetched.stl"));
  assert.equal(readFileSync(join(folder, "fetched.stl"), "utf8"), "a part");
  assert.deepEqual(await filesOfJob(payload, undefined, store), [hash]);
});

test("equal contents have equal keys; another step, file, version or nonce has another", async () => {
  const { key } = await make();
  const reordered = STEPS.map((step) => Object.fromEntries(Object.entries(step).toReversed()) as GivenStep);
  const other = join(folder, "other.stl");
  writeFileSync(other, "a part");
  assert.equal((await make({ steps: reordered, lane: "quote", priority: 9 })).key, key);
  assert.equal((await make({ inputs: { "part.stl": other } })).key, key);
  writeFileSync(other, "another part");
  const keys = [
    key,
    (await make({ inputs: { "part.stl": other } })).key,
    (await make({ steps: [...STEPS, { request: "scene/list" }] })).key,
    (await make({ isRepeated: true })).key,
    (await make({ isRepeated: true })).key,
  ];
  assert.equal(new Set(keys).size, keys.length);
});

test("canonical JSON is that of RFC 8785", () => {
  // The examples of sections 3.2.2 and 3.2.3.
  const numbers = [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001];
  assert.equal(
    canonicalJson({ numbers, string: "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"/", literals: [null, true, false] }),
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
  const keys = ["\u20ac", "\r", "\ufb33", "1", "\ud83d\ude00", "\u0080", "\u00f6"];
  const sorted = ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\ud83d\ude00", "\ufb33"];
  const text = canonicalJson(Object.fromEntries(keys.map((key) => [key, key])));
  assert.deepEqual(
    [...text.matchAll(/"((?:[^"\\]|\\.)*)":/g)].map(([, key]) => JSON.parse(`"${key}"`)),
    sorted,
  );
});

test("a long content is a file of the store", async () => {
  const names = Array.from({ length: 120 }, (_, i) => `parts/part ${i}.stl`);
  mkdirSync(join(folder, "parts"));
  for (const name of names) writeFileSync(join(folder, name), name);
  const steps = [STEPS[0]!, ...names.flatMap((name) => importing(name).slice(1))];
  const job = await make({ steps });
  assert.ok(JSON.stringify(job.payload).length < 8192);
  const payload = readPayload(job.payload);
  const content = await contentOf(payload, store);
  assert.deepEqual(Object.keys(content.inputs), names);
  assert.equal((await filesOfJob(payload, undefined, store)).length, names.length + 1);
});

test("names that leave the folder of a job are refused on every system", async () => {
  const bad = [
    "/etc/a.stl",
    "../a.stl",
    "a/../../b.stl",
    "a\\b.stl",
    "C:/a.stl",
    "c:a.stl",
    "a\0b.stl",
    "a//b.stl",
    "./a.stl",
  ];
  for (const file of bad) {
    assert.notEqual(whyNotRelative(file), undefined, file);
    await refuses({ steps: importing(file) }, /folder of the job|NUL/);
  }
  for (const file of ["a.stl", "parts/a b.stl", "..a", "a..b/c"]) assert.equal(whyNotRelative(file), undefined, file);
  // Results of steps can hold any text, such as the name of a scene.
  await refuses({ steps: importing({ $: "scene.scene_id" }) }, /not a reference/);
});

test("steps about secrets, printers and other jobs are refused", async () => {
  await refuses({ steps: [{ request: "login", body: { username: "a", password: "b" } }] }, /cannot have this request/);
  const printing = [
    ...STEPS.slice(0, 2),
    { request: "scene/print", body: { scene_id: scene, printer: "x", job_name: "y" } },
  ];
  await refuses({ steps: printing }, /--allow-print/);
  const allowed = await make({ steps: printing, allowsPrint: true });
  assert.equal(allowed.maxAttempts, 1, "a print is never begun twice");
});

test("wrong steps and missing files are refused, and then nothing is stored", async () => {
  const before = readdirSync(storeFolder, { recursive: true }).length;
  await refuses({ steps: [...STEPS, { request: "scene/modle/import" }] }, /^Step 4 .*closest/, "NOT_FOUND");
  await refuses({ steps: importing("none.stl") }, /there is no file .*--input none.stl=FILE/);
  await refuses({ inputs: { "prat.stl": join(folder, "part.stl") } }, /no step reads a file "prat.stl".*part.stl/);
  const over = [...importing("part.stl"), { request: "scene/export", body: { scene_id: scene, file: "part.stl" } }];
  await refuses({ steps: over }, /read and then written over/);
  assert.equal(readdirSync(storeFolder, { recursive: true }).length, before);
  assert.ok(existsSync(storeFolder));
});

test("a file that an earlier step writes is none to submit", () => {
  const steps = [
    { request: "scene/export", body: { scene_id: "x", file: "a.stl" } },
    { request: "scene/model/import", body: { scene_id: "x", file: "a.stl" } },
  ];
  assert.deepEqual(filesOfSteps(steps, false), { inputs: [], outputs: ["a.stl"] });
});

test("every field of a request that is a path is known as one", () => {
  const missing: string[] = [];
  for (const { path, body } of ENDPOINTS) {
    for (const [name, schema] of fieldsOf(body))
      if (/\bpath\b/i.test(JSON.stringify(schema)) && !PATH_FIELDS.has(name)) missing.push(`${path} ${name}`);
  }
  assert.deepEqual(missing, []);
});

/** The fields of a schema that hold no objects, those of objects in it as well. */
function fieldsOf(schema: unknown): (readonly [name: string, schema: unknown])[] {
  const { entries, item, wrapped } = (schema ?? {}) as { entries?: object; item?: unknown; wrapped?: unknown };
  if (entries === undefined) return item || wrapped ? fieldsOf(item ?? wrapped) : [];
  return Object.entries(entries).flatMap(([name, field]) => {
    const inner = fieldsOf(field);
    return inner.length > 0 ? inner : [[name, field] as const];
  });
}

test("the files of lists in a request are files of the job", () => {
  const parts = ["a.stl", "b/c.stl"].map((file) => ({ file, turn_deg: 0, x_mm: 0, y_mm: 0 }));
  const steps = [{ request: "plan/open", body: { parts } }];
  assert.deepEqual(filesOfSteps(steps, false).inputs, ["a.stl", "b/c.stl"]);
  const outside = [{ request: "plan/open", body: { parts: [...parts, { file: "/etc/passwd" }] } }];
  assert.throws(() => filesOfSteps(outside, false), /"\/etc\/passwd" is absolute/);
});
