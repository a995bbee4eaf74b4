import { type CheckKind, type Finding, type SceneFindings, statusOf } from "../../scene/findings.ts";
import type { Scene } from "../../scene/project.ts";
import type { RequestContext } from "../../api/endpoint.ts";
import { boundsFindings, meshFindings, supportFindings, thinFindings } from "./bodies.ts";
import type { Found } from "./causes.ts";
import { gatherFindings } from "./gather-findings.ts";
import { type LayerCheck, layerFindings } from "./layers.ts";
import { overlapFindings } from "./overlaps.ts";

/** The checks that take seconds; the search for thin walls takes minutes. */
export const QUICK_CHECKS: readonly CheckKind[] = [
  "IN_BOUNDS",
  "INTERFERENCES",
  "MANIFOLDNESS",
  "CUPS",
  "MINIMA",
  "SUPPORTEDNESS",
  "SUPPORTS",
];

export interface CheckOptions {
  readonly checks?: readonly CheckKind[];
  /** Walls thinner than this count; for THIN_FEATURES. */
  readonly thresholdMm?: number | undefined;
  /** Models nearer to each other than this overlap. */
  readonly collisionOffsetMm?: number | undefined;
  /** Shares of the progress of the request at which the checks begin and end. */
  readonly phase?: readonly [from: number, to: number];
}

/** The findings of a scene, and the worst severity among those that nobody accepted. */
export interface CheckedScene extends SceneFindings {
  readonly status: "OK" | Finding["severity"];
}

/** A part of a check of a scene, and its share of the time. */
interface CheckPart {
  readonly weight: number;
  readonly find: () => Found[] | Promise<Found[]>;
}

/**
 * Checks a scene. Results at models are shared with all requests by their content: a check after an edit examines only what changed. The
 * findings are kept for the page, also if the scene is not committed in the end.
 */
export async function checkScene(scene: Scene, options: CheckOptions, context: RequestContext): Promise<CheckedScene> {
  const { checks = QUICK_CHECKS, phase: [from, to] = [0, 1] } = options;
  const parts = partsOf(scene, { ...options, checks }, context);
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  const found: Found[] = [];
  let done = 0;
  for (const { weight, find } of parts) {
    const shareAt = (weightDone: number): number => from + ((to - from) * weightDone) / total;
    context.enterPhase(shareAt(done), shareAt(done + weight));
    found.push(...(await find()));
    done += weight;
    context.throwIfCancelled();
  }
  const findings = gatherFindings(scene, found);
  context.keptFindings.keep(scene, { checks, findings });
  return { status: statusOf(scene, findings), checks, findings };
}

const LAYER_CHECKS: readonly LayerCheck[] = ["CUPS", "MINIMA", "SUPPORTEDNESS"];

/** The parts of a check, the quickest first. */
function partsOf(
  scene: Scene,
  { checks = [], thresholdMm = 0, collisionOffsetMm = 0 }: CheckOptions,
  context: RequestContext,
): CheckPart[] {
  const ofLayers = LAYER_CHECKS.filter((check) => checks.includes(check));
  const part = (kind: CheckKind, weight: number, find: CheckPart["find"]): CheckPart[] =>
    checks.includes(kind) ? [{ weight, find }] : [];
  return [
    ...part("IN_BOUNDS", 1, () => boundsFindings(scene, context)),
    ...part("SUPPORTS", 1, () => supportFindings(scene)),
    ...part("INTERFERENCES", 5, () => overlapFindings(scene, collisionOffsetMm, context)),
    ...part("MANIFOLDNESS", 5, () => meshFindings(scene, context)),
    ...(ofLayers.length > 0
      ? [{ weight: 60, find: () => layerFindings(scene, ofLayers, collisionOffsetMm, context) }]
      : []),
    ...part("THIN_FEATURES", 150, () => thinFindings(scene, thresholdMm, context)),
  ];
}
