import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before } from "node:test";
import * as v from "valibot";
import { type OpenPrinter, openPrinterSchema } from "../../src/catalog/open-printer.ts";
import openPrinters from "../../src/catalog/open-printers.json" with { type: "json" };
import { readAnycubicFields } from "../fixture/job/read-anycubic.ts";
import { readCtbFields } from "../fixture/job/read-ctb.ts";
import { readCxdlp, readCxdlp4 } from "../fixture/job/read-cxdlp.ts";
import { readGooFields } from "../fixture/job/read-goo.ts";
import { readSl1 } from "../fixture/job/read-sl1.ts";
import { sampledTests } from "../fixture/long.ts";
import { type Printwright, startPrintwright } from "../fixture/printwright.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";

// Each open printer of the catalog slices a plate into its file, which the reader of that format accepts.

const file = temporaryFiles();
const SIZE_MM = [8, 5, 0.3] as const;
const PLATE = file("plate.stl", binaryStl(box(SIZE_MM)));

let printwright: Printwright;
before(async () => {
  printwright = await startPrintwright();
});
after(() => printwright.stop());

/** Facts of a job by the reader of its format: layers, pixels, the machine's name, and the lit area of a layer in mm². */
interface JobFacts {
  readonly layers: number;
  readonly pixels: readonly number[];
  readonly name?: string | undefined;
  readonly areaMm2?: number;
}

function factsOf(printer: OpenPrinter, job: Uint8Array): JobFacts {
  const { display } = printer;
  if (printer.job.format === "goo") {
    const { header, layers } = readGooFields(job);
    return { layers: layers.length, pixels: header.pixels, name: header.printerName };
  }
  if (printer.job.format.startsWith("sl1")) {
    const { layers, config } = readSl1(job);
    const [{ width, height }] = layers;
    return {
      layers: layers.length,
      pixels: display.portrait ? [height, width] : [width, height],
      name: config.printerModel,
    };
  }
  if (printer.job.format.startsWith("ctb")) {
    const { header, layers, slicer } = readCtbFields(job);
    return { layers: layers.length, pixels: header.pixels, name: slicer.machine };
  }
  if (printer.job.format === "cxdlp-4") {
    const { header, layers, model } = readCxdlp4(job);
    return { layers: layers.length, pixels: header.pixels, name: model.replace(/\0$/, "") };
  }
  if (printer.job.format.startsWith("cxdlp")) {
    const { layers, model } = readCxdlp(job);
    const [{ width, height }] = layers;
    return { layers: layers.length, pixels: [width, height], name: model.replace(/\0$/, "") };
  }
  const { header, layers, machine } = readAnycubicFields(job);
  const pixelMm2 = (display.size_mm[0] / display.pixels[0]) * (display.size_mm[1] / display.pixels[1]);
  return {
    layers: layers.length,
    pixels: [header.columns, header.rows],
    name: machine?.name,
    areaMm2: layers[5].litPixels * pixelMm2,
  };
}

const PRINTERS = openPrinters.printers.map((facts) => v.parse(openPrinterSchema, facts));

for (const [printer, testOne] of sampledTests(PRINTERS, 7)) {
  testOne(`a plate for the ${printer.product_name} is sliced into its file`, async () => {
    const [layer_thickness_mm] = printer.layer_thicknesses_mm;
    const setting = { machine_type: printer.machine_type, material_code: "GENERIC-RESIN", layer_thickness_mm };
    const post = async (path: string, body: object) => bodyOf(await printwright.post(path, body));
    const { scene_id } = await post("/v1/scene/create/", setting);
    await post("/v1/scene/model/import/", { scene_id, file: PLATE });
    const path = file(`${printer.machine_type}${printer.job.extension}`, "");
    await post("/v1/scene/export/", { scene_id, file: path });
    const { layers, pixels, name, areaMm2 = 40 } = factsOf(printer, readFileSync(path));
    assert.equal(layers, Math.round(SIZE_MM[2] / layer_thickness_mm));
    assert.deepEqual(pixels, printer.display.pixels);
    assert.equal(name ?? printer.job.machine_name, printer.job.machine_name);
    assert.ok(Math.abs(areaMm2 - 40) < 1.5, `${areaMm2} mm²`);
    await printwright.call("DELETE", "/v1/scene/delete/", { scene_id });
  });
}
