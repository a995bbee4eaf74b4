import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { settingFromFps } from "../../src/catalog/custom-print-setting.ts";
import { fromFormDocument } from "../../src/api/scene/form-document.ts";
import { Fault, type FaultCode } from "../../src/core/fault.ts";
import { newJobState, unwatched } from "../../src/core/watch.ts";
import { writeForm } from "../../src/format/form/write.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import type { Outline } from "../../src/mesh/outline.ts";
import { HOME } from "../../src/mesh/pose.ts";
import { enter } from "../../src/scene/enter.ts";
import type { Scene } from "../../src/scene/project.ts";
import { sceneOnWire } from "../../src/scene/scene-on-wire.ts";
import { newPool, type Pool } from "../../src/worker/pool.ts";
import { type Task, TASKS, type TaskName } from "../../src/worker/table.ts";
import type { ImportedFile, ImportRequest, RepairBehavior } from "../../src/worker/task/import-file.ts";
import type { OpenedForm } from "../../src/worker/task/open-form.ts";
import { randomFrom } from "../fixture/altered.ts";
import { PROJECT, someModel } from "../fixture/form-project.ts";
import { FPS_ID, fpsDocument } from "../fixture/fps-file.ts";
import {
  BYTE_MUTATIONS, displaced, memberMutated, meshMutated, mutated, mutatedOnce, type Mutation, recounted, TEXT_MUTATIONS,
  zipHeaderEdited,
} from "../fixture/mutated.ts";
import { objText } from "../fixture/obj-file.ts";
import { box, cylinder, tetrahedron, uvSphere } from "../fixture/shapes.ts";
import { RESIN_SETTING, sceneModel, someScene } from "../fixture/some-scene.ts";
import { asciiStl, binaryStl } from "../fixture/stl-file.ts";
import { modelXml, objectXml, threeMf, threeMfPackage } from "../fixture/three-mf-file.ts";

/** A machine with much else to do takes seconds for one. */
const LONGEST_MS = 60_000;
const LANES = [0, 1];
/** Every so manieth file goes through a worker thread. */
const POOL_SHARE = 7;
const MOST_MEMORY_MIB = 300;

const folder = mkdtempSync(join(tmpdir(), "mutated-files-"));
let pool: Pool;
let memoryBefore: number;
before(() => {
  pool = newPool(new URL("../../src/worker.ts", import.meta.url), LANES.length);
});
after(() => rmSync(folder, { recursive: true }));

const fromProject = (path: string): Uint8Array =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)));
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

async function formOf(document: Parameters<typeof writeForm>[1]): Promise<Uint8Array> {
  const path = join(folder, "seed.form");
  await writeForm(path, document, unwatched);
  return readFileSync(path);
}

const SHAPES = [box([10, 20, 30]), cylinder(5, 10, 12), uvSphere(5, 12, 6), tetrahedron(7)];
const ASSEMBLY = modelXml(
  objectXml(1, { surface: box([1, 2, 3]), name: "box" }) +
    objectXml(2, { surface: tetrahedron(5) }) +
    '<object id="3"><components><component objectid="1" transform="1 0 0 0 1 0 0 0 1 9 9 9"/>' +
    '<component objectid="2"/></components></object>',
  '<item objectid="3"/><item objectid="1" transform="0 1 0 -1 0 0 0 0 2 30 0 0"/>',
  "inch",
);
const { combination: COMBINATION } = RESIN_SETTING;
const CUSTOM = { id: FPS_ID, name: "slow", document: fpsDocument() };
const FORMS = [
  { ...PROJECT, scenes: [{ ...PROJECT.scenes[0], combination: COMBINATION }] },
  {
    projectName: "custom",
    scenes: [{ name: "", combination: COMBINATION, customPrintSetting: CUSTOM, models: [someModel({})] }],
  },
] as const;

