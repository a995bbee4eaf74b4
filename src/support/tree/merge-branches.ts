import type { Watch } from "../../core/watch.ts";
import { type Ball, distanceMm } from "./ball.ts";
import { type Branch, restOf, sectionFor } from "./branch.ts";
import { GAP_MM, radiusFor } from "./measures.ts";
import { LEAST_SAVING, type Meeting, meetingsOf } from "./meetings.ts";
import { newQueue } from "./queue.ts";
import type { Route } from "./route.ts";
import { addStrut, type Sketch } from "./sketch.ts";
import { type Space, strutFits } from "./space.ts";

/** How many others a new branch looks at: those with which it saves most. */
const PARTNERS = 12;

const MERGES_PER_REPORT = 16;

interface Proposal {
  readonly a: Branch;
  readonly b: Branch;
  readonly ball: Ball;
}

/**
 * Lets branches meet and go on as one, always the two that save most material, until none do. Adds their struts to the
 * sketch; the branches that are left. `routeFrom`: the way of a new branch, of which one that ends on the model is
 * taken only where both did.
 */
export function mergeBranches(
  space: Space,
  sketch: Sketch,
  branches: readonly Branch[],
  routeFrom: (start: Ball, mayEndOnModel: boolean) => Route | undefined,
  watch: Watch,
): Branch[] {
  const alive = new Set<Branch>();
  const queue = newQueue<Proposal>();
  const enter = (a: Branch): void => {
    const partners: { b: Branch; meetings: readonly Meeting[]; best: number }[] = [];
    for (const b of alive) {
      const meetings = meetingsOf(a, b, space.groundMm);
      if (meetings.length === 0) continue;
      partners.push({ b, meetings, best: Math.max(...meetings.map(({ saving }) => saving)) });
    }
    partners.sort((one, other) => other.best - one.best);
    for (const { b, meetings } of partners.slice(0, PARTNERS)) {
      const radiusMm = radiusFor(a.load + b.load);
      for (const { place, saving } of meetings) queue.add({ a, b, ball: { place, radiusMm } }, saving);
    }
    alive.add(a);
  };
  branches.forEach((branch, i) => {
    if (i % MERGES_PER_REPORT === 0) watch.report((0.5 * i) / branches.length);
    enter(branch);
  });
  let looked = 0;
  for (let proposal = queue.take(); proposal; proposal = queue.take()) {
    const { a, b, ball } = proposal;
    if (looked++ % MERGES_PER_REPORT === 0) watch.report(1 - (0.5 * alive.size) / branches.length);
    if (!alive.has(a) || !alive.has(b)) continue;
    if (![a, b].every((branch) => strutFits(space, branch.ball, ball, GAP_MM))) continue;
    const route = routeFrom(ball, a.route.on === "MODEL" && b.route.on === "MODEL");
    if (!route) continue;
    const load = a.load + b.load;
    const leaned = [a, b].reduce(
      (sum, branch) => sum + sectionFor(branch.load) * distanceMm(branch.ball.place, ball.place),
      0,
    );
    if (restOf(a) + restOf(b) - leaned - sectionFor(load) * route.lengthMm < LEAST_SAVING) continue;
    alive.delete(a);
    alive.delete(b);
    const node = addStrut(sketch, a.node, ball, "PILLAR");
    sketch.struts.push({ from: b.node, to: node, kind: "PILLAR" });
    enter({ node, ball, load, route });
  }
  return [...alive];
}
