import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { fc } from "../../fixture/property.ts";
import { unzipSync } from "fflate";
import { ApiError } from "../../../src/core/api-error.ts";
import {
  CancelledError,
  cancelTask,
  newTaskState,
  noProgress,
  readProgress,
  taskProgress,
} from "../../../src/core/progress.ts";
import type { FormDocument } from "../../../src/format/form/document.ts";
import { readForm, writeForm } from "../../../src/format/form/form-file.ts";
import type { Pose } from "../../../src/geometry/pose.ts";
import { CUBE, HOLLOWED, PROJECT, SPIKE, SUPPORTS, meshEntry, someModel } from "../../fixture/form-project.ts";
import { slowRuns } from "../../fixture/long.ts";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "form-"));
  path = join(folder, "project.form");
});
afterEach(() => rmSync(folder, { recursive: true }));

async function savedBytes(document: FormDocument): Promise<Buffer> {
  await writeForm(path, document, noProgress);
  return readFileSync(path);
}

const holding = (pose: Pose): FormDocument => ({
  ...PROJECT,
  scenes: [{ ...PROJECT.scenes[0], models: [someModel({ pose })] }],
});

test("an opened project equals the saved one, and saves to the same bytes", async () => {
  const bytes = await savedBytes(PROJECT);
  const opened = await readForm(path, noProgress);
  assert.deepEqual(opened, PROJECT);
  assert.deepEqual(await savedBytes(opened), bytes);
});

test("supports are restored completely, and need a container of version 2", async () => {
  const [scene] = PROJECT.scenes;
  const supported = { ...PROJECT, scenes: [{ ...scene, models: [someModel({ supports: SUPPORTS }), someModel({})] }] };
  const bytes = await savedBytes(supported);
  assert.deepEqual(await readForm(path, noProgress), supported);
  const versionIn = (zip: Uint8Array): number =>
    JSON.parse(Buffer.from(unzipSync(zip)["manifest.json"]).toString("utf8")).version;
  assert.equal(versionIn(bytes), 2);
  assert.equal(versionIn(await savedBytes(PROJECT)), 1);
});

test("faults and losses of supports, and accepted findings, are restored, and need no newer container", async () => {
  const [scene] = PROJECT.scenes;
  const faults = {
    unreached: [[1, 2, 1 / 3]],
    slender: [[-0.5, 0, 4]],
    unheld: [[0, 1 / 3, 2]],
    isLoose: true,
  } as const;
  const models = [someModel({ supports: { ...SUPPORTS, faults } }), someModel({ lostSupports: "SCALED" })];
  const acceptedFindings = [{ id: "0123456789abcdef", count: 2, size: 1 / 3 }];
  const document = { ...PROJECT, scenes: [{ ...scene, models, acceptedFindings }] };
  const bytes = await savedBytes(document);
  assert.deepEqual(await readForm(path, noProgress), document);
  assert.equal(JSON.parse(Buffer.from(unzipSync(bytes)["manifest.json"]).toString("utf8")).version, 2);
});

test("cages are restored completely, and need no newer container", async () => {
  const [scene, other] = PROJECT.scenes;
  const caged = { ...PROJECT, scenes: [{ ...scene, cages: [{ name: "cage", lattice: 2, parts: [0, 1] }] }, other] };
  const bytes = await savedBytes(caged);
  assert.deepEqual(await readForm(path, noProgress), caged);
  assert.equal(JSON.parse(Buffer.from(unzipSync(bytes)["manifest.json"]).toString("utf8")).version, 1);
});

test("the source of a hollowed model is restored completely, and needs no newer container", async () => {
  const [scene] = PROJECT.scenes;
  const hollow = { ...PROJECT, scenes: [{ ...scene, models: [someModel({ hollowed: HOLLOWED })] }] };
  const files = unzipSync(await savedBytes(hollow));
  assert.deepEqual(await readForm(path, noProgress), hollow);
  assert.equal(JSON.parse(Buffer.from(files["manifest.json"]).toString("utf8")).version, 1);
  assert.deepEqual(Object.keys(files).slice(1), [`meshes/${CUBE.hash}.mesh`, `meshes/${SPIKE.hash}.mesh`]);
});

