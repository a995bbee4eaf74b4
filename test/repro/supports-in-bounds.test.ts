import assert from "node:assert/strict";
import { test } from "node:test";
import { supportSettingsOf } from "../../src/feature/support/endpoint.ts";
import { defaultSetting } from "../../src/catalog/resolve.ts";
import { noProgress } from "../../src/core/progress.ts";
import { IDENTITY_POSE, rotationMatrix } from "../../src/geometry/pose.ts";
import { inBounds } from "../../src/layout/bounds.ts";
import { outlineOf } from "../../src/mesh/outline.ts";
import { supportModel } from "../../src/support/support-model.ts";
import type { SupportSettings } from "../../src/support/support-settings.ts";
import { box } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";

// A model next to the wall of the volume, with supports that must not cross the wall.

const CASES: readonly Partial<SupportSettings>[] = [
  { touchpointSizeMm: 1, heightAboveRaftMm: 0.5 },
  { touchpointSizeMm: 5, heightAboveRaftMm: 10 },
];

const mesh = meshOf(box([10, 10, 10]));
const setting = defaultSetting();
const { volume } = setting.printerType;
const [, depthMm] = volume.dimensionsMm;

for (const changes of CASES) {
  test(`supports are inside the volume with ${JSON.stringify(changes)}`, async () => {
    const { supports } = await supportModel(
      {
        placed: { mesh, pose: { ...IDENTITY_POSE, position: [0, depthMm / 2 - 5.1, 0] } },
        outline: outlineOf(mesh, rotationMatrix(IDENTITY_POSE.orientation)),
        settings: { ...supportSettingsOf(setting)!, ...changes },
        layerThicknessMm: 0.1,
        label: "",
        volume,
      },
      noProgress,
    );
    assert.ok(supports);
    const { min, max } = supports.mesh.box;
    assert.ok(inBounds(supports.outline, supports.pose, volume), `they reach from ${min} to ${max} mm`);
  });
}
