import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import process from "node:process";
import { after, before } from "node:test";
import * as v from "valibot";
import { type OpenPrinter, openPrinterSchema } from "../../src/catalog/open-printer.ts";
import openPrinters from "../../src/catalog/open-printers.json" with { type: "json" };
import { openJob } from "../../src/job/job-readers.ts";
import { sampledTests } from "../fixture/long.ts";
import { type Printwright, startPrintwright } from "../fixture/printwright.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";

// Each open printer of the catalog slices a plate into its file, which is read back.

const file = temporaryFiles();
const SIZE_MM = [8, 5, 0.3] as const;
const PLATE = file("plate.stl", binaryStl(box(SIZE_MM)));

/** Makes a file that begins like an encrypted `.ctb` file, of the readable job. */
const CONVERTER = file(
  "convert.mjs",
  `import { readFileSync, writeFileSync } from "node:fs";
const [given, made] = process.argv.slice(2);
writeFileSync(made, Buffer.concat([Buffer.from("0701fd12", "hex"), readFileSync(given)]));`,
);
const MARK_BYTES = 4;

let printwright: Printwright;
before(async () => {
  printwright = await startPrintwright(["--job-converter", `ctb="${process.execPath}" "${CONVERTER}" {in} {out}`]);
});
after(() => printwright.stop());

/** Facts of a job file: layers, pixels as seen from above, the machine's name, and the lit area of a layer in mm². */
async function factsOf({ display, job }: OpenPrinter, path: string) {
  const read = await openJob(path);
  try {
    const { width, height, rowStarts, starts, ends, values } = await read.layer(5);
    let lit = 0;
    for (let run = 0; run < rowStarts[height]; run++) lit += ((ends[run] - starts[run]) * values[run]) / 255;
    const [columns, rows] = display.pixels;
    return {
      layers: read.exposuresS.length,
      pixels: display.portrait ? [height, width] : [width, height],
      name: read.printerName ?? job.machine_name,
      areaMm2: (lit * (display.size_mm[0] * display.size_mm[1])) / (columns * rows),
    };
  } finally {
    read.close();
  }
}

const PRINTERS = openPrinters.printers.map((facts) => v.parse(openPrinterSchema, facts));

for (const [printer, testOne] of sampledTests(PRINTERS, 37)) {
  testOne(`a plate for the ${printer.product_name} is sliced into its file`, async () => {
    const [layer_thickness_mm] = printer.layer_thicknesses_mm;
    const setting = { machine_type: printer.machine_type, material_code: "GENERIC-RESIN", layer_thickness_mm };
    const post = async (path: string, body: object) => bodyOf(await printwright.post(path, body));
    const { scene_id } = await post("/v1/scene/create/", setting);
    await post("/v1/scene/model/import/", { scene_id, file: PLATE });
    const path = file(`${printer.machine_type}${printer.job.extension}`, "");
    await post("/v1/scene/export/", { scene_id, file: path });
    const { converted_from: readable } = printer.job;
    const facts = await factsOf(
      printer,
      readable === undefined ? path : file(`readable${readable}`, readFileSync(path).subarray(MARK_BYTES)),
    );
    assert.equal(facts.layers, Math.round(SIZE_MM[2] / layer_thickness_mm));
    assert.deepEqual(facts.pixels, printer.display.pixels);
    assert.equal(facts.name.replace(/^Anycubic /, ""), printer.job.machine_name.replace(/^Anycubic /, ""));
    assert.ok(Math.abs(facts.areaMm2 - 40) < 1.5, `${facts.areaMm2} mm²`);
    await printwright.call("DELETE", "/v1/scene/delete/", { scene_id });
  });
}
