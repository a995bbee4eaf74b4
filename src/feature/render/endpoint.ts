import * as v from "valibot";
import { type Steps, runStepwise } from "../../core/steps.ts";
import { getOrInsert } from "../../core/memoize.ts";
import { must } from "../../core/must.ts";
import { poseKey } from "../../geometry/pose.ts";
import type { LetterPlane } from "../../mesh/letter-plane.ts";
import type { ViewDirection } from "../../render/camera.ts";
import type { ItemKind, RenderItem, RenderScene } from "../../render/render-scene.ts";
import { selectModels } from "../../scene/find.ts";
import { isInBounds } from "../../scene/placement.ts";
import type { Model, PlacedBody, Scene } from "../../scene/project.ts";
import type { FlyaroundRequest } from "./render.ts";
import { type RequestContext, readsScene } from "../../api/endpoint.ts";
import { computeChunks } from "../chunk-tasks.ts";
import { field, strictObject } from "../../api/field.ts";
import { finiteNumber, modelIds, requiring, sceneId } from "../../api/schema.ts";
import { requireFile } from "../../api/preconditions.ts";
import { prepareFlyaroundTask, renderFramesTask, renderPictureTask, writeAnimationTask } from "./task.ts";

/** Beyond any useful angle, and still exact to a millionth of a degree. */
const MAX_ANGLE_DEG = 1e6;

const angle = v.pipe(finiteNumber, v.minValue(-MAX_ANGLE_DEG), v.maxValue(MAX_ANGLE_DEG));

const flyaround = strictObject({
  keyframes: field(
    v.pipe(
      v.array(
        strictObject({
          yaw: field(
            angle,
            "Direction of the camera about the vertical in degrees: at 0 it looks along -x, at 90 along +y.",
          ),
          pitch: field(angle, "Angle by which the camera looks down in degrees; 0 is level."),
        }),
      ),
      v.minLength(2),
    ),
    "Directions of the camera along the animation.",
  ),
  frame_count: field(
    v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(600)),
    "Number of pictures of the animation.",
  ),
  ensure_constant_size: field(v.optional(v.boolean(), true), "Whether the models have the same size in all pictures."),
});

export const renderScene = readsScene(
  {
    method: "POST",
    path: "/v1/scene/render/",
    summary:
      "Renders the visible models of the scene or of model_ids in the build volume, in orthographic projection, to a .png or .webp file. At yaw 0 the camera looks along -x, at 90 along +y: the default of 45 looks from the front right. With crop_to_models the picture is cropped to a margin around the subject of view_type; without it the picture is square. A flyaround is an animated .webp file.",
    async: true,
    body: v.pipe(
      strictObject({
        scene_id: sceneId,
        file: field(
          v.string(),
          "Absolute path of the .png or .webp file to write. Its folder must exist; an existing file is replaced.",
        ),
        view_type: field(
          v.optional(v.picklist(["ZOOM_ON_MODELS", "FULL_BUILD_VOLUME", "FULL_PLATFORM_WIDTH"]), "ZOOM_ON_MODELS"),
          "Subject of the picture: the models, the whole build volume, or the whole width of the platform.",
        ),
        yaw: field(
          v.optional(angle, 45),
          "Direction of the camera about the vertical in degrees: at 0 it looks along -x, at 90 along +y.",
        ),
        pitch: field(v.optional(angle, 35.264), "Angle by which the camera looks down in degrees; 0 is level."),
        image_size_px: field(
          v.optional(v.pipe(v.number(), v.integer(), v.minValue(16), v.maxValue(4096)), 820),
          "Larger side of the picture in pixels (px).",
        ),
        crop_to_models: field(
          v.optional(v.boolean(), true),
          "Whether the picture is cropped to a margin around the subject of view_type; if false, it is square.",
        ),
        model_ids: modelIds,
        flyaround: field(v.optional(flyaround), "Renders an animated picture; only for .webp files."),
      }),
      v.forward(
        v.partialCheck(
          [["file"], ["flyaround"]],
          ({ file, flyaround }) => flyaround === undefined || file.toLowerCase().endsWith(".webp"),
          "is for .webp files alone: give file that extension, or leave flyaround out",
        ),
        ["flyaround"],
      ),
      requiring(["flyaround"], "file", { pattern: "\\.[wW][eE][bB][pP]$" }),
    ),
    check: ({ file }) => requireFile(file, ["png", "webp"]),
  },
  async (scene, { file, flyaround, ...body }, context) => {
    const models = selectModels(scene, body.model_ids).filter(({ visible }) => visible);
    const framing = { viewType: body.view_type, sizePx: body.image_size_px, cropped: body.crop_to_models };
    const view = { scene: await runStepwise(renderSceneOf(scene, models)), framing };
    if (flyaround === undefined) {
      await context.compute(renderPictureTask, { ...view, file, direction: toDirection(body) });
      return;
    }
    await renderFlyaround(context, file, {
      ...view,
      keyframes: flyaround.keyframes.map(toDirection),
      frameCount: flyaround.frame_count,
      constantSize: flyaround.ensure_constant_size,
    });
  },
);

const toDirection = ({ yaw, pitch }: { yaw: number; pitch: number }): ViewDirection => ({
  yawDeg: yaw,
  pitchDeg: pitch,
});

/** Frames that a task draws: few, so that all threads end at about the same time. */
const FRAMES_PER_TASK = 2;

/** Processor time of a frame: of parts of 36,000 facets at 820 pixels, encoded. */
const FRAME_MS = 50;

/** Renders a flyaround on all threads. */
async function renderFlyaround(context: RequestContext, file: string, request: FlyaroundRequest): Promise<void> {
  const flyaround = await context.compute(prepareFlyaroundTask, request);
  const count = flyaround.frames.length;
  const tasks = {
    count: Math.ceil(count / FRAMES_PER_TASK),
    inputOf(task: number) {
      const from = task * FRAMES_PER_TASK;
      return { flyaround, from, to: Math.min(count, from + FRAMES_PER_TASK) };
    },
    workMs: FRAME_MS * count,
  };
  const frames = (await Array.fromAsync(computeChunks(renderFramesTask, tasks, context))).flat();
  await context.compute(writeAnimationTask, {
    file,
    canvas: must(flyaround.frames[0], "The first frame").frame,
    frames,
  });
}

/** Models that are compared with the others in one step, in a few milliseconds. */
const MODELS_PER_STEP = 512;

/**
 * The models and their supports in the build volume, in steps. Copies with the same pose are drawn once; lattices of cages and the
 * letters on them have separate tints.
 */
export function* renderSceneOf({ setting, cages }: Scene, models: readonly Model[]): Steps<RenderScene> {
  const items = new Map<string, RenderItem>();
  const lattices = new Set(cages.map(({ latticeId }) => latticeId));
  const addItem = ({ mesh, pose }: PlacedBody, kind: ItemKind, letters?: LetterPlane): RenderItem =>
    getOrInsert(items, poseKey(mesh.hash, pose), () => ({ mesh, pose, kind, letters }));
  for (const [i, model] of models.entries()) {
    if (i > 0 && i % MODELS_PER_STEP === 0) yield;
    const kindInside = lattices.has(model.id) ? "lattice" : "model";
    addItem(model, isInBounds(model, setting) ? kindInside : "outOfBounds", model.letters);
    if (model.supports) addItem(model.supports, "support");
  }
  return { volume: setting.printerType.volume, items: [...items.values()] };
}
