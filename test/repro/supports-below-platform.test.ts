import assert from "node:assert/strict";
import { test } from "node:test";
import { supportSettingsOf } from "../../src/feature/support/endpoint.ts";
import { defaultSetting } from "../../src/catalog/resolve.ts";
import { noProgress } from "../../src/core/progress.ts";
import { IDENTITY_POSE, rotationMatrix } from "../../src/geometry/pose.ts";
import { outlineOf } from "../../src/mesh/outline.ts";
import { supportModel } from "../../src/support/support-model.ts";
import type { SupportSettings } from "../../src/support/support-settings.ts";
import { uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";

// A part below the platform is lifted onto it with the whole model; then raft and feet were in mid-air.

const CASES: readonly Partial<SupportSettings>[] = [
  { touchpointSizeMm: 5 },
  { touchpointSizeMm: 5, raftType: "NONE" },
  { touchpointSizeMm: 3, heightAboveRaftMm: 1 },
  { heightAboveRaftMm: 0.2, raftType: "NONE" },
  { heightAboveRaftMm: 1, raftType: "NONE" },
  { heightAboveRaftMm: 0.1, raftThicknessMm: 0 },
];

const mesh = meshOf(uvSphere(7));

for (const changes of CASES) {
  test(`supports begin at the platform with ${JSON.stringify(changes)}`, async () => {
    const supported = await supportModel(
      {
        placed: { mesh, pose: IDENTITY_POSE },
        outline: outlineOf(mesh, rotationMatrix(IDENTITY_POSE.orientation)),
        settings: { ...supportSettingsOf(defaultSetting())!, ...changes },
        layerThicknessMm: 0.1,
        label: "",
      },
      noProgress,
    );
    const lowestMm = supported.supports?.mesh.box.min[2] ?? 0;
    assert.ok(Math.abs(lowestMm) <= 1e-6, `the supports begin at ${lowestMm} mm`);
  });
}
