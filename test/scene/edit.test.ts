import assert from "node:assert/strict";
import { MAX_MODELS } from "../../src/core/limits.ts";
import { test } from "node:test";
import { ApiError, type ErrorCode } from "../../src/core/api-error.ts";
import {
  appendModels,
  appendScenes,
  removeModels,
  removeScene,
  replaceModels,
  replaceScene,
} from "../../src/scene/edit.ts";
import type { Project } from "../../src/scene/project.ts";
import { POWDER_SETTING, sceneModel, someScene } from "../fixture/some-scene.ts";

const [A, B, C] = ["a", "b", "c"].map((name) => sceneModel({ name }));
const SCENES = [{ ...someScene([A, B]), name: "first" }, someScene([C], POWDER_SETTING), someScene()];
const PROJECT: Project = { scenes: SCENES };

/** Runs an edit and asserts that its input is unchanged. */
function edited<T>(edit: () => T): T {
  const [project, lists] = [[...PROJECT.scenes], SCENES.map(({ models }) => [...models])];
  const result = edit();
  assert.deepEqual(PROJECT.scenes, project);
  SCENES.forEach(({ models }, i) => assert.deepEqual(models, lists[i]));
  return result;
}

const hasCode =
  (code: ErrorCode) =>
  (thrown: unknown): boolean =>
    thrown instanceof ApiError && thrown.code === code;

test("the scene with the same id is replaced, at its position, and the others remain the same objects", () => {
  const next = { ...SCENES[1], models: [] };
  const { scenes } = edited(() => replaceScene(PROJECT, next));
  const expected = [SCENES[0], next, SCENES[2]];
  assert.ok(scenes.length === 3 && scenes.every((scene, i) => scene === expected[i]));
});

test("new scenes come last, in their order", () => {
  const more = [someScene(), someScene()];
  assert.deepEqual(edited(() => appendScenes(PROJECT, more, 5)).scenes, [...SCENES, ...more]);
});

test("one scene above the limit is BUILD_VOLUME_LIMIT_EXCEEDED, and none of the new ones is added", () => {
  const more = [someScene(), someScene()];
  edited(() => assert.throws(() => appendScenes(PROJECT, more, 4), hasCode("BUILD_VOLUME_LIMIT_EXCEEDED")));
  assert.equal(appendScenes(PROJECT, more.slice(1), 4).scenes.length, 4);
});

test("a scene is removed; the order of the others is kept", () => {
  assert.deepEqual(edited(() => removeScene(PROJECT, SCENES[1])).scenes, [SCENES[0], SCENES[2]]);
});

test("the default scene is emptied in place: it keeps its id, its setting and its place, not its name", () => {
  const { scenes } = edited(() => removeScene(PROJECT, SCENES[0]));
  assert.deepEqual(scenes, [
    { id: SCENES[0].id, setting: SCENES[0].setting, models: [], cages: [] },
    SCENES[1],
    SCENES[2],
  ]);
});

test("models with the same ids are replaced, at their positions, and unknown ones are ignored", () => {
  const next = { ...B, name: "other" };
  const { models, ...rest } = edited(() => replaceModels(SCENES[0], [C, next]));
  assert.deepEqual(models, [A, next]);
  assert.equal(models[0], A);
  assert.deepEqual(rest, { id: SCENES[0].id, setting: SCENES[0].setting, name: "first", cages: [] });
});

test("new models come last, in their order", () => {
  assert.deepEqual(edited(() => appendModels(SCENES[0], [C])).models, [A, B, C]);
});

test("one model above 10,000 in a scene is INPUT_ERROR", () => {
  assert.equal(MAX_MODELS, 10_000);
  const full = someScene(Array.from({ length: MAX_MODELS - 1 }, () => A));
  assert.equal(appendModels(full, [B]).models.length, MAX_MODELS);
  assert.throws(() => appendModels(full, [B, C]), hasCode("INPUT_ERROR"));
});

test("models are removed; the order of the others is kept", () => {
  const scene = someScene([A, B, C]);
  assert.deepEqual(removeModels(scene, [B]).models, [A, C]);
  assert.deepEqual(removeModels(scene, []).models, [A, B, C]);
  assert.deepEqual(removeModels(scene, [C, A, B]).models, []);
  assert.deepEqual(scene.models, [A, B, C]);
});
