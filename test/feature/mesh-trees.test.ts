import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestContext, Server } from "../../src/api/endpoint.ts";
import { noProgress } from "../../src/core/progress.ts";
import { validateInterferences } from "../../src/feature/check/placement-endpoints.ts";
import { newStore, type Scene } from "../../src/scene/project.ts";
import { newHeldValues } from "../../src/worker/held-values.ts";
import type { Task } from "../../src/worker/task.ts";
import { uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { sceneModel, someScene } from "../fixture/some-scene.ts";

test("the tree of a large mesh is built for the first check of interferences, and serves those of other scenes", async () => {
  const mesh = meshOf(uvSphere(5, 400, 100));
  const small = sceneModel({ mesh: meshOf(uvSphere(2)) });
  const ran: string[] = [];
  const context = {
    held: newHeldValues(undefined),
    compute({ name, run }: Task<unknown, unknown>, input: unknown) {
      ran.push(name);
      return run(input, noProgress as never);
    },
  } as unknown as RequestContext;
  const interferencesOf = (scene: Scene) => {
    const server = { store: newStore({ scenes: [scene] }) } as unknown as Server;
    return validateInterferences.handle(
      { body: { scene_id: scene.id, collision_offset_mm: 0 }, query: {} },
      server,
      context,
    );
  };
  const large = sceneModel({ mesh });
  const near = { ...small, pose: { ...large.pose, scale: small.pose.scale } };
  const [x, y, z] = near.pose.position;
  const beside = { ...near, pose: { ...near.pose, position: [x, y, z + 5] as const } };
  const overlapping = { interferences: [[large.id, small.id]] };
  assert.deepEqual(await interferencesOf(someScene([large, near])), overlapping);
  assert.deepEqual(await interferencesOf(someScene([large, beside])), overlapping);
  // Twice the small one, which takes less time than it is worth memory.
  assert.equal(ran.filter((name) => name === "buildMeshTree").length, 3);
});
