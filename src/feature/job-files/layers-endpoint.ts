import { extname } from "node:path";
import * as v from "valibot";
import { servesServer } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { requireAbsolute, requireFile } from "../../api/preconditions.ts";
import { count } from "../../api/schema.ts";
import { inputError } from "../../core/api-error.ts";
import { requireWritable } from "../../core/write-file.ts";
import { type Turn, turnToAbove } from "../../job/fit/turned-runs.ts";
import { computeChunks } from "../chunk-tasks.ts";
import type { LayerPicture } from "./draw-layers.ts";
import { LAYERS_PER_CHUNK } from "./job-checks.ts";
import { orientationOfJob } from "./job-place.ts";
import { drawJobLayersTask, readJobHeadTask } from "./task.ts";

/** Processor time of a picture of 11520 × 5120 pixels, ms. */
const PICTURE_MS = 12;

const AS_IN_FILE: Turn = { transposed: false, flippedX: false, flippedY: false };

export const drawJobLayers = servesServer(
  {
    method: "POST",
    path: "/v1/job/layers/",
    summary:
      "An addition to the interface. Writes layers of a job file as PNG pictures of 8 bits, each pixel as bright as its light.",
    async: true,
    body: strictObject({
      file: field(v.string(), "Absolute path of the job file."),
      first_layer: field(v.optional(count, 0), "The lowest layer, 0 being that on the platform."),
      last_layer: field(v.optional(count), "The highest layer; that of the job if absent or beyond it."),
      output_file: field(
        v.string(),
        "Absolute path of the picture, with the extension .png; its folder must exist, and existing files are replaced. Of several layers, each has its index in the name: plate-00012.png for plate.png.",
      ),
      raw: field(
        v.optional(v.boolean(), false),
        "Whether the pictures are those in the file, mirrored or turned as the machine takes them; otherwise they are seen from above, x to the right.",
      ),
    }),
    reply: object({
      output_files: field(v.array(v.string()), "Paths of the pictures, from the lowest layer up."),
    }),
    check({ file, output_file, first_layer, last_layer }) {
      requireAbsolute(file);
      requireFile(output_file, ["png"]);
      if (last_layer !== undefined && last_layer < first_layer)
        throw inputError(`The last layer, ${last_layer}, is below the first, ${first_layer}: exchange them.`);
    },
  },
  async (_, { body }, context) => {
    const { file, output_file, first_layer, raw } = body;
    const head = await context.compute(readJobHeadTask, { file });
    const layerCount = head.exposuresS.length;
    if (first_layer >= layerCount)
      throw inputError(`The job has the layers 0 to ${layerCount - 1}, no layer ${first_layer}.`);
    requireWritable(output_file);
    const last = Math.min(layerCount - 1, body.last_layer ?? layerCount - 1);
    const layers = Array.from({ length: last - first_layer + 1 }, (_, k) => first_layer + k);
    const pictures = layers.map((layer): LayerPicture => {
      return { layer, file: layers.length === 1 ? output_file : numbered(output_file, layer) };
    });
    const turn = raw ? AS_IN_FILE : turnToAbove(orientationOfJob(head));
    const chunks = Math.ceil(pictures.length / LAYERS_PER_CHUNK);
    const inputOf = (index: number) => {
      const ofChunk = pictures.slice(index * LAYERS_PER_CHUNK, (index + 1) * LAYERS_PER_CHUNK);
      return { input: { file, layerCount, turn, pictures: ofChunk }, index, count: chunks };
    };
    const drawn = computeChunks(
      drawJobLayersTask,
      { count: chunks, inputOf, workMs: PICTURE_MS * layers.length },
      context,
    );
    const written: string[] = [];
    for await (const files of drawn) written.push(...files);
    return { output_files: written };
  },
);

const INDEX_DIGITS = 5;

function numbered(file: string, layer: number): string {
  const extension = extname(file);
  return `${file.slice(0, -extension.length)}-${String(layer).padStart(INDEX_DIGITS, "0")}${extension}`;
}
