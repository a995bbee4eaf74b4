import assert from "node:assert/strict";
import { test } from "node:test";
import { type JobCycle, type JobExposure, NO_STAGES, stagedMotion } from "../../../src/job/job-exposure.ts";
import { JOB_WRITERS } from "../../../src/job/job-writers.ts";
import type { JobMetadata } from "../../../src/job/job.ts";
import { readChituZip } from "../../fixture/job/read-gcode-zip.ts";
import { EXAMPLE_CYCLE, exampleExposure } from "../../fixture/job/example-cycle.ts";
import { archiveOf, someJob } from "../../fixture/job/some-job.ts";
import { ring } from "../../fixture/job/some-layers.ts";

const layers = [40, 35, 30, 25].map((radius) => ring(120, 90, radius, 20));

const exposureWith = (firstCycle: JobCycle, normalCycle: JobCycle): JobExposure =>
  exampleExposure(2, firstCycle, normalCycle);

const written = (exposure: JobExposure, changes: Partial<JobMetadata> = {}) =>
  readChituZip(archiveOf("chitu-zip", someJob(layers, { exposure, ...changes }), layers));

test("an independent reader finds the layers, their heights, lifts and exposures", () => {
  const { layers: read, names } = written(exposureWith(EXAMPLE_CYCLE, EXAMPLE_CYCLE));
  assert.deepEqual(names, ["1.png", "2.png", "3.png", "4.png", "run.gcode"]);
  assert.deepEqual(
    read.map(({ picture }) => picture),
    layers,
  );
  assert.deepEqual(
    read.map(({ zMm, peakMm, exposureMs }) => [zMm, peakMm, exposureMs]),
    [
      [0.05, 5.05, 30_000],
      [0.1, 5.1, 29_000],
      [0.15, 5.15, 28_000],
      [0.2, 5.2, 27_000],
    ],
  );
});

test("the G-code has the text and the order that other programs write", () => {
  const { start, blocks, end } = written(exposureWith(EXAMPLE_CYCLE, EXAMPLE_CYCLE));
  assert.deepEqual(start, [
    ";START_GCODE_BEGIN",
    "G21 ;Set units to be mm",
    "G90 ;Absolute positioning",
    "M106 S0 ;Turn LED off",
    ";<Slice> Blank",
    "M17 ;Enable motors",
    "G28 Z0 ;Home Z",
    ";END_GCODE_BEGIN",
  ]);
  assert.deepEqual(blocks[0], [
    ";LAYER_START:0",
    ";PositionZ:0.05mm",
    'M6054 "1.png";Show image',
    "G0 Z5.05 F65 ;Z Lift (1)",
    "G0 Z0.05 F150 ;Retract (1)",
    "G4 P2500 ;Wait before cure",
    "M106 S255 ;Turn LED",
    "G4 P30000 ;Cure time/delay",
    "M106 S0 ;Turn LED off",
    ";LAYER_END",
  ]);
  assert.deepEqual(end, [
    ";START_GCODE_END",
    "M106 S0 ;Turn LED off",
    "G0 Z5.2 F65 ;Z Lift",
    "G1 Z220 F150 ;Move to the top",
    "M18 ;Disable motors",
    ";END_GCODE_END",
    ";<Completed>",
  ]);
});

test("a block begins with the motions after the layer below; stages and waits have lines of their own", () => {
  const first: JobCycle = {
    waitBeforeLiftS: 1,
    lift: stagedMotion({ mm: 2, mmPerMin: 30 }, { mm: 4, mmPerMin: 150 }),
    waitAfterLiftS: 2,
    retract: stagedMotion({ mm: 5, mmPerMin: 120 }, { mm: 1, mmPerMin: 36 }),
    waitAfterRetractS: 0,
    light: 200,
  };
  const { blocks } = written(exposureWith(first, EXAMPLE_CYCLE));
  const staged = (zMm: number): string[] => [
    `G0 Z${zMm + 2} F30 ;Z Lift (1)`,
    `G0 Z${zMm + 6} F150 ;Z Lift (2)`,
    "G4 P2000 ;Wait after lift",
    `G0 Z${zMm + 1} F120 ;Retract (1)`,
    `G0 Z${zMm} F36 ;Retract (2)`,
    "G4 P0 ;Wait before cure",
  ];
  assert.deepEqual(blocks[1].slice(3), [
    ...staged(0.1),
    "M106 S200 ;Turn LED",
    "G4 P29000 ;Cure time/delay",
    "M106 S0 ;Turn LED off",
    "G4 P1000 ;Wait after cure",
    ";LAYER_END",
  ]);
  assert.deepEqual(blocks[2].slice(3, 11), [...staged(0.15), "M106 S255 ;Turn LED", "G4 P28000 ;Cure time/delay"]);
  assert.equal(blocks[3][3], "G0 Z5.2 F65 ;Z Lift (1)");
});

