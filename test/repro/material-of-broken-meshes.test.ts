import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { combine } from "../../src/mesh/combine.ts";
import { facetsOf, insideOut, moved, withFacets } from "../fixture/altered.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { bodyOf, openWorkshop, RESIN, type Workshop } from "../fixture/workshop.ts";

// Meshes that are imported as they are told the signed volume of their facets: half of it, or nothing at all.

let shop: Workshop;
before(async () => {
  shop = await openWorkshop();
});
after(() => shop.close());

async function volumeMl(scene_id: string): Promise<number> {
  return (await shop.scene(scene_id)).material_usage.volume_ml;
}

async function sceneOf(file: string): Promise<string> {
  const scene_id = await shop.newScene(RESIN);
  await shop.importOne(scene_id, file, { repair_behavior: "IGNORE" });
  return scene_id;
}

const corpus = (name: string): string => fileURLToPath(new URL(`../fixture/corpus/${name}`, import.meta.url));
const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual / expected - 1) < 0.01, `${actual} is not ${expected}`);

test("the material of a mesh with gaps or turned facets is that of the solid", async () => {
  near(await volumeMl(await sceneOf(corpus("gen-65004-holes12.stl"))), 12.8906);
  near(await volumeMl(await sceneOf(corpus("gen-472042-flip30.stl"))), 156.2035);
  const open = withFacets(box([10, 10, 10]), facetsOf(box([10, 10, 10])).slice(1));
  near(await volumeMl(await sceneOf(shop.file("open.stl", binaryStl(open)))), 1);
});

test("an inside-out body beside another counts as both do, also at another scale and unit, and opened again", async () => {
  const two = combine([moved(box([10, 10, 10]), [-10, 0, 0]), insideOut(moved(box([10, 10, 10]), [10, 0, 0]))]);
  const scene_id = await sceneOf(shop.file("two.stl", binaryStl(two)));
  near(await volumeMl(scene_id), 2);
  bodyOf(await shop.ask("scale", { scene_id, scale: 0.5 }));
  near(await volumeMl(scene_id), 0.25);
  const file = join(shop.folder, "two.form");
  bodyOf(await shop.printwright.post("/v1/scene/save/", { scene_ids: [scene_id], file }));
  const { scenes } = bodyOf(await shop.printwright.post("/v1/scene/open/", { file }));
  near(await volumeMl(scenes[0].scene_id), 0.25);
  bodyOf(await shop.ask("update", { scene_id, units: "INCHES" }));
  near(await volumeMl(scene_id), 0.25 * 25.4 ** 3);
});
