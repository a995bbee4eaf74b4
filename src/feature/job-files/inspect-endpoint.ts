import * as v from "valibot";
import { servesServer } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { requireAbsolute } from "../../api/preconditions.ts";
import { count, positionReply } from "../../api/schema.ts";
import { MM3_PER_ML } from "../../core/units.ts";
import { wireMm, wireMm2, wireS, wireVolume } from "../../scene/wire-numbers.ts";
import { type PixelGrid, layerImageSize } from "../../slice/pixel-grid.ts";
import type { JobPlace } from "./conclude-layers.ts";
import { durationS } from "./converted-exposure.ts";
import { type InspectedLayers, inspectLayers } from "./inspect-layers.ts";
import { JOB_CHECKS, type JobCheck } from "./job-checks.ts";
import { jobFactsFields, jobFactsOnWire } from "./job-facts-reply.ts";
import { gridOfJob, placeOnPlatform } from "./job-place.ts";
import type { JobHead } from "./read-job.ts";
import { readJobHeadTask } from "./task.ts";

/** Of the resins of open printers in the catalog (`catalog/profiles.json`), since job files do not have them. */
const BRIDGING_DISTANCE_MM = 5;
const SELF_SUPPORTING_ANGLE_DEG = 45;

/** Findings of one kind that are listed. */
const MAX_LISTED = 1000;

const layer = field(count, "Index of the layer, 0 being the lowest.");
const position = field(
  v.optional(positionReply),
  "A point of the finding, mm from the middle of the platform, seen from above; absent if the size of a pixel is unknown.",
);
const pixel = field(
  object({ x: field(v.number(), "Columns from the left."), y: field(v.number(), "Rows from the top.") }),
  "The same point in the picture of the layer in the file, in pixels.",
);

const listOf = <const F extends Parameters<typeof object>[0]>(fields: F, sentence: string) =>
  field(v.optional(v.array(object({ layer, ...fields }))), sentence);

export const inspectJob = servesServer(
  {
    method: "POST",
    path: "/v1/job/inspect/",
    summary:
      "An addition to the interface. Reads a job file of this or another program: its facts, and, from the pictures of its layers, the resin that they take, their duration, and what would spoil the print.",
    async: true,
    body: strictObject({
      file: field(v.string(), "Absolute path of the job file."),
      read_layers: field(
        v.optional(v.boolean(), true),
        "Whether the layers are read; if false, the reply has only what the file says about itself.",
      ),
      checks: field(
        v.optional(v.array(v.picklist(JOB_CHECKS)), [...JOB_CHECKS]),
        "What is searched for in the layers: ISLANDS, lit regions that touch nothing of the layer below; CUPS, dark spaces that are sealed off from the outside while they are printed; OVERHANGS, regions farther from their support than the bridging distance; BORDERS, light at the edge of the panel; EMPTY_LAYERS, dark layers below others.",
      ),
      bridging_distance_mm: field(
        v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1000)), BRIDGING_DISTANCE_MM),
        "Distance in mm over which solid holds without support.",
      ),
      self_supporting_angle_deg: field(
        v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(89)), SELF_SUPPORTING_ANGLE_DEG),
        "Angle from horizontal in degrees from which slopes support themselves.",
      ),
    }),
    reply: object({
      ...jobFactsFields,
      computed: field(
        object({
          print_time_s: field(
            v.optional(v.number()),
            "Sum of the exposures of the layers, their waits and motions in seconds; absent if the file does not have these.",
          ),
          material_ml: field(
            v.optional(v.number()),
            "Volume of the lit pixels in ml, each weighted by its grey level; absent if the layers were not read or the size of a pixel is unknown.",
          ),
          largest_layer_mm2: field(
            v.optional(v.number()),
            "Lit area of the largest layer in mm²; absent as material_ml.",
          ),
        }),
        "Totals from the layers and their exposures.",
      ),
      island_count: field(v.optional(count), "Number of islands; absent if they were not searched for."),
      islands: listOf(
        { position, pixel, area_mm2: field(v.optional(v.number()), "Area of the island in its layer in mm².") },
        "The lowest islands, up to 1000.",
      ),
      cup_count: field(
        v.optional(count),
        "Number of sealed spaces of at least 1 mm³; absent if they were not searched for.",
      ),
      cups: listOf(
        { position, pixel, volume_mm3: field(v.number(), "Volume of the space in mm³.") },
        "The largest cups, up to 1000, each with its widest layer.",
      ),
      unsupported_mm2: field(
        v.optional(v.number()),
        "Area of unsupported overhangs in mm², seen from above; absent if they were not searched for.",
      ),
      overhangs: listOf(
        { position, pixel, area_mm2: field(v.number(), "Unsupported area of the place in mm².") },
        "The places with the largest unsupported areas, up to 30.",
      ),
      borders: listOf(
        { pixel_count: field(count, "Lit pixels at the edges of the panel.") },
        "The layers that light pixels at the edges of the panel, up to 1000; absent if they were not searched for.",
      ),
      empty_layers: field(
        v.optional(v.array(count)),
        "The dark layers below the highest lit one, up to 1000; absent if they were not searched for.",
      ),
      finding_count: field(v.optional(count), "Number of findings of all checks; absent if the layers were not read."),
    }),
    check: ({ file }) => requireAbsolute(file),
  },
  async (_, { body }, context) => {
    const { file } = body;
    const head = await context.compute(readJobHeadTask, { file });
    const grid = gridOfJob(head);
    const facts = jobFactsOnWire(head);
    const computed = printTimeOf(head);
    if (!body.read_layers) return { ...facts, computed };
    const rules = {
      bridgingDistanceMm: body.bridging_distance_mm,
      selfSupportingAngleDeg: body.self_supporting_angle_deg,
    };
    const checks = grid ? body.checks : body.checks.filter((check) => check !== "CUPS" && check !== "OVERHANGS");
    const warnings = checks.length < body.checks.length ? [...facts.warnings, NO_PITCH] : facts.warnings;
    const pixelMm = grid && layerImageSize(grid).pixelMm;
    const found = await inspectLayers({ file, head, pixelMm, checks, ...rules }, context);
    const findings = findingsOnWire(found, { head, grid, checks });
    const findingCount = countOf(found, findings);
    return {
      ...facts,
      warnings,
      computed: { ...computed, ...materialOf(found, head, grid) },
      ...findings,
      finding_count: findingCount,
    };
  },
);

