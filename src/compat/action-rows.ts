import { autoOrient } from "../feature/orient/endpoint.ts";
import { cageModels } from "../feature/cage/endpoint.ts";
import { hollowModels } from "../feature/hollow/endpoint.ts";
import { autoSupport } from "../feature/support/endpoint.ts";
import { idsOf } from "../api/schema.ts";
import { ApiError, excerpt } from "../core/api-error.ts";
import { isRecord } from "../core/json.ts";
import { findScene, selectModels } from "../scene/find.ts";
import { type Notices, noticesOf, withScene } from "./answers.ts";
import { type Body, clamped, entry, modelIdsOf, pick, rounded } from "./body.ts";
import type { Calls } from "./calls.ts";
import { ModelFailures } from "./model-failures.ts";
import { fillChamberFromWalls, fillPlatformWithMargin, layOutWithMargin, packFromWalls } from "./margin-endpoints.ts";
import { type Row, type RowRequest, oneCall } from "./row.ts";

/** The body of a call for the models that a request names; undefined if it names none. */
function forModels({ sceneId: scene_id, body }: RowRequest, fields: Body): Body | undefined {
  const selection = modelIdsOf(body.models);
  return selection && { scene_id, ...selection, ...fields };
}

/** Clients of 0.9 send `tilt` also without a mode, where it has no meaning. */
const orientFields = (body: Body): Body =>
  body.mode === undefined ? {} : { ...pick(body, "mode"), ...entry("tilt", rounded(body.tilt)) };

/** The largest values that `/v1/` accepts (interface supplement, section 6); 0.9 names no limits. */
const MOST_MM = {
  raft_thickness_mm: 10,
  height_above_raft_mm: 50,
  z_compression_correction_mm: 5,
  early_layer_merge_mm: 5,
};
const TOUCHPOINT_MM = { least: 0.1, most: 5 };

/** Limits a size from above. Negative sizes are refused by the check of `/v1/`. */
const atMost = (value: unknown, most: number): unknown => (typeof value === "number" && value > most ? most : value);

/** `MINI_RAFTS` is the name in clients of versions up to 0.9.7. */
const raftTypeOf = (type: unknown): unknown => (type === "MINI_RAFTS" ? "MINI_RAFT" : type);

const touchpointMm = (value: unknown): unknown =>
  typeof value === "number" && value < 0 ? value : clamped(value, TOUCHPOINT_MM.least, TOUCHPOINT_MM.most);

function supportFields(body: Body): Body {
  const sizes = Object.entries(MOST_MM).map(([field, most]) => entry(field, atMost(body[field], most)));
  return Object.assign(
    pick(
      body,
      "density",
      "slope_multiplier",
      "only_minima",
      "raft_label_enabled",
      "breakaway_structure_enabled",
      "internal_supports_enabled",
    ),
    entry("raft_type", raftTypeOf(body.raft_type)),
    entry("touchpoint_size_mm", touchpointMm(body.touchpoint_size_mm)),
    ...sizes,
  );
}

const BOUNDS = ["x_min_mm", "x_max_mm", "y_min_mm", "y_max_mm"];

const layoutFields = (body: Body): Body => ({
  ...pick(body, "mode", "model_spacing_mm", "placement_margin_mm", "allow_overlapping_supports", "lock_rotation"),
  ...entry("custom_bounds", pick(body.custom_bounds, ...BOUNDS)),
});

/** In 0.9 the packing type is in an object of the same name. */
const packingTypeOf = (given: unknown): unknown => (isRecord(given) ? given.packing_type : given);

const cageFields = (body: Body): Body => ({
  ...entry("packing_type", packingTypeOf(body.packing_type)),
  ...pick(
    body,
    "cage_label",
    "generate_mesh_label",
    "model_spacing_mm",
    "bar_spacing_mm",
    "bar_thickness_mm",
    "bar_width_mm",
    "distance_to_cage_mm",
    "enable_round_edges",
    "enable_square_bars",
  ),
});

/** Wall of a hollow model for a request without one: our choice, twice what the printers of the catalog need to build one. */
const DEFAULT_WALL_MM = 2;

const hollowFields = (body: Body): Body => ({
  wall_thickness_mm: DEFAULT_WALL_MM,
  ...pick(body, "wall_thickness_mm", "feature_size_mm", "accuracy"),
});

/** The named options of the object `options`, which newer versions of 0.9 have. */
const optionsIn = (options: unknown, ...names: readonly string[]): Body =>
  isRecord(options) ? pick(options as Body, ...names) : {};

