import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { strFromU8, unzipSync } from "fflate";
import { jobGreys } from "../../src/feature/print/job-greys.ts";
import { lossesOf } from "../../src/feature/print/job-losses.ts";
import type { JobKind } from "../../src/catalog/setting.ts";
import { ORIGIN, panelSetting, writeSceneJob } from "../fixture/print-quality/panel-job.ts";
import { readCxdlp } from "../fixture/job/read-cxdlp.ts";
import { box } from "../fixture/shapes.ts";
import { meshOf, placed } from "../fixture/slices.ts";
import { sceneModel, someScene } from "../fixture/some-scene.ts";
import { sampledTests } from "../fixture/long.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

// What jobs with greys by the optics of a printer state: the table, and areas of the parts.

const PIXEL_MM = 0.05;
const OPTICS = {
  response: { value: 3, ...ORIGIN },
  blur_mm: { value: 0.025, ...ORIGIN },
  least_grey: { value: 20, ...ORIGIN },
};
/** Each side is inside of pixels, with coverages of 0.37 and 0.67. */
const SIDES_PX = [20.74, 11.34] as const;
const AREA_MM2 = SIDES_PX[0] * SIDES_PX[1] * PIXEL_MM ** 2;

const fileAt = temporaryFiles();

const settingFor = (format: JobKind, extension: string, optics?: object, machineName?: string) =>
  panelSetting({ format, extension, optics, machineName, sidePixels: 64, pixelMm: PIXEL_MM, layerMm: 0.05 });

async function jobFile(format: JobKind, extension: string, optics?: object, machineName?: string): Promise<Uint8Array> {
  const path = fileAt(`job${extension}`, "");
  const plate = placed(meshOf(box([SIDES_PX[0] * PIXEL_MM, SIDES_PX[1] * PIXEL_MM, 0.1])), { position: [0, 0, 0.05] });
  await writeSceneJob(someScene([sceneModel(plate)], settingFor(format, extension, optics, machineName)), path);
  return readFileSync(path);
}

const textIn = (file: Uint8Array, name: string): string => strFromU8(unzipSync(file)[name]!);

const STATED: readonly (readonly [
  format: JobKind,
  extension: string,
  entry: string,
  line: (name: string) => string,
])[] = [
  ["sl1", ".sl1", "prusaslicer.ini", (name) => `\nprintwright_greys = ${name}\n`],
  ["nanodlp", ".nanodlp", "meta.json", (name) => `"Greys":"${name}"`],
  ["chitu-zip", ".zip", "run.gcode", (name) => `\n;greys:${name}\n`],
  ["cws", ".cws", "plate.gcode", (name) => `;(${"Greys".padEnd(24)}= ${name})`],
];

for (const [[format, extension, entry, line], sampledTest] of sampledTests(STATED, 4)) {
  sampledTest(`${format}: a job names the table of its greys, and none without optics`, async () => {
    const { name = "" } = jobGreys(settingFor(format, extension, OPTICS).printerType) ?? {};
    assert.match(name, /^exponent 3; 256 levels; least grey 20; blur 0\.025 mm; table [0-9a-f]{8}$/);
    const text = textIn(await jobFile(format, extension, OPTICS), entry);
    assert.ok(text.includes(line(name)), text);
    assert.doesNotMatch(textIn(await jobFile(format, extension), entry), /greys/i);
  });
}

/** The areas that the file states of its first layer, mm². */
const AREAS: readonly (readonly [JobKind, string, (file: Uint8Array) => readonly number[], string?])[] = [
  [
    "nanodlp",
    ".nanodlp",
    (file) => {
      const [layer] = JSON.parse(textIn(file, "info.json")) as Record<string, number>[];
      return [layer!.TotalSolidArea!, layer!.LargestArea!];
    },
  ],
  ["cxdlp-3", ".cxdlp", (file) => [readCxdlp(file).areas[0]! / 1000]],
  [
    "anycubic-zip",
    ".pwsz",
    (file) => {
      const scene = Buffer.from(unzipSync(file)["scene.slice"]!);
      return [scene.readFloatLE(scene.indexOf("<---") + 12)];
    },
    "Anycubic Photon Mono M7 Pro",
  ],
];

for (const [[format, extension, areasIn, machineName], sampledTest] of sampledTests(AREAS, 3)) {
  sampledTest(`${format}: the stated areas are those of the part, whatever its greys`, async () => {
    for (const optics of [OPTICS, undefined]) {
      const areas = areasIn(await jobFile(format, extension, optics, machineName));
      for (const area of areas) assert.ok(Math.abs(area / AREA_MM2 - 1) < 2e-3, `${area} mm², not ${AREA_MM2}`);
    }
  });
}

test("a print is told that black and white files make nothing of the optics", () => {
  const setting = settingFor("ctb-3-binary", ".ctb", OPTICS);
  assert.deepEqual(lossesOf(setting), [
    "The optics of the Acme One change nothing: its .ctb files are black and white. If it shows greys, give its file a job format that has them.",
  ]);
  assert.deepEqual(lossesOf(settingFor("ctb-3-binary", ".ctb")), []);
  assert.deepEqual(lossesOf(settingFor("ctb-3", ".ctb", OPTICS)), []);
});
