import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { noProgress } from "../../src/core/progress.ts";
import { encodePng } from "../../src/codec/png.ts";
import type { BuildVolume } from "../../src/geometry/build-volume.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import type { RenderItem, RenderScene } from "../../src/render/render-scene.ts";
import { type CageLattice, cageLattice } from "../../src/solid/cage/cage-lattice.ts";
import { readPng } from "../fixture/read-png.ts";
import { box, cylinder, torus, uvSphere } from "../fixture/shapes.ts";
import { POWDER_SETTING, RESIN_SETTING } from "../fixture/some-scene.ts";
import { ZOOMED, bodyAt, meshFrom, meshOf, pictureOf } from "../fixture/stage.ts";

// Pictures that a person has checked. After an intended change delete them, run this file, and check the new ones.

const RESIN = RESIN_SETTING.printerType.volume;
const POWDER = POWDER_SETTING.printerType.volume;

/** Tolerances of 255: of the mean over the whole picture, and over any block of `BLOCK` by `BLOCK` pixels. */
const [MEAN_TOLERANCE, BLOCK_TOLERANCE, BLOCK] = [0.5, 6, 16];

let part: Mesh;
let lattice: CageLattice;
before(async () => {
  part = await meshFrom("assets/demo/functional-part.stl");
  const cage = {
    innerMm: [70, 50, 40],
    outerLimitMm: [165, 165, 300],
    openingMm: 5,
    barWidthMm: 1,
    barThicknessMm: 1,
    bars: "SQUARE",
    roundsEdges: true,
    label: "Lot 7",
  } as const;
  lattice = await cageLattice(cage, noProgress);
});

const standing = (mesh: Mesh, x: number, y: number, kind?: RenderItem["kind"]): RenderItem =>
  bodyAt(mesh, [x, y, (mesh.box.max[2] - mesh.box.min[2]) / 2], kind);

const CUBE = meshOf(box([30, 30, 30]));
const RING = meshOf(torus(15, 5));
const ROD = meshOf(cylinder(10, 30));
const BALL = meshOf(uvSphere(15));
const PILLAR = meshOf(cylinder(0.6, 23));
const RAFT = meshOf(cylinder(13, 1.5));

function supportedBall(): RenderItem[] {
  const pillars = Array.from({ length: 12 }, (_, i) =>
    standing(PILLAR, 9 * Math.cos((i * Math.PI) / 6), 9 * Math.sin((i * Math.PI) / 6), "support"),
  );
  return [bodyAt(BALL, [0, 0, 35]), ...pillars, standing(RAFT, 0, 0, "support")];
}

const floating = (): RenderItem[] =>
  Array.from({ length: 8 }, (_, i) =>
    bodyAt(part, [i & 1 ? -35 : 35, i & 2 ? -35 : 35, i & 4 ? 140 : 60], "model", { x: 20 * i, y: 15, z: 40 * i }),
  );

const caged = (): RenderItem[] => [
  { ...bodyAt(lattice.mesh, [0, 0, 40], "lattice"), letters: lattice.letters },
  bodyAt(BALL, [-18, 0, 40]),
  bodyAt(CUBE, [18, 0, 40]),
];

const stage = (volume: BuildVolume, items: readonly RenderItem[]): RenderScene => ({ volume, items });

const SCENES: Record<string, () => RenderScene> = {
  single: () => stage(RESIN, [standing(part, 0, 0)]),
  many: () =>
    stage(RESIN, [standing(part, -40, 0), standing(CUBE, 35, 35), standing(RING, 25, -25), standing(ROD, 70, 0)]),
  supported: () => stage(RESIN, supportedBall()),
  "out-of-bounds": () => stage(RESIN, [standing(part, -20, 0), standing(CUBE, 95, 20, "outOfBounds")]),
  powder: () => stage(POWDER, floating()),
  cage: () => stage(POWDER, caged()),
  empty: () => stage(RESIN, []),
};

for (const [name, sceneOf] of Object.entries(SCENES)) {
  test(`the picture of the scene "${name}" equals its golden picture`, () => {
    const file = fileURLToPath(new URL(`../fixture/golden/${name}.png`, import.meta.url));
    const framing = name === "powder" ? { ...ZOOMED, viewType: "FULL_BUILD_VOLUME" as const } : ZOOMED;
    const picture = pictureOf(sceneOf(), framing);
    const png = Buffer.concat(encodePng(picture, noProgress));
    if (!existsSync(file)) {
      writeFileSync(file, png);
      assert.fail(`${file} is new: look at it, then run the test again`);
    }
    const [found, wanted] = [readPng(png), readPng(file)];
    assert.deepEqual([found.width, found.height], [wanted.width, wanted.height]);
    const blocks = new Float64Array(Math.ceil(found.width / BLOCK) * Math.ceil(found.height / BLOCK));
    let sum = 0;
    found.rgb.forEach((value, i) => {
      const difference = Math.abs(value - wanted.rgb[i]);
      const [x, y] = [Math.floor(i / 3) % found.width, Math.floor(i / 3 / found.width)];
      blocks[Math.floor(y / BLOCK) * Math.ceil(found.width / BLOCK) + Math.floor(x / BLOCK)] += difference;
      sum += difference;
    });
    assert.ok(sum / found.rgb.length <= MEAN_TOLERANCE, `mean ${sum / found.rgb.length}`);
    assert.ok(Math.max(...blocks) / (3 * BLOCK * BLOCK) <= BLOCK_TOLERANCE, `block ${Math.max(...blocks)}`);
  });
}
