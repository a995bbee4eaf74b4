import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, type ErrorCode } from "../../src/core/api-error.ts";
import { countSelected, findModel, findScene, selectModels } from "../../src/scene/find.ts";
import type { Project } from "../../src/scene/project.ts";
import { sceneModel, someScene } from "../fixture/some-scene.ts";
import { UNKNOWN_ID } from "../fixture/test-server.ts";

const [A, B, C] = ["a", "b", "c"].map((name) => sceneModel({ name }));
const SCENE = someScene([A, B, C]);
const PROJECT: Project = { scenes: [someScene(), SCENE] };
const spellings = (id: string): string[] => [id, `{${id}}`, id.toUpperCase(), `{${id.toUpperCase()}}`];
const MALFORMED = ["", "a", "{}", A.id.slice(1), `{${A.id}`];

function refuses(code: ErrorCode, message: string, work: () => unknown): void {
  assert.throws(work, (thrown) => {
    assert.ok(thrown instanceof ApiError);
    assert.equal(thrown.code, code);
    assert.ok(thrown.message.includes(message), thrown.message);
    return true;
  });
}

test("a scene is found by its id in any case, with or without braces", () => {
  for (const id of spellings(SCENE.id)) assert.equal(findScene(PROJECT, id), SCENE);
});

test("a malformed or unknown scene id is INPUT_ERROR", () => {
  for (const id of MALFORMED) refuses("INPUT_ERROR", `"${id}"`, () => findScene(PROJECT, id));
  refuses("INPUT_ERROR", UNKNOWN_ID, () => findScene(PROJECT, UNKNOWN_ID));
  refuses("INPUT_ERROR", A.id, () => findScene(PROJECT, A.id));
});

test("a model is found by its id in any case, with or without braces", () => {
  for (const id of spellings(B.id)) assert.equal(findModel(SCENE, id), B);
});

test("a malformed or unknown model id is NOT_FOUND", () => {
  for (const id of [...MALFORMED, UNKNOWN_ID, SCENE.id]) {
    refuses("NOT_FOUND", id, () => findModel(SCENE, id));
    refuses("NOT_FOUND", id, () => selectModels(SCENE, [A.id, id]));
  }
});

test("absent or empty model_ids select every model", () => {
  assert.deepEqual(selectModels(SCENE), [A, B, C]);
  assert.deepEqual(selectModels(SCENE, []), [A, B, C]);
  assert.deepEqual(selectModels(someScene()), []);
});

test("model_ids select models in the given order, each once", () => {
  assert.deepEqual(selectModels(SCENE, [C.id, A.id]), [C, A]);
  assert.deepEqual(selectModels(SCENE, [C.id, A.id, `{${C.id}}`, A.id.toUpperCase()]), [C, A]);
});

test("model ids count once, whatever their spelling, known or not", () => {
  assert.equal(countSelected(SCENE), 3);
  assert.equal(countSelected(SCENE, []), 3);
  assert.equal(countSelected(SCENE, spellings(A.id)), 1);
  assert.equal(countSelected(SCENE, [...spellings(A.id), ...spellings(UNKNOWN_ID), "no id", "no id"]), 3);
});
