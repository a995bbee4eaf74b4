import assert from "node:assert/strict";
import { test } from "node:test";
import type { Compute } from "../../src/worker/compute.ts";
import { operationFailed } from "../../src/core/api-error.ts";
import { noProgress } from "../../src/core/progress.ts";
import { type ImportedFile, importFile } from "../../src/feature/import/import-file.ts";
import { importSearched } from "../../src/feature/import/import-searched.ts";
import type { ImportRequest } from "../../src/feature/import/stored-file.ts";
import { type Mesh, type Surface, concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { selfIntersectionFact } from "../../src/mesh/mesh-facts.ts";
import type { Task } from "../../src/worker/task.ts";
import { READ_OPTIONS } from "../fixture/read-model.ts";
import { box, torus, uvSphere } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { moved, subdivided } from "../fixture/surface-edits.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const write = temporaryFiles();

/** The file without what is known of its meshes, which is no part of their value. */
const valueOf = (file: ImportedFile): unknown => ({
  ...file,
  parts: file.parts.map((part) => ({ ...part, mesh: { ...part.mesh, facts: undefined } })),
});

/** Imports a surface with a repair, also by one thread with the same result, and lists the tasks that ran. */
async function searched(surface: Surface, minFacets = 0, failing?: string): Promise<{ mesh: Mesh; ran: string[] }> {
  const ran: string[] = [];
  const compute = (async (task: Task<never, unknown>, input: never) => {
    ran.push(task.name);
    if (task.name === failing) throw operationFailed("no memory");
    return task.run(input, noProgress);
  }) as Compute["compute"];
  const file = write("part.stl", binaryStl(surface));
  const request: ImportRequest = { file, repairBehavior: "REPAIR", split: false, options: READ_OPTIONS };
  const imported = await importSearched(request, { compute, tasksAtOnce: () => 3 }, minFacets);
  assert.deepEqual(valueOf(imported), valueOf(await importFile(request, noProgress)));
  return { mesh: imported.parts[0].mesh, ran };
}

const BALL = subdivided(uvSphere(5, 24, 12));

test("a sound mesh that all threads search is imported as by one thread", async () => {
  const { mesh, ran } = await searched(BALL);
  assert.deepEqual(new Set(ran), new Set(["beginImport", "planSearch", "searchShare", "checkFile"]));
  const unused = { ...noProgress, report: () => assert.fail("searched again") };
  assert.equal(selfIntersectionFact(mesh, { ...unused, part: () => unused }), false);
});

const CROSSING = concatenateSurfaces([torus(6, 2, 20, 10), moved(uvSphere(5, 24, 12), [0, 0, 0.3])]);

test("a mesh that crosses itself is repaired as by one thread", async () => {
  const { mesh, ran } = await searched(CROSSING);
  assert.notEqual(mesh.triangles.length, CROSSING.triangles.length);
  assert.equal(ran.filter((name) => name === "checkFile").length, 2);
});

test("a mesh with a gap that crosses itself is repaired as by one thread", async () => {
  const { ran } = await searched({ ...CROSSING, triangles: CROSSING.triangles.slice(3) });
  assert.deepEqual(ran, ["beginImport", "checkFile", "planSearch"]);
});

test("a mesh with a gap is not searched before its repair", async () => {
  const { ran } = await searched({ ...BALL, triangles: BALL.triangles.slice(0, -3) });
  assert.deepEqual(ran, ["beginImport", "checkFile", "planSearch"]);
});

test("a cavity and separate bodies are kept", async () => {
  const inside = { vertices: BALL.vertices, triangles: BALL.triangles.toReversed() };
  const { ran } = await searched(concatenateSurfaces([box([30, 30, 30]), inside]));
  assert.ok(ran.includes("searchShare"));
});

test("a file without a large mesh is the work of one task", async () => {
  const { ran } = await searched(CROSSING, CROSSING.triangles.length);
  assert.deepEqual(ran, ["beginImport"]);
});

test("where memory does not suffice for the search, the repair searches", async () => {
  const { ran } = await searched(CROSSING, 0, "planSearch");
  assert.deepEqual(ran, ["beginImport", "checkFile", "planSearch", "checkFile"]);
});
