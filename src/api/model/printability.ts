import * as v from "valibot";
import { Fault } from "../../core/fault.ts";
import type { Scene } from "../../scene/project.ts";
import { type Endpoint, type Kit, readsScene } from "../endpoint.ts";
import { sceneId } from "../schema.ts";

const sceneAlone = v.strictObject({ scene_id: sceneId });

/** Absence of `scene_id` has a code of its own (interface, "Printability checks"). */
const sceneAloneOrFault = v.pipe(
  v.strictObject({ scene_id: v.optional(sceneId) }),
  v.transform(({ scene_id }) => {
    if (scene_id !== undefined) return { scene_id };
    throw new Fault("MISSING_PARAMETER", "The body lacks scene_id: give the id of the scene to check.");
  }),
);

/** The OpenAPI document tells the body as it has to be. */
const body = Object.assign(
  v.lazy(() => sceneAloneOrFault),
  { shapes: [sceneAlone] },
);

interface PrintabilityCheck {
  /** Last part of its path. */
  readonly name: string;
  readonly summary: string;
  /** The field of each model's result. */
  readonly field: string;
  readonly value: v.GenericSchema<number>;
  /** The value of each model of a resin scene, in their order. */
  readonly run: (scene: Scene, kit: Kit) => Promise<readonly number[]>;
}

/** A check of a whole scene that gives one number for each model; 0 where powder carries every part. */
export const printabilityCheck = ({ name, summary, field, value, run }: PrintabilityCheck): Endpoint =>
  readsScene(
    {
      method: "POST",
      path: `/v1/scene/model/validate/${name}/`,
      summary,
      async: true,
      body,
      reply: v.object({ per_model_results: v.record(v.string(), v.object({ [field]: value })) }),
    },
    async (scene, _, kit) => {
      const { models, setting } = scene;
      const needsNone = models.length === 0 || setting.printerType.family === "powder";
      const values = needsNone ? models.map(() => 0) : await run(scene, kit);
      const results = models.map(({ id }, i) => [id, { [field]: values[i]! }] as const);
      return { per_model_results: Object.fromEntries(results) };
    },
  );

/** How many of something a model has. */
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
