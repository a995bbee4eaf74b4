import { counted, shortNumber } from "../../core/quantities.ts";
import type { PageJob } from "../../ui/replies.ts";
import type { InspectedJob } from "../server/replies.ts";

/** A finding in a job file. */
export interface JobFinding {
  /** What it is, without its layer. */
  readonly text: string;
  /** Its lowest layer, and the highest one of those that have the same finding. */
  readonly layer: number;
  readonly lastLayer: number;
  /** Its point in the picture of the file, pixels; absent if it concerns the whole layer. */
  readonly pixel?: { readonly x: number; readonly y: number };
}

export interface JobFindingGroup {
  readonly title: string;
  /** Number of findings, or of layers. */
  readonly count: number;
  /** Findings that the server does not list. */
  readonly unlisted: number;
  readonly findings: readonly JobFinding[];
}

/** The findings of a job by their kinds, without kinds that have none. */
export function jobFindings(job: InspectedJob): JobFindingGroup[] {
  const { islands = [], cups = [], overhangs = [], borders = [], empty_layers: dark = [] } = job;
  const area = (mm2: number | undefined): string => (mm2 === undefined ? "" : `, ${shortNumber(mm2)} mm²`);
  const lit = new Map(borders.map((one) => [one.layer, one.pixel_count]));
  const groups = [
    placed("Islands", job.island_count, islands, (one) => `Island${area(one.area_mm2)}`),
    placed("Cups", job.cup_count, cups, (one) => `Cup, ${shortNumber(one.volume_mm3)} mm³`),
    placed("Unsupported overhangs", overhangs.length, overhangs, (one) => `Overhang${area(one.area_mm2)}`),
    inRuns("Layers with light at the edge of the panel", [...lit.keys()], (layers) => {
      const most = Math.max(...layers.map((layer) => lit.get(layer) ?? 0));
      return layers.length === 1 ? counted(most, "pixel") : `Up to ${counted(most, "pixel")}`;
    }),
    inRuns("Dark layers below others", dark, () => "No light"),
  ];
  return groups.filter(({ count }) => count > 0);
}

function placed<Found extends Pick<JobFinding, "layer" | "pixel">>(
  title: string,
  count = 0,
  found: readonly Found[],
  textOf: (one: Found) => string,
): JobFindingGroup {
  const findings = found.map((one): JobFinding => {
    return { text: textOf(one), layer: one.layer, lastLayer: one.layer, ...(one.pixel && { pixel: one.pixel }) };
  });
  return { title, count, unlisted: count - found.length, findings };
}

/** One finding for each run of adjacent layers. */
function inRuns(title: string, layers: readonly number[], textOf: (run: readonly number[]) => string): JobFindingGroup {
  const runs = [...Map.groupBy(layers.entries(), ([at, layer]) => layer - at).values()];
  const findings = runs.map((run): JobFinding => {
    const ofRun = run.map(([, layer]) => layer);
    return { text: textOf(ofRun), layer: Math.min(...ofRun), lastLayer: Math.max(...ofRun) };
  });
  return { title, count: layers.length, unlisted: 0, findings };
}

/** The place of a pixel of the file in the picture seen from above, as fractions of its width and height. */
export function placeFromAbove(
  pixel: { readonly x: number; readonly y: number },
  pixels: { readonly x: number; readonly y: number },
  { transposed, flipped_x, flipped_y }: PageJob["turn"],
): readonly [right: number, down: number] {
  const [across, along] = [pixel.x / pixels.x, pixel.y / pixels.y];
  const [right, down] = transposed ? [along, across] : [across, along];
  return [flipped_x ? 1 - right : right, flipped_y ? 1 - down : down];
}
