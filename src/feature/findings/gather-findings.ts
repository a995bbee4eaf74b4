import { createHash } from "node:crypto";
import { getOrInsert } from "../../core/memoize.ts";
import { must } from "../../core/must.ts";
import { rotationMatrix } from "../../geometry/pose.ts";
import { type Finding, compareFindings } from "../../scene/findings.ts";
import type { Model, Scene } from "../../scene/project.ts";
import { CAUSES, type Found, isSummed } from "./causes.ts";
import { fixesOf } from "./fixes.ts";

/**
 * The findings, most severe first, then in the order of the kinds, then largest first. The same finding at copies of a model is
 * one finding of all of them.
 */
export function gatherFindings(scene: Scene, found: readonly Found[]): Finding[] {
  const byId = new Map<string, Found[]>();
  for (const one of found) getOrInsert(byId, idOf(one), () => []).push(one);
  return [...byId].map(([id, same]) => findingOf(scene, id, same)).toSorted(compareFindings);
}

function findingOf(scene: Scene, id: string, same: readonly Found[]): Finding {
  const first = must(same[0], "The first of equal findings");
  const { kind, severity, sizeUnit, text } = CAUSES[first.cause];
  const models = [...new Set(same.flatMap((one) => one.models))];
  const count = same.reduce((sum, one) => sum + one.count, 0);
  const sizes = same.map((one) => one.size);
  const most = Math.max(...sizes);
  const size = isSummed(sizeUnit) ? sizes.reduce((sum, one) => sum + one, 0) : most;
  return {
    id,
    kind,
    severity,
    modelIds: models.map((model) => model.id),
    count,
    size,
    sizeUnit,
    each: { count: Math.max(...same.map((one) => one.count)), size: most },
    text: text({ count, size, parts: models.length, detail: first.detail ?? "" }),
    fixes: fixesOf(first.cause, { scene, models, count, same }),
  };
}

/** Steps of the upward direction in an id: it changes with a tilt of 0.06°, and not with rounding. */
const STEPS_OF_UP = 1000;

/**
 * 16 hex digits of the cause, the meshes, their tilts, and the place to 1 mm. A turn about z leaves them as they are, since it changes
 * nothing in the print.
 */
function idOf({ cause, models, places: [place] = [] }: Found): string {
  const { severity } = CAUSES[cause];
  const bodies = models.map(({ mesh, pose }) => [mesh.hash, ...upOf(pose.orientation)].join(" ")).toSorted();
  const at = place?.map((mm) => Math.round(mm) + 0).join(" ") ?? "";
  const content = [CAUSES[cause].kind, cause, severity, ...bodies, at].join("\n");
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}

/** The upward direction in the coordinates of the raw mesh. */
function upOf(orientation: Model["pose"]["orientation"]): number[] {
  const [, , , , , , x, y, z] = rotationMatrix(orientation);
  return [x, y, z].map((component) => Math.round(STEPS_OF_UP * component) + 0);
}