/** Files of a kind, what can happen to them, and the task that reads them. */
interface Kind {
  readonly what: string;
  readonly extension: string;
  readonly task: TaskName & ("importFile" | "openForm" | "openFps");
  readonly files: number;
  readonly seeds: () => readonly Uint8Array[] | Promise<readonly Uint8Array[]>;
  readonly mutations: readonly Mutation[];
  readonly mutate: typeof mutated;
  readonly codes: readonly FaultCode[];
}

const MODEL = { task: "importFile", mutate: mutated, codes: ["OPERATION_FAILED", "INPUT_ERROR"] } as const;
const isXmlOrJson = (name: string): boolean => !name.endsWith(".mesh");
const ARCHIVE_MUTATIONS = [...BYTE_MUTATIONS, ...[1, 2, 3, 4].map(() => zipHeaderEdited)];
const IN_MEMBERS = ARCHIVE_MUTATIONS.map(() => memberMutated(isXmlOrJson));

const KINDS: readonly Kind[] = [
  {
    ...MODEL, what: "binary STL", extension: "stl", files: 900,
    seeds: () => SHAPES.map((shape) => binaryStl(shape)),
    mutations: [...BYTE_MUTATIONS, recounted, displaced, displaced, displaced],
  },
  {
    ...MODEL, what: "ASCII STL", extension: "stl", files: 800,
    seeds: () => SHAPES.map((shape) => utf8(asciiStl(shape))),
    mutations: TEXT_MUTATIONS,
  },
  {
    ...MODEL, what: "OBJ", extension: "obj", files: 800,
    seeds: () => [...SHAPES.map((shape) => objText(shape)), objText(...SHAPES)].map(utf8),
    mutations: TEXT_MUTATIONS,
  },
  {
    ...MODEL, what: "3MF", extension: "3mf", files: 800, mutate: mutatedOnce,
    seeds: () => [
      threeMf(SHAPES.map((surface) => ({ surface }))),
      threeMfPackage(ASSEMBLY),
      fromProject("test/fixture/corpus/3mf-multiple_cylinders.3mf"),
    ],
    mutations: [...ARCHIVE_MUTATIONS, ...IN_MEMBERS],
  },
  {
    ...MODEL, what: "STEP", extension: "step", files: 60,
    seeds: () => [fromProject("assets/demo/bracket.step")],
    mutations: TEXT_MUTATIONS,
  },
  {
    what: "project", extension: "form", files: 700, task: "openForm", mutate: mutatedOnce, codes: ["OPERATION_FAILED"],
    seeds: () => Promise.all(FORMS.map(formOf)),
    mutations: [...ARCHIVE_MUTATIONS, ...IN_MEMBERS, ...ARCHIVE_MUTATIONS.map(() => meshMutated)],
  },
  {
    what: "print setting", extension: "fps", files: 500, task: "openFps", mutate: mutated, codes: ["INPUT_ERROR"],
    seeds: () => [utf8(JSON.stringify(fpsDocument(), undefined, 2)), utf8(JSON.stringify(fpsDocument()))],
    mutations: TEXT_MUTATIONS,
  },
];

const REPAIRS: readonly RepairBehavior[] = ["ERROR", "REPAIR", "IGNORE"];
const UNITS_MM = [undefined, undefined, undefined, 1, 25.4];
const ROUGH = { chordalToleranceMm: 0.5, angleToleranceDeg: 20 };

const importRequest = (file: string, turn: number): ImportRequest => ({
  file,
  repairBehavior: REPAIRS[turn % REPAIRS.length],
  unitMm: UNITS_MM[turn % UNITS_MM.length],
  split: turn % 2 === 0,
  options: ROUGH,
});

/** The input of the task for the file, and the rest of the way into a scene for what it made of it. */
function wayOf({ task }: Kind, file: string, turn: number): { input: unknown; finish: (output: never) => void } {
  if (task === "openForm") return { input: file, finish: assertScenes };
  if (task === "openFps") {
    return { input: file, finish: (document) => assertShown(someScene([], settingFromFps(document))) };
  }
  const request = importRequest(file, turn);
  return { input: request, finish: (imported) => assertImported(imported, request) };
}

