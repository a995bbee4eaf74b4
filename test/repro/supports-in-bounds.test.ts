import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultSetting } from "../../src/catalog/default-setting.ts";
import { unwatched } from "../../src/core/watch.ts";
import { outlineOf } from "../../src/mesh/outline-of.ts";
import { HOME, toMatrix } from "../../src/mesh/pose.ts";
import { inBounds } from "../../src/place/in-bounds.ts";
import { supportSettingsOf } from "../../src/scene/support-settings.ts";
import type { SupportSettings } from "../../src/support/settings.ts";
import { supportModel } from "../../src/support/support-model.ts";
import { box } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";

// A model beside the wall of the volume, with supports that are told of the wall.

const CASES: readonly Partial<SupportSettings>[] = [
  { touchpointSizeMm: 1, heightAboveRaftMm: 0.5 },
  { touchpointSizeMm: 5, heightAboveRaftMm: 10 },
];

const mesh = meshOf(box([10, 10, 10]));
const setting = defaultSetting();
const { volume } = setting.printerType;
const [, depthMm] = volume.dimensionsMm;

for (const changes of CASES) {
  test(`nothing stands out of the volume with ${JSON.stringify(changes)}`, async () => {
    const { supports } = await supportModel(
      {
        placed: { mesh, pose: { ...HOME, position: [0, depthMm / 2 - 5.1, 0] } },
        outline: outlineOf(mesh, toMatrix(HOME.orientation)),
        settings: { ...supportSettingsOf(setting)!, ...changes },
        layerThicknessMm: 0.1,
        label: "",
        room: { volume },
      },
      unwatched,
    );
    assert.ok(supports);
    const { min, max } = supports.mesh.box;
    assert.ok(inBounds(supports.outline, supports.pose, volume), `they reach from ${min} to ${max} mm`);
  });
}