/** Names of packing modes in 0.9. In a chamber, the lowest packing is also the densest. */
const PACKING_MODES = new Map([
  ["PACK_HEIGHT", "HEIGHT"],
  ["PACK_VOLUME", "BALANCED"],
]);

/** Names the options of a layout or packing request that have no effect here. */
function ignoredIn({ build_platform_2_optimized, seed, packing_mode }: Body): string[] {
  return [
    ...(build_platform_2_optimized === true ? ["build_platform_2_optimized has no effect."] : []),
    ...(seed === undefined ? [] : ["seed has no effect: the same models are always packed in the same way."]),
    ...(packing_mode === undefined || PACKING_MODES.has(String(packing_mode))
      ? []
      : [
          `packing_mode ${excerpt(JSON.stringify(packing_mode))} has no effect: it is one of ${[...PACKING_MODES.keys()].join(" and ")}.`,
        ]),
  ];
}

/** Adds the warnings to an answer, if there are any. */
const withWarnings = <Answer extends object>(answer: Answer, warnings: readonly string[]): Answer =>
  warnings.length === 0 ? answer : { ...answer, warnings };

/** The scene, and warnings about options without effect. */
const sceneAndIgnored = async (_: unknown, calls: Calls, request: RowRequest): Promise<object> =>
  withWarnings(await withScene(_, calls, request), ignoredIn(request.body));

interface FillAnswer {
  readonly results: readonly { readonly new_model_ids: readonly string[] }[];
}

const filled = (answer: FillAnswer | undefined, _: Calls, { body: { packing_options } }: RowRequest): object =>
  withWarnings(
    { new_model_ids: (answer?.results ?? []).flatMap(({ new_model_ids }) => new_model_ids) },
    ignoredIn(optionsIn(packing_options, "seed", "packing_mode")),
  );

async function hollow(calls: Calls, request: RowRequest): Promise<Notices> {
  const body = forModels(request, hollowFields(request.body));
  if (!body) return noticesOf(undefined);
  try {
    return noticesOf(await calls.call<Notices>(hollowModels, body));
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.code !== "OPERATION_FAILED") throw thrown;
    const { scene_id, model_ids } = body as { scene_id: string; model_ids?: readonly string[] };
    throw new ModelFailures(thrown, idsOf(selectModels(findScene(calls.server.store.read(), scene_id), model_ids)));
  }
}

/** Properties that all of these rows have in common. */
const ACTION = { method: "POST", alsoOfNewest: true, async: true, changesScenes: true } as const;

/** Rows for actions on some or all models of a scene. */
export const ACTION_ROWS: readonly Row[] = [
  {
    ...ACTION,
    path: "/scene/:scene/auto-orient/",
    ...oneCall(autoOrient, (request) => forModels(request, orientFields(request.body))),
  },
  {
    ...ACTION,
    path: "/scene/:scene/auto-support/",
    ...oneCall(autoSupport, (request) => forModels(request, supportFields(request.body))),
  },
  {
    ...ACTION,
    path: "/scene/:scene/auto-layout/",
    ...oneCall(layOutWithMargin, (request) => forModels(request, layoutFields(request.body)), sceneAndIgnored),
  },
  {
    ...ACTION,
    path: "/scene/:scene/auto-pack/",
    ...oneCall(
      packFromWalls,
      (request) =>
        forModels(request, {
          ...pick(request.body, "model_spacing_mm", "distance_from_wall_mm"),
          ...entry("packing_mode", PACKING_MODES.get(String(request.body.packing_mode))),
        }),
      sceneAndIgnored,
    ),
  },
  {
    ...ACTION,
    path: "/scene/:scene/pack-and-cage/",
    ...oneCall(cageModels, (request) => forModels(request, cageFields(request.body)), withScene),
  },
  {
    ...ACTION,
    path: "/scene/:scene/hollow/",
    first: (request) => {
      const body = forModels(request, hollowFields(request.body));
      return body && [hollowModels, body];
    },
    run: hollow,
  },
  {
    ...ACTION,
    path: "/scene/:scene/fill-build-platform/",
    ...oneCall(
      fillPlatformWithMargin,
      (request) =>
        forModels(request, optionsIn(request.body.layout_options, "model_spacing_mm", "placement_margin_mm")),
      filled,
    ),
  },
  {
    ...ACTION,
    path: "/scene/:scene/fill-build-chamber/",
    ...oneCall(
      fillChamberFromWalls,
      (request) =>
        forModels(request, {
          ...pick(request.body, "fill_to_height_mm"),
          ...optionsIn(request.body.packing_options, "model_spacing_mm", "distance_from_wall_mm"),
        }),
      filled,
    ),
  },
];
