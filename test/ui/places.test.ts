import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { PagePlaces, PlacesRequest } from "../../src/ui/replies.ts";
import { awaitOperation } from "../fixture/client.ts";
import { type PageClient, pageClient } from "../fixture/page-client.ts";
import { concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { box, mug } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { moved } from "../fixture/surface-edits.ts";
import { POWDER, type TestServer, UNKNOWN_ID, bodyOf, openTestServer } from "../fixture/test-server.ts";

// Places of the findings that checks count, as the page shows them.

let server: TestServer;
let page: PageClient;
let mugFile: string;
let floating: string;
before(async () => {
  server = await openTestServer();
  page = pageClient(server.printwright.port);
  mugFile = server.file("mug.stl", binaryStl(mug(5, 4, 32)));
  const inTheAir = concatenateSurfaces([moved(box([4, 4, 4]), [0, 0, 2]), moved(box([4, 4, 4]), [12, 0, 12])]);
  floating = server.file("floating.stl", binaryStl(inTheAir));
});
after(() => server.close());

/** The body of a request for the places of these findings. */
const placesRequest = (name: string, scene_id: string, found: readonly (readonly string[])[]): PlacesRequest => ({
  check: `/v1/scene/model/validate/${name}/`,
  scene_id,
  request: { scene_id },
  found,
});

async function placesOf(
  name: string,
  scene_id: string,
  found: readonly (readonly string[])[] = [[UNKNOWN_ID]],
): Promise<PagePlaces> {
  const response = await page.post("/ui/places/", placesRequest(name, scene_id, found));
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as PagePlaces;
}

/** Moves the models of a scene, in their order, to these positions (x, y) on the platform. */
async function moveModelsTo(scene_id: string, places: readonly (readonly number[])[]): Promise<void> {
  for (const [i, { id, position }] of (await server.models(scene_id)).entries()) {
    const [x, y] = places[i];
    bodyOf(await server.ask("translate", { scene_id, model_ids: [id], position: { x, y, z: position.z } }));
  }
}

test("each copy of a mug has a cup at its own position, and the answer has the scene's version", async () => {
  const scene_id = await server.newScene();
  const first = await server.importOne(scene_id, mugFile);
  bodyOf(await server.ask("duplicate", { scene_id, count: 2 }));
  const models = await server.models(scene_id);
  await moveModelsTo(
    scene_id,
    models.map((_, i) => [20 * i - 20, 7 * i]),
  );
  const { version, places } = await placesOf("cups", scene_id);
  assert.equal(version, (await page.scene(scene_id)).version);
  assert.equal(places.length, 3);
  for (const [i, { id }] of models.entries()) {
    const { point, radius_mm, dots, size } = places.find(({ model_ids }) => model_ids[0] === id)!;
    const away = Math.hypot(point[0] - (20 * i - 20), point[1] - 7 * i);
    assert.ok(away < 0.3 && point[2] > 1 && point[2] < 5, `the cup of copy ${i} is ${away} mm away`);
    assert.ok(Math.abs(radius_mm - 5) < 0.3 && Math.abs(size - Math.PI * 25 * 4) < 10);
    for (let at = 0; at < dots.length; at += 3) {
      assert.ok(Math.hypot(dots[at] - point[0], dots[at + 1] - point[1]) < 5.4);
    }
  }
  bodyOf(await server.ask("delete", { scene_id, model_ids: [first] }));
  const fewer = await placesOf("cups", scene_id);
  assert.ok(fewer.version > version);
  assert.equal(fewer.places.length, 2);
});

test("a floating cube and its copies have a minimum and an unsupported area below them", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, floating);
  bodyOf(await server.ask("duplicate", { scene_id, count: 1 }));
  const models = await server.models(scene_id);
  // x of the middle of each copy; the floating cube is 6 mm from it.
  await moveModelsTo(scene_id, [
    [-10, 5],
    [30, 5],
  ]);
  for (const check of ["minima", "supportedness"]) {
    const { places } = await placesOf(check, scene_id);
    assert.deepEqual(places.map(({ model_ids }) => model_ids[0]).sort(), models.map(({ id }) => id).sort());
    for (const { model_ids, point, dots } of places) {
      const x = 40 * models.findIndex(({ id }) => id === model_ids[0]) - 4;
      assert.ok(Math.abs(point[0] - x) < 2.1 && Math.abs(point[1] - 5) < 2.1, `${check}: ${point.join(" ")}`);
      assert.ok(Math.abs(point[2] - 10) < 0.11, `${check}: height ${point[2]}`);
      assert.ok(dots.length >= 3 * 9);
      for (let at = 0; at < dots.length; at += 3) assert.ok(Math.abs(dots[at] - x) < 2.1);
    }
  }
});

