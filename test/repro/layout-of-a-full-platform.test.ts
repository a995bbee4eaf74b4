import { after, before, test } from "node:test";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { bodyOf, openWorkshop, type Workshop } from "../fixture/workshop.ts";

let workshop: Workshop;
before(async () => void (workshop = await openWorkshop()));
after(() => workshop.close());

test("what fill-build-platform has laid out fits auto-layout, too", async () => {
  const scene_id = await workshop.newScene();
  await workshop.importOne(scene_id, workshop.file("cube.stl", binaryStl(box([40, 30, 10]))));
  bodyOf(await workshop.ask("fill-build-platform", { scene_id }));
  bodyOf(await workshop.ask("auto-layout", { scene_id }));
});
