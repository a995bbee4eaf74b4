import process from "node:process";
import type { Steps } from "../core/steps.ts";
import { type MemoryBudget, freeBytes, limitBytesOf } from "../core/memory-budget.ts";
import { memoize } from "../core/memoize.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { type Scene, type Store, printedBodies } from "../scene/project.ts";
import type { KeptStates } from "./kept-states.ts";

/** Meshes that only earlier states use may take at most this share of the budget, and this share of the free memory. */
const MEMORY_SHARE = 1 / 8;
const FREE_SHARE = 1 / 2;

/** Drops the oldest states whose meshes exceed their share of the memory budget. Works in steps. */
export function* trimStates(kept: KeptStates, store: Store, budget: MemoryBudget): Steps<void> {
  // The code that committed the change continues first.
  yield;
  const present = new Set<Mesh>();
  for (const scene of store.read().scenes) {
    for (const mesh of meshesOf(scene)) present.add(mesh);
    yield;
  }
  const fits = newFitTest(present, allowedBytes(budget));
  for (const [id, { undo, redo }] of kept.entries()) {
    for (const states of [undo, redo]) {
      const last = states.findLast((scene) => !fits(scene));
      if (last) kept.dropThrough(id, last);
      yield;
    }
  }
  const last = kept.deleted.findLastIndex((scene) => !fits(scene));
  if (last >= 0) kept.deleted = kept.deleted.slice(last + 1);
}

/** What the meshes of states that no scene has may take. */
export const allowedBytes = (budget: MemoryBudget): number =>
  Math.min(MEMORY_SHARE * limitBytesOf(budget), FREE_SHARE * freeBytes(budget, process.memoryUsage.rss()));

/** Returns a function that takes scenes, the most wanted first, and says whether their meshes still fit. Each mesh counts once. */
function newFitTest(counted: Set<Mesh>, bytes: number): (scene: Scene) => boolean {
  let left = bytes;
  return (scene) => {
    const more = [...meshesOf(scene)].filter((mesh) => !counted.has(mesh));
    const needed = more.reduce((sum, mesh) => sum + meshBytes(mesh), 0);
    if (needed > left) return false;
    left -= needed;
    for (const mesh of more) counted.add(mesh);
    return true;
  };
}

/** The distinct meshes of a scene. */
export const meshesOf = memoize(({ models }: Scene): ReadonlySet<Mesh> => {
  const bodies = models.flatMap(printedBodies).map(({ mesh }) => mesh);
  const sources = models.flatMap(({ hollowed }) => [hollowed?.solid ?? [], hollowed?.infill?.cavity ?? []].flat());
  return new Set([...bodies, ...sources]);
});

export const meshBytes = ({ vertices, triangles }: Mesh): number => vertices.byteLength + triangles.byteLength;