const NO_PITCH =
  "Neither the file nor the catalog has the size of a pixel: volumes, cups and overhangs are unknown. Use a file that names its printer.";

const printTimeOf = ({ exposuresS, exposure }: JobHead): { print_time_s?: number } =>
  exposure ? { print_time_s: wireS(durationS({ exposure, exposuresS })) } : {};

const mm2PerPixel = ({ pixelMm: [x, y] }: PixelGrid): number => x * y;

function materialOf({ values, lit }: InspectedLayers, { boundariesMm }: JobHead, grid: PixelGrid | undefined) {
  if (!grid) return {};
  const area = mm2PerPixel(grid);
  const mm3 = values.reduce((sum, value, k) => {
    const thicknessMm = (boundariesMm[k + 1] ?? 0) - (boundariesMm[k] ?? 0);
    return sum + (value / 255) * area * thicknessMm;
  }, 0);
  const largestMm2 = area * lit.reduce((a, b) => Math.max(a, b), 0);
  return { material_ml: wireVolume(mm3 / MM3_PER_ML), largest_layer_mm2: wireMm2(largestMm2) };
}

interface FindingContext {
  readonly head: JobHead;
  readonly grid: PixelGrid | undefined;
  readonly checks: readonly JobCheck[];
}

function findingsOnWire(found: InspectedLayers, { head, grid, checks }: FindingContext) {
  const { boundariesMm } = head;
  const has = (check: JobCheck): boolean => checks.includes(check);
  const placeOf = ({ layer: index, column, row }: JobPlace) => {
    const at = grid && placeOnPlatform(grid, column, row);
    const position = at && { x: wireMm(at[0]), y: wireMm(at[1]), z: wireMm(boundariesMm[index] ?? 0) };
    return { layer: index, ...(position && { position }), pixel: { x: wireMm(column), y: wireMm(row) } };
  };
  const area = grid ? mm2PerPixel(grid) : 0;
  // The middle of the pixel that names the island.
  const islands = found.islands.map(({ layer: index, column, row, pixels }): JobPlace => {
    return { layer: index, column: column + 0.5, row: row + 0.5, size: pixels * area };
  });
  return {
    ...(has("ISLANDS") && {
      island_count: found.islandCount,
      islands: islands.map((one) => ({ ...placeOf(one), ...(grid && { area_mm2: wireMm2(one.size) }) })),
    }),
    ...(has("CUPS") && {
      cup_count: found.cups.length,
      cups: found.cups.slice(0, MAX_LISTED).map((one) => ({ ...placeOf(one), volume_mm3: wireVolume(one.size) })),
    }),
    ...(has("OVERHANGS") && {
      unsupported_mm2: wireMm2(found.unsupportedMm2),
      overhangs: found.overhangs.map((one) => ({ ...placeOf(one), area_mm2: wireMm2(one.size) })),
    }),
    ...(has("BORDERS") && { borders: bordersOf(found.border) }),
    ...(has("EMPTY_LAYERS") && { empty_layers: emptyLayersOf(found.lit) }),
  };
}

const bordersOf = (border: Float64Array) =>
  [...border.entries()]
    .filter(([, pixels]) => pixels > 0)
    .slice(0, MAX_LISTED)
    .map(([index, pixels]) => ({ layer: index, pixel_count: pixels }));

function emptyLayersOf(lit: Float64Array): number[] {
  const top = lit.findLastIndex((pixels) => pixels > 0);
  const dark = [...lit.subarray(0, top + 1).entries()].filter(([, pixels]) => pixels === 0);
  return dark.slice(0, MAX_LISTED).map(([index]) => index);
}

const countOf = ({ islandCount, cups }: InspectedLayers, findings: ReturnType<typeof findingsOnWire>): number =>
  (findings.island_count === undefined ? 0 : islandCount) +
  (findings.cup_count === undefined ? 0 : cups.length) +
  (findings.overhangs?.length ?? 0) +
  (findings.borders?.length ?? 0) +
  (findings.empty_layers?.length ?? 0);