function assertImported({ parts, fileUnitMm }: ImportedFile, { repairBehavior, split }: ImportRequest): void {
  assert.ok(parts.length > 0);
  assert.ok(fileUnitMm === undefined || (fileUnitMm > 0 && Number.isFinite(fileUnitMm)), `unit ${fileUnitMm}`);
  for (const { mesh, outline } of parts) {
    assertCanonical(mesh);
    assertOutline(outline);
    if (repairBehavior === "ERROR" && (split || parts[0].index !== undefined)) assertClosed(mesh);
  }
  const models = parts.map(({ mesh, outline }) => sceneModel({ mesh, outline, pose: HOME }));
  assertShown(someScene(models.map((model) => enter(model, RESIN_SETTING))));
}

function assertScenes(opened: OpenedForm): void {
  for (const { mesh } of opened.document.scenes.flatMap(({ models }) => models)) assertCanonical(mesh);
  for (const { model, supports } of opened.outlines.flat()) [model, supports ?? model].forEach(assertOutline);
  fromFormDocument(opened).forEach(assertShown);
}

/** What a client is shown of a scene holds finite numbers alone: JSON has no others, and writes null for them. */
function assertShown(scene: Scene): void {
  const numbers: unknown[] = [];
  JSON.stringify(sceneOnWire(scene), (_, value: unknown) => {
    if (typeof value === "number") numbers.push(value);
    return value;
  });
  assert.ok(numbers.length > 0 && numbers.every(Number.isFinite), `${numbers}`);
}

function assertCanonical({ vertices, triangles, hash, box, volumeMm3, areaMm2 }: Mesh): void {
  assert.ok(triangles.length > 0 && triangles.length % 3 === 0 && vertices.length % 3 === 0);
  assert.ok(vertices.buffer instanceof SharedArrayBuffer && triangles.buffer instanceof SharedArrayBuffer);
  assert.ok(vertices.every((value) => Math.abs(value) <= 1e6 && !Object.is(value, -0)));
  assert.ok(isAscending(vertices, false), "vertices are sorted and each is there once");
  assert.ok(triangles.every((corner) => corner < vertices.length / 3));
  assert.ok(triangles.every((corner, i) => corner >= triangles[i - (i % 3)]), "triangles start at their least corner");
  assert.ok(isAscending(triangles, true), "triangles are sorted");
  assert.equal(new Set(triangles).size, vertices.length / 3, "every vertex is used");
  const counts = Uint32Array.of(vertices.length / 3, triangles.length / 3);
  assert.equal(hash, createHash("sha256").update(counts).update(vertices).update(triangles).digest("hex"));
  for (const axis of [0, 1, 2]) {
    const places = vertices.filter((_, i) => i % 3 === axis);
    assert.deepEqual([box.min[axis], box.max[axis]], [Math.min(...places), Math.max(...places)]);
  }
  assert.ok(Number.isFinite(volumeMm3) && areaMm2 >= 0 && areaMm2 < Infinity);
}

function isAscending(values: Float32Array | Uint32Array, mayRepeat: boolean): boolean {
  for (let at = 3; at < values.length; at += 3) {
    const step = [0, 1, 2].map((i) => values[at + i] - values[at + i - 3]).find((difference) => difference !== 0);
    if (step === undefined ? !mayRepeat : step < 0) return false;
  }
  return true;
}

/** Every edge has one facet on either side; facets with a repeated corner have no sides. */
function assertClosed({ triangles }: Mesh): void {
  const edges = new Set<string>();
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = triangles.subarray(at, at + 3);
    if (a === b || b === c || c === a) continue;
    for (const edge of [`${a} ${b}`, `${b} ${c}`, `${c} ${a}`]) {
      assert.ok(!edges.has(edge), "an edge has two facets on one side");
      edges.add(edge);
    }
  }
  for (const edge of edges) assert.ok(edges.has(edge.split(" ").toReversed().join(" ")), "an edge is open");
}

