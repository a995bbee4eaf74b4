import * as v from "valibot";
import type { RequestContext } from "../../api/endpoint.ts";
import { idsOf } from "../../api/schema.ts";
import type { Finding, Fix } from "../../scene/findings.ts";
import type { Model, Scene } from "../../scene/project.ts";
import { layOutModels, layoutBody } from "../layout/endpoint.ts";
import { autoOrientModels } from "../orient/endpoint.ts";
import { CAUSES } from "./causes.ts";
import { isFree, request, supportsAsBefore } from "./fixes.ts";
import { layerFindings } from "./layers.ts";

/** Fixes of a finding that help for certain: each was tried on a copy of the scene. */
export async function triedFixes(scene: Scene, finding: Finding, context: RequestContext): Promise<Fix[]> {
  const models = scene.models.filter(({ id }) => finding.modelIds.includes(id));
  if (models.length === 0) return [];
  if (finding.kind === "CUPS") return turnFixes(scene, models, context);
  // Others reach out of the volume, by so many mm.
  const isBeside = finding.kind === "IN_BOUNDS" && finding.sizeUnit === CAUSES.BESIDE.sizeUnit;
  return isBeside ? closerFixes(scene, models, context) : [];
}

/** A turn, where the parts trap resin in fewer places after it. */
async function turnFixes(scene: Scene, models: readonly Model[], context: RequestContext): Promise<Fix[]> {
  context.enterPhase(0, TURNED_SHARE);
  const [turned] = await autoOrientModels(scene, models, {}, context);
  context.enterPhase(TURNED_SHARE, 1);
  const ids = new Set(idsOf(models));
  const after = await cupsOf({ ...turned, models: turned.models.filter(({ id }) => ids.has(id)) }, context);
  const before = await cupsOf({ ...scene, models }, context);
  if (after >= before) return [];
  const title = models.length === 1 ? "Turn it" : `Turn ${models.length}`;
  const bare = models.filter(({ supports }) => !supports);
  const anew = bare.length > 0 ? [request(scene, bare, "auto-support")] : [];
  return [{ title, requests: [request(scene, models, "auto-orient"), ...supportsAsBefore(scene, models), ...anew] }];
}

/** Share of the progress at which the parts are turned. */
const TURNED_SHARE = 0.6;

async function cupsOf(scene: Scene, context: RequestContext): Promise<number> {
  const found = await layerFindings(scene, ["CUPS"], 0, context);
  return found.reduce((sum, { count }) => sum + count, 0);
}

/** A spacing that still lets resin run off between parts, and a scraper in. */
const CLOSE_MM = 1;

/** Parts nearer to each other, where all of the scene fit that way. */
async function closerFixes(scene: Scene, models: readonly Model[], context: RequestContext): Promise<Fix[]> {
  if (scene.setting.printerType.family !== "resin" || !models.every((model) => isFree(scene, model))) return [];
  const fields = { model_spacing_mm: CLOSE_MM };
  const body = v.parse(layoutBody, { scene_id: scene.id, overflow: "BESIDE", ...fields });
  const [, { unplaced_model_ids = [] }] = await layOutModels(scene, body, context);
  if (unplaced_model_ids.length > 0) return [];
  return [{ title: `Try ${CLOSE_MM} mm spacing`, requests: [request(scene, scene.models, "auto-layout", fields)] }];
}
