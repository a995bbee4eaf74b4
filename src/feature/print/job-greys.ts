import { createHash } from "node:crypto";
import * as v from "valibot";
import { field } from "../../api/field.ts";
import type { PrinterType, Setting } from "../../catalog/setting.ts";
import { normal } from "../../core/normal-distribution.ts";
import { memoize } from "../../core/memoize.ts";
import type { Scene } from "../../scene/project.ts";
import type { LayerGreys } from "../../job/layer-greys.ts";
import { type PanelOptics, greyPalette, greyTable, wantedDoses } from "../../job/grey-table.ts";
import { JOB_WRITERS } from "../../job/job-writers.ts";
import type { JobWriter } from "../../job/job.ts";
import { edgeGrowthOf } from "../slice/edge-growth.ts";
import type { LayerDrawing } from "../slice/slice-layers.ts";

/** The greys of the jobs of a printer. */
export interface JobGreys extends LayerGreys {
  /** What the table follows from, and the start of its hash, such as `exponent 3; 256 levels; blur 0.025 mm; table 1f0c2ab3`. */
  readonly name: string;
}

/**
 * The greys of coverages in the jobs of a printer, from what is known of its light; undefined if nothing is known, and for files without
 * grey: a pixel then has its coverage.
 */
export const jobGreys = memoize((printerType: PrinterType): JobGreys | undefined =>
  greysAt(printerType, { blurMm: printerType.optics?.blur_mm?.value }),
);

/** What is known of the edges that a printer makes. */
interface Edges {
  readonly blurMm: number | undefined;
  /** How far the edge of white pixels grows, where that is corrected: by which dose it cures, and so the effect of greys, follows from it. */
  readonly growthMm?: number | undefined;
}

/** {@link jobGreys} of a setting: where edges are moved against their growth, greys are those of the doses that cure in each layer. */
export const settingGreys = memoize((setting: Setting): JobGreys | undefined => {
  const growth = edgeGrowthOf(setting);
  const { printerType } = setting;
  if (growth?.blurMm === undefined) return jobGreys(printerType);
  const { normalMm, moreMm, blurMm } = growth;
  const greys = greysAt(printerType, { blurMm, growthMm: normalMm });
  const first = moreMm.map((mm) => greysAt(printerType, { blurMm, growthMm: normalMm + mm }));
  return greys && { ...greys, first: first.filter((one) => one !== undefined) };
});

function greysAt({ optics, job, raster }: PrinterType, { blurMm, growthMm = 0 }: Edges): JobGreys | undefined {
  const { greyLevels }: JobWriter = JOB_WRITERS[job];
  if (optics === undefined || greyLevels === 2) return undefined;
  const panel = {
    response: optics.response.value,
    greyLevels: Math.min(greyLevels, optics.grey_levels?.value ?? 256),
    leastGrey: optics.least_grey?.value ?? 1,
    blurPx: blurMm === undefined ? undefined : ([blurMm / raster.pixelMm[0], blurMm / raster.pixelMm[1]] as const),
    leastDose: blurMm === undefined || growthMm === 0 ? undefined : normal(-growthMm / blurMm),
  };
  const table = greyTable(panel);
  const doses = wantedDoses(panel);
  const mix = optics.diffusion === true ? { ...greyPalette(panel), wanted: doses } : undefined;
  const greys = { table, doses, mix };
  return { ...greys, name: nameOf(panel, blurMm, greys) };
}

const HASH_DIGITS = 8;

function nameOf(panel: PanelOptics, blurMm: number | undefined, { table, mix }: LayerGreys): string {
  const { response, greyLevels, leastGrey } = panel;
  const hash = createHash("sha256").update(table).digest("hex");
  const facts = [
    typeof response === "number" ? `exponent ${response}` : `${response.length} doses`,
    `${greyLevels} levels`,
    ...(leastGrey > 1 ? [`least grey ${leastGrey}`] : []),
    ...(blurMm === undefined ? [] : [`blur ${blurMm} mm`]),
    ...(mix ? ["diffusion"] : []),
    `table ${hash.slice(0, HASH_DIGITS)}`,
  ];
  return facts.join("; ");
}

/** Fields of the requests that write jobs. */
export const drawingFields = {
  supports_without_grey: field(
    v.optional(v.boolean(), false),
    "Whether pixels that only supports cover are white or black, white where they cover at least half of them. Otherwise their rims are grey, like those of parts, and get less light.",
  ),
  anti_aliasing: field(
    v.optional(v.picklist(["AREA", "VOLUME"]), "AREA"),
    "What the grey of a pixel follows from: AREA, the share of its area that parts cover at the middle of the layer; VOLUME, the share of its volume within the layer, which takes about three times as long to draw. Faces that no later layer shines on have areas in both.",
  ),
};

/** How a request draws the layers of its job. */
export const drawingOf = ({
  supports_without_grey,
  anti_aliasing,
}: v.InferOutput<v.ObjectSchema<typeof drawingFields, undefined>>): LayerDrawing => ({
  supportsWithoutGrey: supports_without_grey,
  byVolume: anti_aliasing === "VOLUME",
});

/** Whether the files of a printer have greys between black and white. */
export function hasGreys({ job }: PrinterType): boolean {
  const { greyLevels }: JobWriter = JOB_WRITERS[job];
  return greyLevels > 2;
}

/** What the greys of a job follow from; undefined if they are the coverages of pixels. */
export function greysName(
  { models, setting }: Scene,
  { supportsWithoutGrey = false, byVolume = false }: LayerDrawing,
): string | undefined {
  const { printerType } = setting;
  const name = settingGreys(setting)?.name;
  if (!hasGreys(printerType)) return name;
  const facts = [
    ...(name === undefined ? [] : [name]),
    ...(byVolume && whyNoVolume(setting) === undefined ? ["volume"] : []),
    ...(supportsWithoutGrey && models.some(({ supports }) => supports) ? ["supports without grey"] : []),
  ];
  return facts.length > 0 ? facts.join("; ") : undefined;
}

/** Field of the replies of requests that write jobs. */
export const greysReply = field(
  v.optional(v.string()),
  "What the greys of the job follow from, if they are not the coverages of pixels: the optics of the printer with the start of the hash of their table, whether pixels have their volumes, and whether supports have no grey.",
);

/** Why pixels of a job have no volumes; undefined if they may. Files are black and white: half of a volume is nearly half of the area. */
function whyNoVolume(setting: Setting): string | undefined {
  const { printerType } = setting;
  if (!hasGreys(printerType))
    return `the ${printerType.jobExtension} files of the ${printerType.label} are black and white`;
  if (edgeGrowthOf(setting) === undefined) return undefined;
  return "layers whose edges are moved against their growth are drawn by area (the resin can switch that off: compensation)";
}

/** A warning for layers by volume, where there are none. */
export function unusedVolume(setting: Setting, { byVolume = false }: LayerDrawing): string[] {
  const why = byVolume ? whyNoVolume(setting) : undefined;
  return why === undefined ? [] : [`anti_aliasing VOLUME changes nothing: ${why}.`];
}

/** A warning for a printer whose light is known, and whose files are black and white. */
export function unusedOptics(printerType: PrinterType): string[] {
  const { optics, jobExtension, label } = printerType;
  if (optics === undefined || hasGreys(printerType)) return [];
  return [
    `The optics of the ${label} change nothing: its ${jobExtension} files are black and white. If it shows greys, give its file a job format that has them.`,
  ];
}
