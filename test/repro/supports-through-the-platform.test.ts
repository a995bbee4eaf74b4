import assert from "node:assert/strict";
import { test } from "node:test";
import { unwatched } from "../../src/core/watch.ts";
import { outlineOf } from "../../src/mesh/outline-of.ts";
import { HOME, toMatrix } from "../../src/mesh/pose.ts";
import { defaultSetting } from "../../src/catalog/default-setting.ts";
import { supportSettingsOf } from "../../src/scene/support-settings.ts";
import type { SupportSettings } from "../../src/support/settings.ts";
import { supportModel } from "../../src/support/support-model.ts";
import { uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";

// What stands out of the platform is lifted onto it with all the rest, and then raft and feet hang in the air.

const CASES: readonly Partial<SupportSettings>[] = [
  { touchpointSizeMm: 5 },
  { touchpointSizeMm: 5, raftType: "NONE" },
  { touchpointSizeMm: 3, heightAboveRaftMm: 1 },
  { heightAboveRaftMm: 0.2, raftType: "NONE" },
  { heightAboveRaftMm: 1, raftType: "NONE" },
  { heightAboveRaftMm: 0.1, raftThicknessMm: 0 },
];

const mesh = meshOf(uvSphere(10));

for (const changes of CASES) {
  test(`supports begin at the platform with ${JSON.stringify(changes)}`, async () => {
    const supported = await supportModel(
      {
        placed: { mesh, pose: HOME },
        outline: outlineOf(mesh, toMatrix(HOME.orientation)),
        settings: { ...supportSettingsOf(defaultSetting())!, ...changes },
        layerThicknessMm: 0.1,
        label: "",
      },
      unwatched,
    );
    const lowestMm = supported.supports?.mesh.box.min[2] ?? 0;
    assert.ok(Math.abs(lowestMm) <= 1e-6, `the supports begin at ${lowestMm} mm`);
  });
}
