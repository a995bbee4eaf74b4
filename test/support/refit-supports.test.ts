import assert from "node:assert/strict";
import { test } from "node:test";
import { supportSettingsOf } from "../../src/feature/support/endpoint.ts";
import { supportModels } from "../../src/feature/support/support-models.ts";
import { defaultSetting } from "../../src/catalog/resolve.ts";
import { noProgress } from "../../src/core/progress.ts";
import { IDENTITY_POSE, rotationMatrix } from "../../src/geometry/pose.ts";
import type { Vec3 } from "../../src/geometry/vector.ts";
import { meshReport } from "../../src/mesh/mesh-report.ts";
import { outlineOf } from "../../src/mesh/outline.ts";
import { isInBounds } from "../../src/scene/placement.ts";
import type { Model } from "../../src/scene/project.ts";
import type { SupportRequest } from "../../src/support/support-request.ts";
import type { Task } from "../../src/worker/task.ts";
import { box, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";

// Supports whose raft would exceed the edge of the platform were computed twice: without limits, and then within the volume.

const SIZE_MM = 10;
const mesh = meshOf(box([SIZE_MM, SIZE_MM, SIZE_MM]));
const setting = defaultSetting();
const [widthMm] = setting.printerType.volume.dimensionsMm;
const settings = { ...supportSettingsOf(setting)!, raftLabelEnabled: false, density: 0.5 };

const modelAt = (id: string, x: number, shape = mesh): Model => ({
  id,
  name: id,
  originalFile: "",
  units: "MILLIMETERS",
  visible: true,
  lock: "FREE",
  mesh: shape,
  outline: outlineOf(shape, rotationMatrix(IDENTITY_POSE.orientation)),
  pose: { ...IDENTITY_POSE, position: [x, 0, SIZE_MM / 2] },
});

/** The models with their supports, and the tasks that ran. A task that gets touchpoints reports `unreachedThere` as not reached. */
async function supported(models: readonly Model[], unreachedThere: readonly Vec3[] = []) {
  const tasks: string[] = [];
  const compute = ({ name, run }: Task<never, object>, input: never) => {
    const { touchpoints } = (input as { input: Partial<SupportRequest> }).input;
    tasks.push(touchpoints ? `${name} from touchpoints` : name);
    const made = run(input, noProgress);
    return touchpoints && unreachedThere.length > 0
      ? Promise.resolve(made).then((result) => ({ ...result, unreached: unreachedThere }))
      : made;
  };
  const targets = models.map((model) => ({ model, settings }));
  return { ...(await supportModels(targets, setting, { compute: compute as never, tasksAtOnce: () => 1 })), tasks };
}

const atEdge = modelAt("edge", widthMm / 2 - SIZE_MM / 2 - 1.2);

test("supports are routed once for copies in the middle and at the edge, and at the edge the raft ends at the rim", async () => {
  const { models, tasks } = await supported([modelAt("middle", 0), atEdge]);
  assert.deepEqual(tasks, ["supportModel", "refitSupports"]);
  const [middle, edge] = models;
  assert.ok(models.every((model) => isInBounds(model, setting)));
  assert.deepEqual(edge.supports!.touchpoints, middle.supports!.touchpoints);
  const { openEdges, nonManifoldEdges, misorientedEdges } = meshReport(edge.supports!.mesh, noProgress);
  assert.equal(openEdges + nonManifoldEdges + misorientedEdges, 0);
  assert.ok(edge.supports!.mesh.volumeMm3 < middle.supports!.mesh.volumeMm3);
});

test("a tree of copies that leaves the volume is routed again from the same touchpoints, once for each place", async () => {
  const ball = meshOf(uvSphere(SIZE_MM / 2, 24, 12));
  const x = widthMm / 2 - SIZE_MM / 2 - 0.2;
  const { models, tasks } = await supported([0, x, x, -x].map((mm, i) => modelAt(`${i}`, mm, ball)));
  assert.deepEqual(tasks.toSorted(), [
    "refitSupports",
    "refitSupports",
    "supportModel",
    "supportModel from touchpoints",
    "supportModel from touchpoints",
  ]);
  const [middle, right, , left] = models.map((model) => model.supports!);
  assert.ok(models.every((model) => isInBounds(model, setting)));
  for (const edge of [left, right]) {
    assert.equal(edge.touchpoints.length, middle.touchpoints.length);
    assert.notEqual(edge.mesh.hash, middle.mesh.hash);
  }
});

test("a copy whose touchpoints cannot be reached at the edge gets others", async () => {
  const ball = meshOf(uvSphere(SIZE_MM / 2, 24, 12));
  const pair = [0, widthMm / 2 - SIZE_MM / 2 - 0.2].map((mm, i) => modelAt(`${i}`, mm, ball));
  const { models, tasks, answer } = await supported(pair, [[0, 0, 0]]);
  assert.deepEqual(tasks, ["supportModel", "refitSupports", "supportModel from touchpoints", "supportModel"]);
  assert.ok(models.every((model) => isInBounds(model, setting)));
  assert.ok(!answer.warnings.some((warning) => warning.includes("could not be reached")), answer.warnings.join("\n"));
});

test("supports of a single model at the edge are routed there at once, those of a model partly outside as if it were free", async () => {
  const { models, tasks } = await supported([atEdge]);
  assert.deepEqual(tasks, ["supportModel"]);
  assert.ok(isInBounds(models[0], setting) && models[0].supports);
  const outside = await supported([modelAt("outside", widthMm / 2)]);
  assert.deepEqual(outside.tasks, ["supportModel"]);
  const { min, max } = outside.models[0].supports!.mesh.box;
  assert.ok(max[0] - min[0] > SIZE_MM);
});