test("overlaps are inside both models, and pairs have the order of the check", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, floating);
  bodyOf(await server.ask("duplicate", { scene_id, count: 1 }));
  // The cubes on the platform overlap from x = 2 to x = 3, and so do those in the air.
  await moveModelsTo(scene_id, [
    [5, 5],
    [8, 5],
  ]);
  const { interferences } = bodyOf(await server.ask("validate/interferences", { scene_id }));
  assert.equal(interferences.length, 1);
  const { places } = await placesOf("interferences", scene_id, interferences);
  assert.ok(places.length > 0);
  for (const { model_ids, point, dots } of places) {
    assert.deepEqual(model_ids, interferences[0]);
    for (let at = -3; at < dots.length; at += 3) {
      const [x, y, z] = at < 0 ? point : dots.slice(at, at + 3);
      const isIn = [0, 12].some((from) => x > from - 0.01 && x < from + 1.01 && (from === 0 ? z < 4.01 : z > 9.99));
      assert.ok(isIn && Math.abs(y - 5) < 2.01, `${x} ${y} ${z}`);
    }
  }
  const [[id]] = interferences;
  for (const [pair, code] of [
    [[id, UNKNOWN_ID], "NOT_FOUND"],
    [[id], "INPUT_ERROR"],
  ] as const) {
    const response = await page.post("/ui/places/", placesRequest("interferences", scene_id, [pair]));
    assert.equal(((await response.json()) as { error: { code: string } }).error.code, code);
  }
});

test("an open edge is marked where the model is placed", async () => {
  const scene_id = await server.newScene(POWDER);
  const { vertices, triangles } = box([4, 4, 4]);
  const torn = server.file("torn.stl", binaryStl({ vertices, triangles: triangles.subarray(3) }));
  const imported = await server.printwright.post("/v1/scene/model/import/", {
    scene_id,
    file: torn,
    repair_behavior: "IGNORE",
  });
  const [{ model_id }] = bodyOf(imported).new_models;
  const position = { x: 11, y: -7, z: 30 };
  bodyOf(await server.ask("translate", { scene_id, model_ids: [model_id], position }));
  const { places } = await placesOf("manifoldness", scene_id, [[model_id], [model_id]]);
  assert.equal(places.length, 1);
  assert.deepEqual([places[0].model_ids, places[0].size], [[model_id], 3]);
  const { dots } = places[0];
  for (let at = 0; at < dots.length; at += 3) {
    assert.ok([11, -7, 30].every((middle, axis) => Math.abs(dots[at + axis] - middle) < 2.01));
  }
});

test("self-intersections are marked; places outside the volume have the side and the distance", async () => {
  const scene_id = await server.newScene(POWDER);
  const crossing = concatenateSurfaces([box([4, 4, 4]), moved(box([4, 4, 4]), [2, 1, 1])]);
  const model_id = await server.importOne(scene_id, server.file("crossing.stl", binaryStl(crossing)));
  const right = (await page.scene(scene_id)).volume.dimensions_mm[0] / 2;
  bodyOf(await server.ask("translate", { scene_id, model_ids: [model_id], position: { x: right, y: -7, z: 30 } }));
  const crossed = await placesOf("manifoldness", scene_id, [[model_id], [model_id]]);
  assert.deepEqual(
    crossed.places.map(({ kind }) => kind),
    ["CROSSING"],
  );
  assert.ok(Math.hypot(crossed.places[0].point[0] - right, crossed.places[0].point[1] + 7) < 5);
  const { places } = await placesOf("in-bounds", scene_id, [[model_id]]);
  assert.deepEqual(
    places.map(({ kind, size, model_ids }) => [kind, size, model_ids]),
    [["RIGHT", 3, [model_id]]],
  );
});

test("places can be computed in an operation", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, mugFile);
  const begun = await page.post("/ui/places/?async=true", placesRequest("cups", scene_id, [[UNKNOWN_ID]]));
  const { operation_id } = (await begun.json()) as { operation_id: string };
  const operation_url = `/v1/operation/get/?operation_id=${operation_id}`;
  const { result } = await awaitOperation(server.printwright, { status: 202, headers: {}, body: { operation_url } });
  assert.deepEqual(result, await placesOf("cups", scene_id));
});

test("empty and powder scenes have no places; other checks, unknown scenes and foreign origins are refused", async () => {
  const powder = await server.newScene(POWDER);
  await server.importOne(powder, mugFile);
  for (const scene_id of [await server.newScene(), powder]) {
    assert.deepEqual((await placesOf("cups", scene_id)).places, []);
  }
  for (const [body, code] of [
    [placesRequest("cups", UNKNOWN_ID, [[UNKNOWN_ID]]), "INPUT_ERROR"],
    [placesRequest("hold", powder, [[UNKNOWN_ID]]), "JSON_SCHEMA_MATCH_ERROR"],
    [
      { ...placesRequest("cups", powder, [[UNKNOWN_ID]]), request: { scene_id: powder, a: 1 } },
      "JSON_SCHEMA_MATCH_ERROR",
    ],
    [placesRequest("cups", powder, []), "JSON_SCHEMA_MATCH_ERROR"],
  ] as const) {
    const response = await page.post("/ui/places/", body);
    const { error } = (await response.json()) as { error: { code: string } };
    assert.equal(error.code, code);
  }
  const foreign = await fetch(`http://127.0.0.1:${server.printwright.port}/ui/places/`, {
    method: "POST",
    headers: { Origin: "http://example.com" },
    body: JSON.stringify(placesRequest("cups", powder, [[UNKNOWN_ID]])),
  });
  assert.equal(foreign.status, 403);
});
