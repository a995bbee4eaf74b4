import assert from "node:assert/strict";
import { newTaskState, noProgress } from "../../src/core/progress.ts";
import { repairMeshTask } from "../../src/feature/repair/task.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { unfold } from "../../src/repair/unfold/unfold.ts";
import { newPool } from "../../src/worker/pool.ts";
import { longTest } from "../fixture/long.ts";
import { wrinkledDisc } from "../fixture/wrinkled.ts";

// The order in which folds are removed decides which ones remain. No test showed that it is the same under Bun and Deno, and on any
// number of threads.

/** Vertices are rounded to a grid: the disc is made of sines, whose last bits differ between engines. */
function foldedDisc(rings: number): Mesh {
  const { vertices, triangles } = wrinkledDisc(rings, 0.02, 0.02);
  const onGrid = vertices.map((value) => Math.round(value * 4096) / 4096);
  return canonicalMesh({ vertices: onGrid, triangles }, 1, noProgress);
}

longTest("folds are removed to the same bytes under every runtime", () => {
  const disc = foldedDisc(8);
  const unfolded = canonicalMesh(unfold(disc, 1e-3, 0.02, 100_000, noProgress)!, 1, noProgress);
  assert.deepEqual(
    [disc, unfolded].map(({ hash }) => hash.slice(0, 16)),
    ["1dacff5b6220f5a2", "e392cdb82bc41708"],
  );
});

longTest("a body with folds is repaired to the same bytes on any number of threads", async () => {
  for (const size of [1, 3]) {
    const pool = newPool(new URL("../../src/worker.ts", import.meta.url), { size });
    // All of them run at the same time, together with tasks that release their threads.
    const repaired = await Promise.all(
      [14, 30, 14, 14].map((rings, index) =>
        pool.compute(repairMeshTask, { input: foldedDisc(rings), index, count: 4 }, newTaskState()),
      ),
    );
    await pool.close();
    const [one, other] = ["e539a684676835e5", "2dd47065a063bf48"];
    assert.deepEqual(
      repaired.map(({ mesh }) => mesh.hash.slice(0, 16)),
      [one, other, one, one],
      `${size} threads`,
    );
  }
});
