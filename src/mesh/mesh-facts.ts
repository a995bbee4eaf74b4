import type { Progress } from "../core/progress.ts";
import { isSelfIntersecting } from "./bvh/self-intersections.ts";
import { type ClosedManifoldCheck, checkClosedManifold } from "./mesh-report.ts";
import { type Mesh, newFacts } from "./mesh.ts";

// Bits of the facts of a mesh. A bit is only ever set, and every thread that finds a fact sets the same bits: no thread waits, and it
// makes no difference which one is first.
const IS_CHECKED = 1;
const IS_OPEN = 2;
const HAS_INWARD = 4;
const IS_SEARCHED = 8;
const INTERSECTS = 16;

/** The facts of a surface that bounds a solid, so that no slices repair it: walls of cavities do not count as facing inward. */
export const solidFacts = (): Int32Array => {
  const facts = newFacts();
  facts[0] = IS_CHECKED;
  return facts;
};

/** {@link checkClosedManifold} of a mesh, computed once for all threads and requests as long as the mesh exists. */
export function closedManifoldFact(mesh: Mesh, progress: Progress): ClosedManifoldCheck {
  let facts = Atomics.load(mesh.facts, 0);
  if ((facts & IS_CHECKED) === 0) {
    const { isOpen, hasInward } = checkClosedManifold(mesh, progress);
    facts = IS_CHECKED | (isOpen ? IS_OPEN : 0) | (hasInward ? HAS_INWARD : 0);
    Atomics.or(mesh.facts, 0, facts);
  }
  return { isOpen: (facts & IS_OPEN) !== 0, hasInward: (facts & HAS_INWARD) !== 0 };
}

/** {@link isSelfIntersecting} of a mesh, computed once for all threads and requests as long as the mesh exists. */
export function selfIntersectionFact(mesh: Mesh, progress: Progress): boolean {
  const facts = Atomics.load(mesh.facts, 0);
  return (facts & IS_SEARCHED) === 0 ? findSelfIntersectionFact(mesh, progress) : (facts & INTERSECTS) !== 0;
}

/**
 * {@link selfIntersectionFact}, computed even if it is known: for a repair, which fails after a number of steps. That number must not
 * depend on what other requests have found.
 */
export function findSelfIntersectionFact(mesh: Mesh, progress: Progress): boolean {
  const intersects = isSelfIntersecting(mesh, progress);
  addSelfIntersectionFact(mesh, intersects);
  return intersects;
}

/** Adds a {@link selfIntersectionFact} that several threads have found together. */
export function addSelfIntersectionFact({ facts }: Mesh, intersects: boolean): void {
  Atomics.or(facts, 0, IS_SEARCHED | (intersects ? INTERSECTS : 0));
}
