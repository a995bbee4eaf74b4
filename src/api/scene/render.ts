import * as v from "valibot";
import { selectModels } from "../../scene/find.ts";
import type { Direction } from "../../render/camera.ts";
import type { FlightRequest } from "../../worker/task/prepare-flight.ts";
import { type Kit, readsScene } from "../endpoint.ts";
import { requireFile } from "../require-file.ts";
import { finiteNumber, modelIds, sceneId } from "../schema.ts";
import { ahead } from "../ahead.ts";
import { stageOf } from "./stage-of.ts";

/** Far beyond any turn, and still exact to a millionth of a degree. */
const MAX_YAW_DEG = 1e6;

const yaw = v.pipe(finiteNumber, v.minValue(-MAX_YAW_DEG), v.maxValue(MAX_YAW_DEG));
const pitch = v.pipe(finiteNumber, v.minValue(-90), v.maxValue(90));

const flyaround = v.strictObject({
  keyframes: v.pipe(v.array(v.strictObject({ yaw, pitch })), v.minLength(2), v.maxLength(600)),
  frame_count: v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(600)),
  ensure_constant_size: v.optional(v.boolean(), true),
});

export const renderScene = readsScene(
  {
    method: "POST",
    path: "/v1/scene/render/",
    summary:
      "Draws the visible models, all or those named, into a .png or .webp file: orthographic, in the build volume. At yaw 0 the camera looks along -x, at 90 along -y. crop_to_models ends the picture a margin beyond what view_type frames; without it the picture is square. A flyaround becomes an animated .webp.",
    async: true,
    body: v.pipe(
      v.strictObject({
        scene_id: sceneId,
        file: v.string(),
        view_type: v.optional(
          v.picklist(["ZOOM_ON_MODELS", "FULL_BUILD_VOLUME", "FULL_PLATFORM_WIDTH"]),
          "ZOOM_ON_MODELS",
        ),
        yaw: v.optional(yaw, 45),
        pitch: v.optional(pitch, 35.264),
        image_size_px: v.optional(v.pipe(v.number(), v.integer(), v.minValue(16), v.maxValue(4096)), 820),
        crop_to_models: v.optional(v.boolean(), true),
        model_ids: modelIds,
        flyaround: v.optional(flyaround),
      }),
      v.forward(
        v.partialCheck(
          [["file"], ["flyaround"]],
          ({ file, flyaround }) => flyaround === undefined || file.toLowerCase().endsWith(".webp"),
          "goes with a .webp file alone",
        ),
        ["flyaround"],
      ),
    ),
    check: ({ file }) => requireFile(file, ["png", "webp"]),
  },
  async (scene, { file, flyaround, ...body }, kit) => {
    const stage = stageOf(
      scene,
      selectModels(scene, body.model_ids).filter(({ visible }) => visible),
    );
    const framing = { viewType: body.view_type, sizePx: body.image_size_px, cropped: body.crop_to_models };
    if (flyaround === undefined) {
      await kit.compute("renderPicture", { file, stage, framing, direction: toDirection(body) });
      return;
    }
    await fly(kit, file, {
      stage,
      framing,
      keyframes: flyaround.keyframes.map(toDirection),
      frameCount: flyaround.frame_count,
      constantSize: flyaround.ensure_constant_size,
    });
  },
);

const toDirection = ({ yaw, pitch }: { yaw: number; pitch: number }): Direction => ({ yawDeg: yaw, pitchDeg: pitch });

/** Frames that a thread draws at a time: so few that all threads end together. */
const FRAMES_AT_A_TIME = 2;

/** Draws a flight into a file, on every thread that is free. */
async function fly(kit: Kit, file: string, request: FlightRequest): Promise<void> {
  const flight = await kit.compute("prepareFlight", request);
  const count = flight.shots.length;
  const runs = ahead(Math.ceil(count / FRAMES_AT_A_TIME), (run) => {
    const from = run * FRAMES_AT_A_TIME;
    return kit.compute("renderFrames", { flight, from, to: Math.min(count, from + FRAMES_AT_A_TIME) });
  });
  const frames = [];
  for await (const run of runs) frames.push(...run);
  await kit.compute("writeAnimation", { file, canvas: flight.shots[0].frame, frames });
}
