import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { readsScene } from "../api/endpoint.ts";
import { sceneId } from "../api/schema.ts";
import { inputError } from "../core/api-error.ts";
import { inPrivateFolder } from "../core/private-folder.ts";
import { runStepwise } from "../core/steps.ts";
import { stackFromAbove } from "../feature/slice/slice-layers.ts";
import { drawLayerTask } from "../feature/slice/task.ts";
import { layerBoundariesOf } from "../scene/layers.ts";
import { wireMm } from "../scene/wire-numbers.ts";
import type { ToolCall } from "./workspace.ts";

/** Longer side of pictures in pixels, the preferred one first: larger ones cost agents more and show them no more. */
const SIDES_PX = [768, 608, 480] as const;

/** Most bytes of a picture: in an answer it takes a third more, as base64. */
const MAX_PICTURE_BYTES = 200_000;

/** The fields of scene/render without those of the file. */
export interface View {
  readonly yaw: number;
  readonly pitch: number;
  readonly model_ids?: readonly string[] | undefined;
  readonly view_type?: string | undefined;
}

/** A PNG file with a view of a plate, in the greatest size that is not too large a file. */
export async function pictureOfView(call: ToolCall, plate: string, view: View): Promise<Uint8Array> {
  return inPrivateFolder("mcp", (folder) => {
    const file = join(folder, "view.png");
    return firstSmall((image_size_px) =>
      call
        .request("scene/render", { scene_id: call.sceneId(plate), file, image_size_px, ...view })
        .then(() => readFile(file)),
    );
  });
}

/** A layer of a plate as a PNG file, as seen from above, and its height. */
interface LayerPicture {
  readonly png: Uint8Array;
  /** From the platform to its bottom and its top, mm. */
  readonly heightsMm: readonly [number, number];
}

/** Draws one layer of a scene. It runs like an endpoint, so that the call can be cancelled. */
const drawLayer = readsScene(
  {
    method: "POST",
    path: "/mcp/layer/",
    summary: "A layer of a scene as a picture.",
    body: v.object({ scene_id: sceneId, layer: v.number(), maxPixels: v.number() }),
    reply: v.custom<LayerPicture>(() => true),
  },
  async (scene, { layer, maxPixels }, context) => {
    const boundariesMm = await runStepwise(layerBoundariesOf(scene));
    const count = boundariesMm.length - 1;
    if (count === 0) throw inputError("The plate has no layers yet: add_parts adds parts.");
    if (layer >= count) throw inputError(`"/layer": the layers are 0 to ${count - 1}, 0 being that on the platform.`);
    const stack = await stackFromAbove(scene, context);
    const png = await context.compute(drawLayerTask, { stack, layer, maxPixels });
    return { png, heightsMm: [wireMm(boundariesMm[layer]!), wireMm(boundariesMm[layer + 1]!)] as const };
  },
);

/** A PNG file with a layer of a plate, in the greatest size that is not too large a file, with its heights. */
export async function pictureOfLayer(call: ToolCall, plate: string, layer: number): Promise<LayerPicture> {
  let heightsMm: LayerPicture["heightsMm"] = [0, 0];
  const png = await firstSmall(async (maxPixels) => {
    const body = { scene_id: call.sceneId(plate), layer, maxPixels };
    const picture: LayerPicture = await call.run(drawLayer, { body, query: undefined });
    heightsMm = picture.heightsMm;
    return picture.png;
  });
  return { png, heightsMm };
}

/** The first picture that is not too large, or the smallest. */
async function firstSmall(draw: (sidePx: number) => Promise<Uint8Array>): Promise<Uint8Array> {
  let picture = new Uint8Array();
  for (const sidePx of SIDES_PX) {
    picture = new Uint8Array(await draw(sidePx));
    if (picture.length <= MAX_PICTURE_BYTES) break;
  }
  return picture;
}
