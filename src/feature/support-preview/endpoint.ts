import * as v from "valibot";
import { subtract } from "../../geometry/vector.ts";
import { findModel } from "../../scene/find.ts";
import { wireMm } from "../../scene/wire-numbers.ts";
import { readsScene } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { count, integer, modelId, sceneId } from "../../api/schema.ts";
import { requireFamily } from "../../api/preconditions.ts";
import { supportSettingsOf } from "../support/endpoint.ts";
import { changedSettings, settingFields } from "../support/setting-fields.ts";
import { singleRequestOf } from "../support/support-models.ts";
import { toRaw, vectorOf } from "../support-plan/areas-on-wire.ts";
import { SAME_MM, placesOf, requireCounts } from "../support-plan/draft-points.ts";
import { listedPoint } from "../support-plan/plan-fields.ts";
import { withSetPoints } from "../support-plan/set-endpoint.ts";
import { planOf } from "../support-plan/plan-of-model.ts";
import { BackgroundSolids } from "./background-solids.ts";
import { draftOfPoints, routeAnew } from "./draft-of-points.ts";
import { treesOnWire } from "./draft-on-wire.ts";
import { NewestTurns } from "./newest-turns.ts";

const body = strictObject({
  scene_id: sceneId,
  model_id: modelId,
  points: field(v.array(listedPoint), "All points that the model would have."),
  snap_mm: field(
    v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(5)), 1),
    "Largest distance in mm by which a point is moved onto the part.",
  ),
  known_trees: field(
    v.optional(v.array(count), []),
    "Ids of the trees that the client has of earlier previews: these are not sent again.",
  ),
  ...settingFields,
});

const mm = v.number();
const strutReply = v.tuple([mm, mm, mm, mm, mm, mm, mm, mm, v.picklist(["TIP", "PILLAR", "BRACE"])]);

/** An addition of ours (interface supplement, section 8). */
export const previewSupports = readsScene(
  {
    method: "POST",
    path: "/v1/scene/model/supports/preview/",
    errors: ["UNSUPPORTED_SCENE", "OPERATION_CANCELLED"],
    summary:
      "The struts that a model would get from some points, without their solid; changes nothing. After a first preview, one with similar points takes a fraction of the time: only trees near points that differ are made anew, so that supports/set may build a few trees differently. Of several previews of a model that wait, only the newest is made. Absent settings are those of the present supports, or of the print setting.",
    body,
    reply: object({
      removed_trees: field(v.array(count), "Ids of known_trees that are no longer there."),
      trees: field(
        v.array(
          object({
            id: field(count, "Id of the tree, which its struts decide: equal trees have equal ids."),
            points: field(v.array(integer), "Indices of the points of the request that it holds."),
            struts: field(
              v.array(strutReply),
              "Each strut as x, y, z and radius of one end and of the other in the scene in mm, and its kind.",
            ),
          }),
        ),
        "The trees that are not among known_trees.",
      ),
      unreached_indices: field(v.array(integer), "Indices of the points that no support reaches."),
      load_ratio_min: field(
        v.nullable(v.number()),
        "Least ratio of the load at which a strut buckles to its load; supports are made for 2. Null if no strut bears a load.",
      ),
      lift_mm: field(v.number(), "Height in mm by which the supports would raise the model, as the struts assume."),
      took_ms: field(v.number(), "Time of the preview in milliseconds, without that for which it waited for others."),
    }),
  },
  async (scene, request, context) => {
    requireFamily(scene, "resin");
    const model = findModel(scene, request.model_id);
    const { points, snap_mm: snapMm, known_trees } = request;
    requireCounts({ kept: [], added: points }, 0);
    const present = planOf(model);
    const settings = { ...(present?.settings ?? supportSettingsOf(scene.setting)!), ...changedSettings(request) };
    const placeOf = placesOf(present?.points ?? [], SAME_MM / model.pose.scale);
    const presentAt = (place: Parameters<typeof vectorOf>[0]) => present?.points[placeOf(toRaw(model, place))];
    const support = singleRequestOf({ model, settings, areas: present?.areas }, scene.setting);
    const origin = model.pose.position;
    const packed = Float64Array.from(
      points.flatMap(({ position, normal, size_mm }) => [
        ...vectorOf(position),
        ...(normal ? vectorOf(normal) : NO_NORMAL),
        size_mm ?? presentAt(position)?.sizeMm ?? settings.touchpointSizeMm,
      ]),
    );
    const list = { points: packed, origin, snapMm };
    const key = `${scene.id} ${model.id}`;
    const reply = await turns.run(key, async () => {
      context.throwIfCancelled();
      solids.stop(key);
      const beganMs = performance.now();
      const draft = await draftOfPoints(support, list, context);
      const [dx, dy, downMm] = subtract(origin, draft.position);
      return {
        ...treesOnWire(draft, known_trees, [dx, dy, 0]),
        load_ratio_min: draft.loadRatioMin === Infinity ? null : draft.loadRatioMin,
        lift_mm: wireMm(-downMm),
        took_ms: performance.now() - beganMs,
      };
    });
    void solids.start(key, context, async (background) => {
      await routeAnew(support, list, background);
      const { known_trees: _known, ...set } = request;
      await withSetPoints(scene, set, background);
    });
    return reply;
  },
);

const turns = new NewestTurns();
const solids = new BackgroundSolids();

const NO_NORMAL = [Number.NaN, 0, 0];
