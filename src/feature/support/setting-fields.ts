import type { SupportDefaults } from "../../catalog/profile-types.ts";
import { camelKeys } from "../../core/json.ts";
import * as v from "valibot";
import { RAFT_TYPES } from "../../catalog/raft-type.ts";
import { field } from "../../api/field.ts";

const between = (min: number, max: number) => v.optional(v.pipe(v.number(), v.minValue(min), v.maxValue(max)));
const atLeastZero = v.optional(v.pipe(v.number(), v.finite(), v.minValue(0)));
const flag = v.optional(v.boolean());

/** The support settings that a request may change. */
export const settingFields = {
  density: field(
    atLeastZero,
    "Factor for the number of touchpoints; 1 is the usual number; the value of the print setting if absent.",
  ),
  slope_multiplier: field(
    atLeastZero,
    "Factor for the number of touchpoints on slopes; 1 is the usual number; the value of the print setting if absent.",
  ),
  only_minima: field(
    flag,
    "Whether only minima are supported: places where a part begins in mid-air; the value of the print setting if absent.",
  ),
  raft_type: field(
    v.optional(v.picklist(RAFT_TYPES)),
    "Shape of the plate on the platform; the value of the print setting if absent.",
  ),
  raft_label_enabled: field(
    flag,
    "Whether the raft has the name of the model on it; the value of the print setting if absent.",
  ),
  breakaway_structure_enabled: field(
    flag,
    "Whether pillars have a narrow neck above the raft, at which they break; the value of the print setting if absent.",
  ),
  internal_supports_enabled: field(
    flag,
    "Whether pillars that cannot reach the platform may stand on the model; the value of the print setting if absent.",
  ),
  touchpoint_size_mm: field(
    between(0.1, 5),
    "Diameter of touchpoints in mm; the value of the print setting if absent.",
  ),
  raft_thickness_mm: field(between(0, 10), "Thickness of the raft in mm; the value of the print setting if absent."),
  height_above_raft_mm: field(
    between(0, 50),
    "Height of the model above the raft in mm; the value of the print setting if absent.",
  ),
  z_compression_correction_mm: field(
    between(0, 5),
    "Thickness by which the raft is raised in mm, because the first layers are compressed; the value of the print setting if absent.",
  ),
  early_layer_merge_mm: field(
    between(0, 5),
    "Height over which the first layers count as merged in mm, so that shapes stay vertical; the value of the print setting if absent.",
  ),
};

/** The settings that a request names; fields that it omits are absent, not undefined. */
export const changedSettings = (request: object): Partial<SupportDefaults> =>
  camelKeys(Object.fromEntries(Object.entries(request).filter(([name]) => Object.hasOwn(settingFields, name))));