test("poses are restored exactly, −0 as 0", async () => {
  const coordinate = fc.double({ min: -1e6, max: 1e6, noNaN: true });
  const angle = fc.double({ min: -180, minExcluded: true, max: 180, noNaN: true });
  const pose: fc.Arbitrary<Pose> = fc.record({
    position: fc.tuple(coordinate, coordinate, coordinate),
    orientation: fc.record({ x: fc.double({ min: -89, max: 89, noNaN: true }), y: angle, z: angle }),
    scale: fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
  });
  const numbersOf = ({ position, orientation: { x, y, z }, scale }: Pose): number[] => [...position, x, y, z, scale];
  await fc.assert(
    fc.asyncProperty(pose, async (pose) => {
      await writeForm(path, holding(pose), noProgress);
      const opened = numbersOf((await readForm(path, noProgress)).scenes[0].models[0].pose);
      for (const [i, saved] of numbersOf(pose).entries()) {
        assert.ok(Object.is(opened[i], saved + 0), `${saved} came back as ${opened[i]}`);
      }
    }),
    { numRuns: slowRuns(50) },
  );
});

test("each mesh is stored once and opened once, in shared memory, with the same measures", async () => {
  const entries = Object.keys(unzipSync(await savedBytes(PROJECT)));
  assert.deepEqual(entries, ["manifest.json", `meshes/${CUBE.hash}.mesh`, `meshes/${SPIKE.hash}.mesh`]);
  const [part, spike, copy] = (await readForm(path, noProgress)).scenes[0].models;
  assert.equal(part.mesh, copy.mesh);
  for (const [opened, saved] of [
    [part.mesh, CUBE],
    [spike.mesh, SPIKE],
  ]) {
    for (const { buffer } of [opened.vertices, opened.triangles]) assert.ok(buffer instanceof SharedArrayBuffer);
    assert.deepEqual([opened.box, opened.volumeMm3, opened.areaMm2], [saved.box, saved.volumeMm3, saved.areaMm2]);
  }
});

test("entries are laid out as the format's description says", async () => {
  const pose: Pose = { position: [1, -0, 3], orientation: { x: 0, y: 0, z: 90 }, scale: 2 };
  const entries = unzipSync(await savedBytes(holding(pose)));
  const { name, bytes } = meshEntry([...CUBE.vertices], [...CUBE.triangles]);
  assert.deepEqual(Buffer.from(entries[name]), Buffer.from(bytes));
  const manifest = new TextDecoder().decode(entries["manifest.json"]);
  assert.equal(
    manifest,
    '{"format":"printwright-form","version":1,"project_name":"Zähne 🦷","scenes":[{"name":"Scene 1","scene_settings":' +
      '{"machine_type":"FORM-4-0","material_code":"GREY","print_setting":"DEFAULT","layer_thickness_mm":0.1},' +
      '"models":[{"name":"part","original_file":"/parts/part.stl","units":"MILLIMETERS","visible":true,"lock":"FREE",' +
      '"position":{"x":1,"y":0,"z":3},"orientation":{"x":0,"y":0,"z":90},"scale":2,' +
      `"mesh":"${CUBE.hash}"}]}]}`,
  );
});

test("an empty project can be saved and opened", async () => {
  const empty = { projectName: "", scenes: [] };
  await writeForm(path, empty, noProgress);
  assert.deepEqual(await readForm(path, noProgress), empty);
});

test("a project that could not be opened again is not written, and only the old file remains", async () => {
  const bytes = await savedBytes(PROJECT);
  const nowhere = holding({ position: [NaN, 0, 0], orientation: { x: 0, y: 0, z: 0 }, scale: 1 });
  await assert.rejects(writeForm(path, nowhere, noProgress), /scenes\.0\.models\.0\.position\.x/);
  assert.deepEqual(readFileSync(path), bytes);
  assert.deepEqual(readdirSync(folder), ["project.form"]);
});

test("the error for a target that cannot be written names it", async () => {
  mkdirSync(path);
  for (const target of [path, join(folder, "missing", "project.form")]) {
    await assert.rejects(
      writeForm(target, PROJECT, noProgress),
      (thrown) =>
        thrown instanceof ApiError &&
        thrown.code === "OPERATION_FAILED" &&
        thrown.message.includes(JSON.stringify(target)),
    );
  }
  assert.deepEqual(readdirSync(folder), ["project.form"]);
});

test("saving and opening report progress and stop when cancelled, with the old file intact", async () => {
  const bytes = await savedBytes(holding(PROJECT.scenes[0].models[0].pose));
  const cancelled = newTaskState();
  cancelTask(cancelled);
  await assert.rejects(writeForm(path, PROJECT, taskProgress(cancelled)), CancelledError);
  await assert.rejects(readForm(path, taskProgress(cancelled)), CancelledError);
  assert.deepEqual(readFileSync(path), bytes);
  assert.deepEqual(readdirSync(folder), ["project.form"]);
  for (const work of [writeForm, (...[, , progress]: Parameters<typeof writeForm>) => readForm(path, progress)]) {
    const job = newTaskState();
    await work(path, PROJECT, taskProgress(job));
    assert.ok(readProgress(job) > 0.5 && readProgress(job) <= 1);
  }
});
