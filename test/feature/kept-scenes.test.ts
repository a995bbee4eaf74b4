import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { newId } from "../../src/core/id.ts";
import { MAX_KEPT_MS } from "../../src/core/limits.ts";
import { noProgress } from "../../src/core/progress.ts";
import { keepScenes, listKept, openKept, sweepKept } from "../../src/feature/projects/kept-scenes.ts";
import { type KeptScene, keptMeshFile, keptSceneFile } from "../../src/format/form/kept-scene.ts";
import { IDENTITY_POSE } from "../../src/geometry/pose.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { box } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";

const folder = mkdtempSync(join(tmpdir(), "printwright-kept-"));
after(() => rmSync(folder, { recursive: true }));

const NOW_MS = Date.parse("2026-11-28T12:00:00.000Z");
const DAY_MS = 24 * 60 * 60 * 1000;

const combination = {
  machineType: "FORM-4-0",
  materialCode: "FLGPGR05",
  printSetting: "DEFAULT",
  layerThicknessMm: 0.1,
};
const [SMALL, LARGE, OLD] = [1, 2, 3].map((size) => meshOf(box([size, size, size]))) as [Mesh, Mesh, Mesh];

function kept(meshes: readonly Mesh[], daysAgo: number): KeptScene {
  const models = meshes.map((mesh) => ({
    name: "part",
    originalFile: "/part.stl",
    units: "MILLIMETERS" as const,
    visible: true,
    lock: "FREE" as const,
    pose: IDENTITY_POSE,
    mesh,
  }));
  const keptAt = new Date(NOW_MS - daysAgo * DAY_MS).toISOString();
  const modelIds = meshes.map(newId);
  return {
    id: newId(),
    modelIds,
    cageIds: [],
    isNamed: true,
    keptAt,
    projectName: "",
    scene: { name: "A", combination, models },
  };
}

const keep = (changed: readonly KeptScene[], gone: readonly string[] = []): void =>
  keepScenes({ folder, changed, gone }, noProgress);
const meshNames = (): string[] => readdirSync(join(folder, "meshes")).toSorted();
const nameOf = ({ hash }: Mesh): string => `${hash}.mesh`;
const sweep = (inUse: readonly string[] = []): void => sweepKept({ folder, inUse, nowMs: NOW_MS });

const fresh = kept([SMALL, LARGE, SMALL], 1);
const old = kept([OLD, SMALL], MAX_KEPT_MS / DAY_MS + 1);

test("a scene is read as it was written, its meshes once", () => {
  keep([fresh, old]);
  assert.deepEqual(meshNames(), [SMALL, LARGE, OLD].map(nameOf).toSorted());
  const { document, id, modelIds, isNamed } = openKept({ folder, id: fresh.id }, noProgress);
  assert.deepEqual([id, modelIds, isNamed], [fresh.id, fresh.modelIds, true]);
  assert.deepEqual(
    document.scenes[0]!.models.map(({ mesh }) => [mesh.hash, ...mesh.vertices]),
    [SMALL, LARGE, SMALL].map((mesh) => [mesh.hash, ...mesh.vertices]),
  );
  assert.deepEqual(
    listKept(folder).scenes.map((scene) => scene.id),
    [fresh.id, old.id],
  );
});

test("a sweep removes scenes that are too old, unless they are in use, and meshes without a scene", () => {
  sweep([old.id]);
  assert.equal(meshNames().length, 3);
  sweep();
  assert.deepEqual(meshNames(), [SMALL, LARGE].map(nameOf).toSorted());
  assert.deepEqual(
    listKept(folder).scenes.map(({ id }) => id),
    [fresh.id],
  );
});

test("a damaged file is named and left alone, and meshes that it may need stay", () => {
  const second = kept([OLD], 0);
  keep([second]);
  truncateSync(keptSceneFile(folder, second.id), 40);
  const { scenes, damaged } = listKept(folder);
  assert.deepEqual([scenes.map(({ id }) => id), damaged.map(({ id }) => id)], [[fresh.id], [second.id]]);
  assert.match(damaged[0]!.reason, /damaged/);
  sweep();
  assert.equal(meshNames().length, 3);
  keep([], [second.id]);
  sweep();
  assert.equal(meshNames().length, 2);
});

test("a mesh that another program changed or removed is refused", () => {
  const path = keptMeshFile(folder, LARGE.hash);
  const open = () => openKept({ folder, id: fresh.id }, noProgress);
  truncateSync(path, 100);
  assert.throws(open, /damaged/);
  rmSync(path);
  assert.throws(open, /does not exist/);
  writeFileSync(keptSceneFile(folder, fresh.id), "{}");
  assert.throws(open, /damaged/);
});
