import assert from "node:assert/strict";
import { after, before } from "node:test";
import { bumpySphere } from "../bench/models.ts";
import { longTest } from "../fixture/long.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { type TestServer, bodyOf, openTestServer } from "../fixture/test-server.ts";

// Long operations of other scenes, more than there are threads, do not delay small requests.

const LONG = 4;
/** Without this a test is ended after a minute, which it may exceed on busy machines. */
const TIMEOUT_MS = 300_000;
let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

longTest(
  "small requests are answered while long operations of other scenes hold every thread and wait in the queue",
  async () => {
    const { printwright, folder } = server;
    const large = server.file("large.stl", binaryStl(bumpySphere(40_000)));
    const small = server.file("small.stl", binaryStl(box([10, 12, 14])));
    const scene_id = await server.newScene();
    const others: string[] = [];
    for (let i = 0; i < LONG; i++) {
      const other = await server.newScene();
      await server.importOne(other, large);
      others.push(other);
    }
    const operations: string[] = [];
    for (const other of others) {
      const reply = await printwright.post("/v1/scene/model/auto-support/?async=true", { scene_id: other });
      assert.equal(reply.status, 202);
      operations.push(reply.body.operation_id);
    }
    for (const ask of [
      () => server.import(scene_id, small),
      () => printwright.post("/v1/scene/render/", { scene_id, file: `${folder}/small.png`, image_size_px: 100 }),
      () => server.ask("validate/manifoldness", { scene_id }),
      () => server.ask("validate/cups", { scene_id }),
    ]) {
      bodyOf(await ask());
    }
    const listed = bodyOf(await printwright.post("/v1/operation/list/", { operations })).operations;
    const ended = listed.filter(({ status }: { status: string }) => status !== "IN_PROGRESS");
    assert.ok(ended.length < 2, `${ended.length} of ${LONG} long operations ended before four small requests`);
    bodyOf(await printwright.post("/v1/operation/cancel/", { operations }));
    const cancelled = bodyOf(await printwright.post("/v1/operation/list/", { operations })).operations;
    assert.ok(cancelled.every(({ status }: { status: string }) => status !== "IN_PROGRESS"));
  },
  TIMEOUT_MS,
);
