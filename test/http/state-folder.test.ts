import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { longTest } from "../fixture/long.ts";
import { type Printwright, startPrintwright } from "../fixture/printwright.ts";
import { box, cylinder } from "../fixture/shapes.ts";
import { seenScene } from "../fixture/seen-scene.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { POWDER, RESIN, UNKNOWN_ID, bodyOf, codeOf } from "../fixture/test-server.ts";
import { until } from "../fixture/until.ts";

// The scenes of a server with a state folder come back in the next one.

const file = temporaryFiles();
const BLOCK = file("block.stl", binaryStl(box([14, 10, 4])));
const DISC = file("disc.stl", binaryStl(cylinder(4, 3, 24)));

const folders: string[] = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "printwright-state-"));
  folders.push(folder);
  return folder;
}

const start = (folder: string): Promise<Printwright> => startPrintwright(["--state-folder", folder]);

const newScene = async (server: Printwright, combination: object): Promise<string> =>
  bodyOf(await server.post("/v1/scene/create/", combination)).scene_id;

async function importInto(server: Printwright, scene_id: string, path: string): Promise<string> {
  return bodyOf(await server.post("/v1/scene/model/import/", { scene_id, file: path })).new_models[0].model_id;
}

/** A supported plate and a chamber with a cage, by name. */
async function workOn(server: Printwright): Promise<Readonly<Record<"plate" | "chamber", string>>> {
  const plate = await newScene(server, RESIN);
  await importInto(server, plate, BLOCK);
  await server.post("/v1/scene/model/auto-support/", { scene_id: plate });
  bodyOf(await server.post("/v1/scene/rename/", { scene_id: plate, name: "Gear case" }));
  const chamber = await newScene(server, POWDER);
  await importInto(server, chamber, DISC);
  bodyOf(await server.post("/v1/scene/model/cage/", { scene_id: chamber }));
  return { plate, chamber };
}

const recovery = async (server: Printwright) => bodyOf(await server.call("GET", "/ui/recovery/"));

const bringBack = (server: Printwright, ids: readonly string[]) => server.post("/ui/recovery/bring-back/", { ids });

longTest("scenes come back after a stop with all that they had, and damaged files are named", async () => {
  const folder = newFolder();
  const first = await start(folder);
  const { plate, chamber } = await workOn(first);
  const before = [await seenScene(first, plate), await seenScene(first, chamber)];
  assert.equal(await first.stop(), 0);
  assert.match(first.output.stdout, new RegExp(`The scenes are kept in ${folder}\n$`));

  writeFileSync(join(folder, "scenes", `${UNKNOWN_ID}.json`), '{"format": "printwright-');
  const second = await start(folder);
  const { scenes, damaged } = await recovery(second);
  assert.deepEqual(
    new Map(scenes.map(({ id, name, model_count }: Record<string, unknown>) => [id, [name, model_count]])),
    new Map<string, unknown>([
      [plate, ["Gear case", 1]],
      [chamber, ["Scene 3", 2]],
    ]),
  );
  assert.equal(damaged.length, 1);
  assert.match(damaged[0].reason, new RegExp(`${UNKNOWN_ID}.json.*damaged`));
  assert.equal(codeOf(await bringBack(second, [plate, UNKNOWN_ID])), "NOT_FOUND");
  assert.equal(codeOf(await bringBack(second, [])), "JSON_SCHEMA_MATCH_ERROR");
  assert.deepEqual(bodyOf(await bringBack(second, [plate, chamber])), { ids: [plate, chamber] });
  assert.deepEqual([await seenScene(second, plate), await seenScene(second, chamber)], before);
  assert.equal(codeOf(await bringBack(second, [plate])), "NOT_FOUND");
  assert.deepEqual((await recovery(second)).scenes, []);

  bodyOf(await second.call("DELETE", "/v1/scene/delete/", { scene_id: chamber }));
  bodyOf(await second.call("DELETE", "/ui/recovery/"));
  await second.stop();
  assert.deepEqual(readdirSync(join(folder, "scenes")), [`${plate}.json`]);
});

test("a folder has one server at a time", async () => {
  const folder = newFolder();
  const server = await start(folder);
  await assert.rejects(start(folder), new RegExp(`the process ${server.pid} uses it`));
  await server.stop();
});

longTest("a killed server leaves what it had kept, and a move writes no mesh again", async () => {
  const folder = newFolder();
  const first = await start(folder);
  const { plate } = await workOn(first);
  const keptFile = join(folder, "scenes", `${plate}.json`);
  await until("the plate is kept", () => existsSync(keptFile) && readFileSync(keptFile, "utf8").includes("Gear case"));
  const unmoved = readFileSync(keptFile, "utf8");
  // Those of the chamber may be written still, under names with a dot.
  const meshes = readdirSync(join(folder, "meshes")).filter((name) => !name.startsWith("."));
  const times = meshes.map((name) => statSync(join(folder, "meshes", name)).mtimeMs);
  const { models } = bodyOf(await first.post("/v1/scene/model/list/", { scene_id: plate }));
  const model_ids = [models[0].id];
  const move = { scene_id: plate, model_ids, position: { x: 3, y: 0, z: 0 }, mode: "RELATIVE" };
  bodyOf(await first.post("/v1/scene/model/translate/", move));
  const before = await seenScene(first, plate);
  await until("the move is kept", () => readFileSync(keptFile, "utf8") !== unmoved);
  await first.stop("SIGKILL");
  assert.deepEqual(
    meshes.map((name) => statSync(join(folder, "meshes", name)).mtimeMs),
    times,
  );
  assert.ok(readFileSync(keptFile).length < 100_000);
  const second = await start(folder);
  bodyOf(await bringBack(second, [plate]));
  assert.deepEqual(await seenScene(second, plate), before);
  await second.stop();
});

test("without --state-folder nothing is kept", async () => {
  const server = await startPrintwright();
  assert.deepEqual(await recovery(server), { scenes: [], damaged: [] });
  assert.equal(codeOf(await bringBack(server, [UNKNOWN_ID])), "INPUT_ERROR");
  await server.stop();
  assert.ok(!existsSync(join(process.cwd(), "scenes")));
});
