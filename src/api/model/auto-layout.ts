import * as v from "valibot";
import { inputError } from "../../core/fault.ts";
import type { Lock } from "../../core/lock.ts";
import { laid } from "../../scene/laid.ts";
import { replaceModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import { changesScene } from "../endpoint.ts";
import { idsOf } from "../ids-of.ts";
import { requireFamily } from "../require-family.ts";
import { coordinateMm, modelIds, modifiedReply, sceneId } from "../schema.ts";
import { seenFromAbove } from "./seen-from-above.ts";
import { turnModels } from "./turn-models.ts";

/** Wide enough that resin runs off between parts and a scraper gets in; a third of the peer slicer's, so more fit. */
export const DEFAULT_SPACING_MM = 2;

export const modelSpacingMm = v.optional(v.pipe(coordinateMm, v.minValue(0)), DEFAULT_SPACING_MM);

/** Whether layout may turn a model about z. No lock that lets it turn forbids that (interface, "lock values"). */
export const mayTurn = (lock: Lock): boolean => lock !== "FULLY_LOCKED" && lock !== "LOCKED_ROTATION_FREE_TRANSLATION";

const bound = v.optional(coordinateMm);

export const autoLayout = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/auto-layout/",
    summary: "Moves models, and turns them about z where their lock allows, so that they fit the platform apart.",
    body: v.strictObject({
      scene_id: sceneId,
      model_ids: modelIds,
      mode: v.optional(v.picklist(["DENTAL"])),
      model_spacing_mm: modelSpacingMm,
      allow_overlapping_supports: v.optional(v.boolean(), false),
      lock_rotation: v.optional(v.boolean(), false),
      custom_bounds: v.optional(
        v.strictObject({ x_min_mm: bound, x_max_mm: bound, y_min_mm: bound, y_max_mm: bound }),
        {},
      ),
    }),
    reply: modifiedReply,
    async: true,
  },
  async (scene, body, kit) => {
    requireFamily(scene, "resin");
    const bounds = boundsOf(body.custom_bounds);
    const moving = selectModels(scene, body.model_ids).filter(({ lock }) => lock !== "FULLY_LOCKED");
    const staying = scene.models.filter((model) => !moving.includes(model));
    const seen = await seenFromAbove([...moving, ...staying], kit);
    const places = await kit.compute("layOut", {
      volume: scene.setting.printerType.volume,
      bounds,
      spacingMm: body.model_spacing_mm,
      overlappingSupports: body.allow_overlapping_supports,
      dental: body.mode === "DENTAL",
      models: moving.map(({ lock }, i) => ({ ...seen[i], turns: !body.lock_rotation && mayTurn(lock) })),
      obstacles: seen.slice(moving.length),
    });
    const moved = await turnModels(
      moving.map((model, i) => laid(model, places[i])),
      scene.setting,
      kit,
    );
    return [replaceModels(scene, moved), { modified_model_ids: idsOf(moved) }];
  },
);

interface CustomBounds {
  readonly x_min_mm?: number;
  readonly x_max_mm?: number;
  readonly y_min_mm?: number;
  readonly y_max_mm?: number;
}

function boundsOf({ x_min_mm: minX, x_max_mm: maxX, y_min_mm: minY, y_max_mm: maxY }: CustomBounds) {
  for (const [axis, min, max] of [
    ["x", minX, maxX],
    ["y", minY, maxY],
  ] as const) {
    if (min === undefined || max === undefined || min < max) continue;
    throw inputError(
      `custom_bounds leave nothing along ${axis}: ${axis}_min_mm ${min} is not below ${axis}_max_mm ${max}.`,
    );
  }
  return { minX, maxX, minY, maxY };
}
