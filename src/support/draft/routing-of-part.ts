import type { Progress } from "../../core/progress.ts";
import type { Ball } from "../../geometry/vector.ts";
import { markSurface } from "../plan/marked-surface.ts";
import { reachOf, routeBelow } from "../tree/reach.ts";
import type { Route } from "../tree/route.ts";
import type { DraftPart } from "./draft-part.ts";
import type { DraftPoint, Routing } from "./local-forest.ts";

/** Routes around a part that a thread has found, for its next edits of the part. */
interface KnownRoutes {
  readonly routing: Routing;
  /** The progress of the present task. */
  progress: Progress;
}

/**
 * The routes of the last part, which the collector may take: without them the result is the same, but a route around the part takes up to 0.1 s.
 */
let last: { readonly key: string; readonly known: WeakRef<KnownRoutes> } | undefined;

/** Does work with the routes around a part. */
export function withRouting<Result>(part: DraftPart, progress: Progress, work: (routing: Routing) => Result): Result {
  const known = (last?.key === part.key && last.known.deref()) || newRoutes(part, progress);
  // A search that is cancelled leaves its lattice half done.
  last = undefined;
  known.progress = progress.silent();
  const result = work(known.routing);
  last = { key: part.key, known: new WeakRef(known) };
  return result;
}

function newRoutes(part: DraftPart, progress: Progress): KnownRoutes {
  const { surface, bvh, groundMm, volume, settings, placed, areas } = part;
  const checkCancelled = (): void => known.progress.report(1);
  const isBarred = markSurface(surface, areas, placed, () => bvh)?.isBarred;
  const space = { surface, bvh, groundMm, volume, isBarred, checkCancelled };
  const joints = new Map<string, Route | undefined>();
  const routeFrom = (start: Ball, footSizeMm: number | undefined): Route | undefined => {
    const key = [...start.centre, start.radiusMm, footSizeMm].join(" ");
    if (joints.has(key)) return joints.get(key);
    if (joints.size >= MAX_JOINTS) joints.clear();
    const route = routeBelow(space, start, footSizeMm);
    joints.set(key, route);
    return route;
  };
  const reaches = new Map<string, ReturnType<typeof reachOf>>();
  const known: KnownRoutes = {
    routing: {
      space,
      settings,
      routeFrom,
      reachOf: (point: DraftPoint) => {
        const key = [...point.position, ...point.normal, point.sizeMm].join(" ");
        if (!reaches.has(key)) reaches.set(key, reachOf(space, settings, point));
        return reaches.get(key);
      },
    },
    progress,
  };
  return known;
}

/** Of about 300 bytes each. */
const MAX_JOINTS = 20_000;
