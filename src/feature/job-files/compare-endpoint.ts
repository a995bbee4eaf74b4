import * as v from "valibot";
import { servesServer } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { requireAbsolute } from "../../api/preconditions.ts";
import { count } from "../../api/schema.ts";
import { isRecord } from "../../core/json.ts";
import type { Compute } from "../../worker/compute.ts";
import { computeChunks } from "../chunk-tasks.ts";
import { chunkCount, layersOfChunk } from "./job-checks.ts";
import { jobFactsOnWire } from "./job-facts-reply.ts";
import type { JobHead } from "./read-job.ts";
import { compareJobLayersTask, readJobHeadTask } from "./task.ts";

/** Processor time of two full layers of 11520 × 5120 pixels, ms. */
const LAYERS_MS = 8;

/** Layers that are listed. */
const MAX_LISTED = 1000;

const value = v.union([v.string(), v.number(), v.boolean()]);

export const compareJobs = servesServer(
  {
    method: "POST",
    path: "/v1/job/compare/",
    summary:
      "An addition to the interface. Compares two job files: what they say, except when they were made, and the pixels of their layers as they are in the files.",
    async: true,
    body: strictObject({
      file: field(v.string(), "Absolute path of a job file."),
      other_file: field(v.string(), "Absolute path of the other job file."),
    }),
    reply: object({
      is_equal: field(v.boolean(), "Whether nothing differs."),
      facts: field(
        v.array(
          object({
            name: field(v.string(), "Name of the fact in the reply of job/inspect, its parts separated by dots."),
            value: field(v.optional(value), "Its value in the first job; absent if that does not have it."),
            other_value: field(v.optional(value), "Its value in the other job; absent if that does not have it."),
          }),
        ),
        "The facts that differ.",
      ),
      compared_layer_count: field(
        count,
        "Number of layers that both have, whose pixels were compared; 0 if their pictures have different sizes.",
      ),
      differing_layer_count: field(count, "Number of these with pixels that differ."),
      differing_layers: field(
        v.array(
          object({
            layer: field(count, "Index of the layer, 0 being the lowest."),
            pixel_count: field(count, "Number of pixels that differ."),
          }),
        ),
        "The lowest of these layers, up to 1000.",
      ),
      differing_pixel_count: field(count, "Number of pixels that differ in all layers."),
      largest_difference: field(count, "The largest difference of the values of a pixel, of 255."),
    }),
    check({ file, other_file }) {
      requireAbsolute(file);
      requireAbsolute(other_file);
    },
  },
  async (_, { body }, context) => {
    const head = await context.compute(readJobHeadTask, { file: body.file });
    const other = await context.compute(readJobHeadTask, { file: body.other_file });
    const facts = differingFacts(head, other);
    const isComparable = head.pixels.every((pixels, axis) => pixels === other.pixels[axis]);
    const compared = isComparable ? Math.min(head.exposuresS.length, other.exposuresS.length) : 0;
    const found = await comparedLayers(body, [head, other], compared, context);
    return {
      is_equal: facts.length === 0 && found.differing_layer_count === 0,
      facts,
      compared_layer_count: compared,
      ...found,
    };
  },
);

type Value = v.InferOutput<typeof value>;

/** The values of an object of objects and lists, by their names; a list of words is one value, whatever their order. */
function valuesOf(of: unknown, name: string, into: Map<string, Value>): Map<string, Value> {
  if (Array.isArray(of) && of.every((part) => typeof part === "string")) into.set(name, of.toSorted().join(", "));
  else if (typeof of === "string" || typeof of === "number" || typeof of === "boolean") into.set(name, of);
  else if (Array.isArray(of) || isRecord(of)) {
    for (const [key, part] of Object.entries(of)) valuesOf(part, name === "" ? key : `${name}.${key}`, into);
  }
  return into;
}

function differingFacts(head: JobHead, other: JobHead) {
  const [ours, theirs] = [head, other].map((one) => {
    const { created: _created, ...facts } = jobFactsOnWire(one);
    return valuesOf(facts, "", new Map());
  });
  const names = new Set([...(ours?.keys() ?? []), ...(theirs?.keys() ?? [])]);
  return [...names].flatMap((name) => {
    const [own, others] = [ours?.get(name), theirs?.get(name)];
    if (own === others) return [];
    return [{ name, ...(own !== undefined && { value: own }), ...(others !== undefined && { other_value: others }) }];
  });
}

async function comparedLayers(
  { file, other_file: otherFile }: { readonly file: string; readonly other_file: string },
  [head, other]: readonly [JobHead, JobHead],
  count: number,
  context: Compute,
) {
  const chunks = chunkCount(count);
  const layerCounts = [head.exposuresS.length, other.exposuresS.length] as const;
  const inputOf = (index: number) => {
    const [first, end] = layersOfChunk(index, count);
    return { input: { file, otherFile, layerCounts, first, end }, index, count: chunks };
  };
  const differing: { layer: number; pixel_count: number }[] = [];
  let [layers, pixels, largest] = [0, 0, 0];
  const work = { count: chunks, inputOf, workMs: LAYERS_MS * count };
  for await (const part of computeChunks(compareJobLayersTask, work, context)) {
    largest = Math.max(largest, part.largest);
    for (const [k, pixelCount] of part.pixels.entries()) {
      if (pixelCount === 0) continue;
      layers++;
      pixels += pixelCount;
      if (differing.length < MAX_LISTED) differing.push({ layer: part.first + k, pixel_count: pixelCount });
    }
  }
  return {
    differing_layer_count: layers,
    differing_layers: differing,
    differing_pixel_count: pixels,
    largest_difference: largest,
  };
}