function assertOutline({ box, hullXy }: Outline): void {
  assert.ok([...box.min, ...box.max, ...hullXy].every((value) => Math.abs(value) <= 2e6));
  assert.ok(hullXy.length >= 2 && hullXy.length % 2 === 0);
  for (const axis of [0, 1, 2]) assert.ok(box.min[axis] <= box.max[axis]);
}

/** Messages that name no cause in the file: the runtime's own words, or the pool's for a thread that broke. */
const NO_CAUSE = /unexpected failure|too large for the server's memory|broke its worker|\[object|is not a function/;

/** Whether the file was read; anything but a sound result or a fault that names its cause fails the test. */
async function isRead(kind: Kind, file: string, turn: number): Promise<boolean> {
  const { input, finish } = wayOf(kind, file, turn);
  const usesPool = kind.extension === "step" || turn % POOL_SHARE === 0;
  try {
    const output = usesPool
      ? pool.compute(kind.task, input as never, newJobState())
      : (TASKS[kind.task] as Task<unknown, unknown>)(input, unwatched);
    finish((await inTime(output)) as never);
    return true;
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    assert.ok(kind.codes.includes(thrown.code), `${thrown.code}: ${thrown.message}`);
    assert.ok(thrown.message.length > 20 && !NO_CAUSE.test(thrown.message), thrown.message);
    return false;
  }
}

async function inTime<T>(output: T | Promise<T>): Promise<T> {
  const started = performance.now();
  const timer = new AbortController();
  const late = sleep(LONGEST_MS, undefined, { signal: timer.signal }).catch(() => undefined);
  try {
    const result = await Promise.race([output, late.then(() => assert.fail("it hangs"))]);
    assert.ok(performance.now() - started < LONGEST_MS, "it took too long");
    return result;
  } finally {
    timer.abort();
  }
}

test("the files that are mutated are read, whatever the turn", async () => {
  for (const kind of KINDS) {
    const file = join(folder, `sound.${kind.extension}`);
    for (const seed of await kind.seeds()) {
      writeFileSync(file, seed);
      for (const turn of [0, 1, 2, 3]) assert.ok(await isRead(kind, file, turn), kind.what);
    }
  }
  memoryBefore = process.memoryUsage.rss();
});

KINDS.forEach((kind, number) => {
  const { what, extension, files, mutations, mutate } = kind;
  test(`of ${files} mutated ${what} files, each is read as something sound or refused with its cause`, async () => {
    const seeds = await kind.seeds();
    const random = randomFrom(number);
    let turn = 0;
    let read = 0;
    async function work(lane: number): Promise<void> {
      const file = join(folder, `${number}-${lane}.${extension}`);
      while (turn < files) {
        const mine = turn++;
        writeFileSync(file, mutate(seeds[Math.floor(random() * seeds.length)], mutations, random));
        try {
          if (await isRead(kind, file, mine)) read++;
        } catch (thrown) {
          throw new Error(`File ${mine}: ${(thrown as Error).message}`, { cause: thrown });
        }
      }
    }
    await Promise.all(LANES.map(work));
    assert.ok(read > files / 50 && read < files * 0.9, `${read} of ${files} were read`);
  });
});

test("memory comes back after all of them", async () => {
  await pool.close();
  const { Bun, gc } = globalThis as { Bun?: { gc(force: boolean): void }; gc?: () => void };
  Bun?.gc(true);
  gc?.();
  const grownMib = (process.memoryUsage.rss() - memoryBefore) / 2 ** 20;
  assert.ok(grownMib < MOST_MEMORY_MIB, `${Math.round(grownMib)} MiB more`);
});
