import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { bumpySphere } from "../bench/models.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { bodyOf, openTestServer } from "../fixture/test-server.ts";

// Drawing the thumbnails raised the progress of a print to 99 % at once, and it stayed there while all layers were sliced.

const jobs = mkdtempSync(join(tmpdir(), "printwright-progress-"));
after(() => rmSync(jobs, { recursive: true }));

test("the progress of a print follows its layers", async () => {
  const server = await openTestServer(["--virtual-printer", "FORM-4-0=Form", "--job-dir", jobs]);
  try {
    const setting = { machine_type: "FORM-4-0", material_code: "FLGPBK05", layer_thickness_mm: 0.1 };
    const scene_id = await server.newScene(setting);
    await server.importOne(scene_id, server.file("ball.stl", binaryStl(bumpySphere(20_000))));
    bodyOf(await server.ask("scale", { scene_id, scale: 0.4 }));
    const body = { scene_id, printer: "Form", job_name: "ball" };
    const { operation_url } = (await server.printwright.post("/v1/scene/print/?async=true", body)).body;
    const seen = new Set<number>();
    for (;;) {
      const { status, progress } = bodyOf(await server.printwright.call("GET", operation_url));
      if (status !== "IN_PROGRESS") break;
      seen.add(Math.floor(10 * progress));
      await sleep(10);
    }
    const tenths = [...seen].filter((tenth) => tenth >= 1 && tenth <= 8);
    assert.ok(tenths.length >= 4, `only ${[...seen].join()} tenths were seen`);
  } finally {
    await server.close();
  }
});
