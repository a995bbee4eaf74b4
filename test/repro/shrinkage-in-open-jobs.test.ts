import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { strFromU8, unzipSync } from "fflate";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { bodyOf, openTestServer } from "../fixture/test-server.ts";

// Jobs for open printers have no field for the factors that compensate shrinkage: parts were printed in the wrong size.

const jobs = mkdtempSync(join(tmpdir(), "printwright-shrinkage-"));
after(() => rmSync(jobs, { recursive: true }));

test("a print setting that corrects for shrinkage enlarges the layers of a job that cannot store the factors", async () => {
  const server = await openTestServer(["--virtual-printer", "PRUSA-SL1=One", "--job-dir", jobs]);
  try {
    const { printer_types } = bodyOf(
      await server.printwright.post("/v1/print-setting/list/", { compatible_with: "One" }),
    );
    const scene_id = await server.newScene(printer_types[0].materials[0].material_settings[0].scene_settings);
    await server.importOne(scene_id, server.file("box.stl", binaryStl(box([10, 10, 1]))));
    const file = join(server.folder, "corrected.fps");
    bodyOf(await server.printwright.post("/v1/print-setting/save/", { scene_id, file }));
    writeFileSync(file, readFileSync(file, "utf8").replace(/("x_correction_factor":\s*)[\d.]+/, "$11.1"));
    bodyOf(await server.printwright.post("/v1/scene/update/", { scene_id, fps_file: file }));
    const reply = await server.printwright.post("/v1/scene/print/", {
      scene_id,
      printer: "One",
      job_name: "corrected",
    });
    assert.equal(bodyOf(reply).compensation, "enlarged by 1.1, 1, 1");
    assert.equal(readdirSync(jobs).length, 1);
    const job = join(server.folder, "corrected.sl1");
    const exported = bodyOf(await server.printwright.post("/v1/scene/export/", { scene_id, file: job }));
    assert.equal(exported.compensation, "enlarged by 1.1, 1, 1");
    assert.match(
      strFromU8(unzipSync(readFileSync(job))["prusaslicer.ini"]!),
      /\nprintwright_compensation = enlarged by /,
    );
  } finally {
    await server.close();
  }
});