test("the head has the keys in their order, with line breaks replaced", () => {
  const normal = {
    ...EXAMPLE_CYCLE,
    lift: stagedMotion({ mm: 2, mmPerMin: 60 }, { mm: 4, mmPerMin: 120 }),
    light: 240,
  };
  const { head } = written(exposureWith(EXAMPLE_CYCLE, normal));
  assert.deepEqual(Object.entries(head), [
    ["fileName", "Räder 3/4"],
    ["machineType", "ELEGOO Saturn 4 Ultra"],
    ["estimatedPrintTime", "5789.4"],
    ["volume", "12.75"],
    ["resin", "Grey V5"],
    ["weight", "14.25"],
    ["price", "0"],
    ["layerHeight", "0.05"],
    ["resolutionX", "120"],
    ["resolutionY", "90"],
    ["machineX", "218.88"],
    ["machineY", "122.88"],
    ["machineZ", "220"],
    ["projectType", "LCD_mirror"],
    ["normalExposureTime", "8"],
    ["bottomLayExposureTime", "35"],
    ["bottomLayerExposureTime", "35"],
    ["normalDropSpeed", "150"],
    // 2 mm in 2 s and 4 mm in 2 s.
    ["normalLayerLiftSpeed", "90"],
    ["normalLayerLiftHeight", "6"],
    ["zSlowUpDistance", "2"],
    ["bottomLayCount", "2"],
    ["bottomLayerCount", "2"],
    ["mirror", "1"],
    ["totalLayer", "4"],
    ["bottomLayerLiftHeight", "5"],
    ["bottomLayerLiftSpeed", "65"],
    ["bottomLightOffTime", "2.5"],
    ["lightOffTime", "2.5"],
    ["bottomPWMLight", "255"],
    ["PWMLight", "240"],
    ["antiAliasLevel", "8"],
  ]);
});

test("a lift beyond the machine's height, and a job without lifts, are refused with the way out", () => {
  const { requireCarriable } = JOB_WRITERS["chitu-zip"];
  const exposure = exposureWith(EXAMPLE_CYCLE, EXAMPLE_CYCLE);
  const upTo = (topMm: number): JobMetadata => someJob(layers, { exposure, boundariesMm: Float64Array.of(0, topMm) });
  requireCarriable?.(upTo(215));
  assert.throws(() => requireCarriable?.(upTo(215.1)), /would reach 220\.1 mm, beyond the 220 mm .* shorten the lift/);
  for (const lift of [NO_STAGES, stagedMotion({ mm: 5, mmPerMin: 0 })]) {
    const job = someJob(layers, { exposure: exposureWith(EXAMPLE_CYCLE, { ...EXAMPLE_CYCLE, lift }) });
    assert.throws(() => requireCarriable?.(job), { code: "OPERATION_FAILED", message: /give it a lift/ });
  }
});

test("layers of different thickness and exposure are written as they are", () => {
  const adaptive = { layerThicknessMm: "ADAPTIVE", boundariesMm: Float64Array.of(0, 0.1, 0.15, 0.25, 0.275) } as const;
  const { layers: read, head } = written(exposureWith(EXAMPLE_CYCLE, EXAMPLE_CYCLE), adaptive);
  assert.deepEqual(
    read.map(({ zMm }) => zMm),
    [0.1, 0.15, 0.25, 0.275],
  );
  assert.equal(head.layerHeight, "0.0688");
});
