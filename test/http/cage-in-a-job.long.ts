import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { GreyPicture } from "../fixture/job/read-png-layer.ts";
import { readPrintjob } from "../fixture/job/read-printjob.ts";
import { uvSphere } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { POWDER, type TestServer, bodyOf, openTestServer } from "../fixture/test-server.ts";

// Supplement, section 6, "cage": the bars and the label of a lattice are in the layers of a job.

const jobs = mkdtempSync(join(tmpdir(), "printwright-caged-"));
let server: TestServer;
before(async () => {
  server = await openTestServer(["--virtual-printer", "FS30-1-0=Fuse", "--job-dir", jobs]);
});
after(async () => {
  await server.close();
  rmSync(jobs, { recursive: true });
});

const PIXEL_MM = 0.1;
/** The cage is within this distance of the middle. */
const REACH_MM = 12;

/** The square around the middle of a layer. */
function middleOf({ pixels, width, height }: GreyPicture): GreyPicture {
  const side = (2 * REACH_MM) / PIXEL_MM;
  const first = ((height - side) / 2) * width + (width - side) / 2;
  const rows = Array.from({ length: side }, (_, row) =>
    pixels.subarray(first + row * width, first + row * width + side),
  );
  return { pixels: Uint8Array.from(rows.flatMap((row) => [...row])), width: side, height: side };
}

/** Sum of greys between two y of the scene, in whole pixels. The first row is at the back. */
function coveredBetween({ pixels, width }: GreyPicture, fromMm: number, toMm: number): number {
  const [first, end] = [toMm, fromMm].map((y) => Math.round((REACH_MM - y) / PIXEL_MM));
  return pixels.subarray(first * width, end * width).reduce((sum, value) => sum + value, 0) / 255;
}

/** Sizes in pixels of the connected regions of pixels that are covered by half at least, the smallest first. */
function regionsOf({ pixels, width }: GreyPicture): number[] {
  const isLeft = Uint8Array.from(pixels, (value) => (value >= 128 ? 1 : 0));
  const sizes: number[] = [];
  for (let start = isLeft.indexOf(1); start >= 0; start = isLeft.indexOf(1, start)) {
    const stack = [start];
    isLeft[start] = 0;
    let size = 0;
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      size++;
      for (const next of [at - 1, at + 1, at - width, at + width]) {
        if (isLeft[next] !== 1) continue;
        isLeft[next] = 0;
        stack.push(next);
      }
    }
    sizes.push(size);
  }
  return sizes.sort((a, b) => a - b);
}

test("a job has the bars of 1 mm, the label and the whole volume of a cage", async () => {
  const scene_id = await server.newScene(POWDER);
  await server.importOne(scene_id, server.file("ball.stl", binaryStl(uvSphere(4, 48, 24))));
  const request = { scene_id, bar_thickness_mm: 1, cage_label: "O", generate_mesh_label: true };
  const [lattice] = bodyOf(await server.ask("cage", request)).new_model_ids;
  const scene = bodyOf(await server.printwright.post("/v1/scene/metadata/", { scene_id }));
  const print = { scene_id, printer: "Fuse", job_name: "caged", find_printer_timeout_seconds: 0 };
  bodyOf(await server.printwright.post("/v1/scene/print/", print));
  const layers = readPrintjob(readFileSync(join(jobs, readdirSync(jobs)[0]))).layers.map(middleOf);

  // Horizontal bars are nine layers high, so that one layer more or less changes them by up to a ninth.
  const volumeMl = scene.models.reduce((sum: number, { volume_ml }: { volume_ml: number }) => sum + volume_ml, 0);
  const covered = layers.map((layer) => coveredBetween(layer, -REACH_MM, REACH_MM) * PIXEL_MM ** 2);
  const printedMl = (covered.reduce((sum, area) => sum + area, 0) * POWDER.layer_thickness_mm) / 1000;
  assert.ok(Math.abs(printedMl - volumeMl) < 0.02 * volumeMl, `${printedMl} of ${volumeMl} ml`);

  // Above the lowest bars and below the ball, the plate of the label is the largest region, and every other region is a bar of 1 mm².
  const low = regionsOf(layers[Math.round(1.5 / POWDER.layer_thickness_mm)]);
  const bars = low.slice(0, -1);
  assert.ok(bars.length >= 8, `${bars.length} bars`);
  for (const pixels of bars) assert.ok(pixels >= 90 && pixels <= 121, `bars of ${bars} pixels`);

  // The letters are raised from the front wall; the back wall is as far from the ball as the front wall.
  const at = (id: string) => scene.models.find((model: { id: string }) => model.id === id).bounding_box;
  const box = at(lattice);
  const ball = at(scene.models.find(({ id }: { id: string }) => id !== lattice).id);
  const wall = ball.min_corner.y + ball.max_corner.y - box.max_corner.y;
  const raisedMm = wall - box.min_corner.y;
  assert.ok(raisedMm > 0.5 && raisedMm < 1, `${raisedMm}`);
  const letters = layers.map((layer) => coveredBetween(layer, box.min_corner.y, wall - 0.1));
  const lettered = letters.flatMap((pixels, k) => (pixels > 0 ? [k] : []));
  const heightMm = (lettered.at(-1)! - lettered[0] + 1) * POWDER.layer_thickness_mm;
  assert.ok(heightMm > 3.5 && heightMm < 12, `letters of ${heightMm} mm`);
  // At least two strokes of a letter.
  const strokes = Math.max(...letters) / ((raisedMm - 0.1) / PIXEL_MM);
  assert.ok(strokes > 10, `${strokes} pixels of strokes`);
});
