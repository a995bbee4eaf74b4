import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { unzipSync } from "fflate";
import { IMPLANT, latticeFile } from "../fixture/beam-lattice-file.ts";
import { inProcess } from "../fixture/in-process.ts";
import { type TestServer, bodyOf, openTestServer } from "../fixture/test-server.ts";

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

const here = inProcess();

/** The pictures of the layers of a job, by their names. */
const layersOf = (path: string): [string, Uint8Array][] =>
  Object.entries(unzipSync(readFileSync(path))).filter(
    ([name]) => name.endsWith(".png") && !/thumb|preview/i.test(name),
  );

test("the job of a beam lattice has the same layers from the executable, on all threads, and from one thread", async () => {
  const model = server.file("implant.3mf", latticeFile(IMPLANT));
  const scene_id = await server.newScene();
  const { warnings } = bodyOf(await server.import(scene_id, model));
  assert.match(warnings.join(), /lattice of beams/);
  const job = server.file("job.printjob", new Uint8Array());
  bodyOf(await server.printwright.post("/v1/scene/export/", { scene_id, file: job }));

  const own = await here.newScene();
  await here.ask("import", { scene_id: own, file: here.file("implant.3mf", latticeFile(IMPLANT)) });
  const ownJob = here.file("job.printjob", new Uint8Array());
  await here.post("/v1/scene/export/", { scene_id: own, file: ownJob });
  const layers = layersOf(job);
  assert.ok(layers.length > 80, String(layers.length));
  assert.deepEqual(layers, layersOf(ownJob));
});
