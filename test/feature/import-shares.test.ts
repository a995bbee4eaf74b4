import assert from "node:assert/strict";
import { test } from "node:test";
import type { Compute } from "../../src/worker/compute.ts";
import { importOnThreads } from "../../src/feature/import/import-on-threads.ts";
import { CancelledError, cancelTask, newTaskState, noProgress, taskProgress } from "../../src/core/progress.ts";
import { stepTexts } from "../../src/format/rhino/brep-step.ts";
import { surfacesOfBrepStep, surfacesOfBreps } from "../../src/format/rhino/brep-surfaces.ts";
import { rhinoLibrary } from "../../src/format/rhino/rhino-library.ts";
import { rhinoReader } from "../../src/format/rhino/rhino-reader.ts";
import { type ImportedFile, importFile } from "../../src/feature/import/import-file.ts";
import type { ImportRequest } from "../../src/feature/import/stored-file.ts";
import type { Task } from "../../src/worker/task.ts";
import { longTest } from "../fixture/long.ts";
import { READ_OPTIONS } from "../fixture/read-model.ts";
import { arcCurve, revolved } from "../fixture/rhino-breps.ts";
import { addBlock, attributes, boxBrep, placedBlock, rhinoFile, rhinoMesh } from "../fixture/rhino-file.ts";
import { uvSphere } from "../fixture/shapes.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const write = temporaryFiles();
const ROUGH = { chordalToleranceMm: 1, angleToleranceDeg: 30 };

/** Boxes, a mesh, and a drop in a block that is placed at two sizes. */
const MIXED = await rhinoFile((rhino, file) => {
  const drop = revolved(rhino, arcCurve(rhino, [0, 0, -3], [4, 0, 1], [0, 0, 3]), 0, 2 * Math.PI, [false, false]);
  const block = addBlock(rhino, file, "drop", [{ geometry: drop, name: "drop" }]);
  const add = (geometry: unknown, name: string): void =>
    void file.objects().add(geometry as never, attributes(rhino, { name }));
  add(boxBrep(rhino, [20, 0, 0], [30, 20, 30]), "first box");
  add(rhinoMesh(rhino, uvSphere(5, 12, 8)), "ball");
  for (const scale of [1, 3]) add(placedBlock(rhino, block, rhino.Transform.scale([0, 0, 0], scale)), "");
  add(boxBrep(rhino, [40, 0, 0], [50, 20, 30]), "last box");
});

const facts = ({ parts, warnings, fileUnitMm }: ImportedFile): unknown => [
  fileUnitMm,
  warnings,
  parts.map(({ index, name, mesh }) => [index, name, mesh.hash]),
];

longTest("a file whose shapes several threads made, except one, equals the file that one thread reads", async () => {
  const ran: string[] = [];
  const compute = (async (task: Task<never, unknown>, input: never) => {
    ran.push(task.name);
    const output = await task.run(input, noProgress);
    // A shape is missing if the kernel fails on it: then the reader makes it.
    return task.name === "makeShare" ? (output as readonly unknown[]).slice(1) : output;
  }) as Compute["compute"];
  const path = write("mixed.3dm", MIXED);
  const request: ImportRequest = {
    file: path,
    repairBehavior: "ERROR",
    split: true,
    unitMm: 2,
    options: ROUGH,
  };
  const shared = await importOnThreads(request, { compute, tasksAtOnce: () => 3 }, 0);
  assert.deepEqual(ran, ["divideFile", "makeShare", "importFile"]);
  assert.deepEqual(
    shared.parts.map(({ name }) => name),
    ["first box", "ball", "drop", "drop", "last box"],
  );
  assert.deepEqual(facts(shared), facts(await importFile(request, noProgress)));
});

longTest("Breps divided over several texts have the same triangles as in one text", async () => {
  const rhino = await rhinoLibrary(0);
  const breps = [1, 2, 3].map((i) => ({ name: `box ${i}`, brep: boxBrep(rhino, [0, 0, 0], [i, 2, 3]), unitMm: 1 }));
  const texts = [...stepTexts(breps, 0.001, 1)];
  assert.deepEqual(
    texts.map((text) => text.breps.map(({ name }) => name)),
    [["box 1"], ["box 2"], ["box 3"]],
  );
  const surfaces = [];
  for (const { text } of texts) {
    surfaces.push(...(await surfacesOfBrepStep(new TextEncoder().encode(text), "a.3dm", READ_OPTIONS, noProgress))!);
  }
  assert.deepEqual(surfaces, await surfacesOfBreps(breps, "a.3dm", READ_OPTIONS, 0.001, noProgress));
});

test("a file that has only meshes is not divided", async () => {
  const bytes = await rhinoFile((rhino, file) => {
    file.objects().addMesh(rhinoMesh(rhino, uvSphere(5, 12, 8)), attributes(rhino));
  });
  const divided = await rhinoReader.sharing!.divide(write("mesh.3dm", bytes), ROUGH, noProgress);
  assert.deepEqual(divided.texts, []);
});

test("a cancel ends the work on a share", async () => {
  const path = write("cancelled.3dm", MIXED);
  const {
    texts: [text],
  } = await rhinoReader.sharing!.divide(path, READ_OPTIONS, noProgress);
  const state = newTaskState();
  cancelTask(state);
  await assert.rejects(rhinoReader.sharing!.make(text, path, READ_OPTIONS, taskProgress(state)), CancelledError);
});
