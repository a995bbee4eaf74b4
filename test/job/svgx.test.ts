import assert from "node:assert/strict";
import { test } from "node:test";
import { JOB_WRITERS } from "../../src/job/job-writers.ts";
import type { JobMetadata } from "../../src/job/job.ts";
import { encodeSvgxLayer } from "../../src/job/svgx/encode-svgx-layer.ts";
import type { GreyPicture } from "../fixture/job/read-png-layer.ts";
import { isInLoops, readSvgx } from "../fixture/job/read-svgx.ts";
import { runsOf } from "../fixture/job/runs-of.ts";
import { TOTALS, archiveOf, plainThumbnail, someJob } from "../fixture/job/some-job.ts";
import { painted, ring, someLayer } from "../fixture/job/some-layers.ts";
import { slowRuns } from "../fixture/long.ts";
import { fc } from "../fixture/property.ts";

const layers = [40, 35, 30].map((radius) => ring(120, 90, radius, 20));
const thumbnails = JOB_WRITERS.svgx.thumbnails.map(({ width, height }) =>
  plainThumbnail(width, height, [9, 8, 7, 255]),
);

function read(pictures: readonly GreyPicture[], changes: Partial<JobMetadata> = {}) {
  return readSvgx(archiveOf("svgx", { ...someJob(pictures, { thumbnails }), ...changes }, pictures));
}

const pathOf = (picture: GreyPicture): string =>
  new TextDecoder().decode(encodeSvgxLayer(runsOf(picture), [0.05, 0.1]).path);

test("a square is a path of four straight edges and short corners, a hole is a second loop of the path", () => {
  const square = painted(20, 10, (x, y) => (x >= 5 && x < 15 && y >= 2 && y < 8 ? 255 : 0));
  assert.equal(pathOf(square).match(/[ML]/g)!.length, 8);
  const holed = painted(20, 10, (x, y) => (square.pixels[20 * y + x] > 0 && !(x === 9 && y === 5) ? 255 : 0));
  const [outer, hole, ...others] = pathOf(holed).split("Z ");
  assert.equal(`${outer}Z`, pathOf(square));
  // Around the pixel that is 0.025 mm left of the middle and 0.05 mm below it.
  assert.equal(hole, "M -0.05 0.05 L -0.025 0 L 0 0.05 L -0.025 0.1 Z");
  assert.deepEqual(others, []);
});

test("outlines follow the coverage of pixels at edges", () => {
  // The part ends 0.2 pixels beyond the middle of the display.
  const [cut, ...others] = read([painted(40, 3, (x) => (x < 20 ? 255 : x === 20 ? 51 : 0))]).layers[0].loops;
  assert.deepEqual(others, []);
  const right = Math.max(...cut.map(([x]) => x)) / 0.019;
  // Coordinates are rounded to a tenth of a micron.
  assert.ok(Math.abs(right - 0.2) < 0.005, `${right}`);
  const disc = read([ring(120, 90, 35, 0)]).layers[0];
  for (const [x, y] of disc.loops[0]) {
    // The disc is around the centre of the pixel behind the middle.
    const radius = Math.hypot(x / 0.019 - 0.5, y / 0.024 - 0.5);
    assert.ok(Math.abs(radius - 35) < 0.1, `a point has the radius ${radius}`);
  }
  // An outline crosses the lines between centres about 280 times.
  const corners = disc.loops[0].length;
  assert.ok(corners > 24 && corners < 110, `${corners} corners`);
  assert.ok(Math.abs(disc.area / (Math.PI * 35 ** 2 * 0.019 * 0.024) - 1) < 2e-3);
});

test("the centres of pixels that are at least half covered are inside, those of others are not", () => {
  const property = fc.property(someLayer, (picture) => {
    const { width, height, pixels } = picture;
    const { loops } = read([picture]).layers[0];
    for (let y = 0; y < height; y++) {
      // A row of 1,500 pixels has thousands of edges: a few of its pixels are tested, also those next to edges.
      for (let x = 0; x < width; x++) {
        const isEdge = x === 0 || x === width - 1 || pixels[y * width + x] !== pixels[y * width + x - 1];
        if (!isEdge && x % 17 > 0) continue;
        const centre = [(x + 0.5 - width / 2) * 0.019, (y + 0.5 - height / 2) * 0.024] as const;
        assert.equal(isInLoops(loops, centre), pixels[y * width + x] >= 128, `pixel ${x}, ${y}`);
      }
    }
  });
  fc.assert(property, { numRuns: slowRuns(12) });
});

test("the parameters describe the job and the display, with totals of constant width", () => {
  const job = read(layers);
  assert.deepEqual(job.printparams, {
    machinename: "ELEGOO Saturn 4 Ultra",
    materialname: "Grey V5",
    layerheight: "0.05",
    layercount: "3",
    lightintensity: "100",
    resolutionx: "120",
    resolutiony: "90",
    displaywidth: "2.28",
    displayheight: "2.16",
    machinez: "220",
    volume: String(TOTALS.materialMl),
  });
  assert.deepEqual(job.projectiontime, { attachlayer: "2", buildinlayer: "6", attachtime: "30", basetime: "2.5" });
  const { minx, miny, maxx, maxy, minz, maxz } = job.printrange;
  const sides = [-39.5 * 0.019, -39.5 * 0.024, 40.5 * 0.019, 40.5 * 0.024];
  [minx, miny, maxx, maxy].forEach((value, i) => assert.ok(Math.abs(Number(value) - sides[i]) < 0.002, value));
  assert.deepEqual([minz, maxz], ["0", "0.15"]);
  const stream = JOB_WRITERS.svgx.stream(someJob(layers, { thumbnails }));
  const begun = [...stream.begin()].reduce((sum, { length }) => sum + length, 0);
  assert.equal(stream.end({ ...TOTALS, materialMl: 123_456.789 }).head!.length, begun);
});

test("previews are BMP files of 24 bits, and names are escaped", () => {
  const { previews, printparams } = read(layers, { material: { label: 'A & "B" <C>', code: "X" } });
  assert.deepEqual(
    previews.map(({ width, height }) => [width, height]),
    [
      [128, 128],
      [200, 240],
    ],
  );
  assert.deepEqual([...previews[0].pixels.subarray(0, 6)], [7, 8, 9, 7, 8, 9]);
  assert.equal(printparams.materialname, "A &amp; &quot;B&quot; &lt;C&gt;");
});

test("an empty layer has no path, and ADAPTIVE layers are refused", () => {
  const empty = painted(20, 10, () => 0);
  assert.deepEqual(read([empty]).layers, [{ area: 0, perimeter: 0, loops: [] }]);
  const adaptive = { ...someJob(layers), layerThicknessMm: "ADAPTIVE" } as const;
  assert.throws(() => JOB_WRITERS.svgx.requireCarriable?.(adaptive), { code: "OPERATION_FAILED" });
});
