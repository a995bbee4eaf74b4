import { join } from "node:path";
import { noProgress } from "../../src/core/progress.ts";
import { rasteriseLayers } from "../../src/feature/slice/rasterise-layers.ts";
import { type Stack, prepareStack } from "../../src/slice/stack.ts";
import { fullPlate } from "./job-layers.ts";
import { type Row, median, ms, ratio, timed, withFolder, withServer } from "./measure.ts";
import { subdividedFile } from "./models.ts";

const RUNS = 3;
const SETTING = { machine_type: "ELEGOO-S4U-12K", material_code: "GENERIC-RESIN", layer_thickness_mm: 0.05 };

/** Jobs whose pixels have their volumes, compared with those by area. Both are made in turns, on one thread. */
export const benchJobVolume = async (): Promise<Row[]> => [await wholeJob(), await layersOfPlate()];

/** A part of 577,000 facets on a 12K panel, from its file to its job. */
const wholeJob = (): Promise<Row> =>
  withFolder((folder) =>
    withServer(
      async ({ post }) => {
        const { scene_id } = await post("/v1/scene/create/", SETTING);
        const imported = await timed(() => post("/v1/scene/model/import/", { scene_id, file: subdividedFile() }));
        const [area, volume] = await inTurns(
          (["AREA", "VOLUME"] as const).map(
            (anti_aliasing) => () =>
              post("/v1/scene/export/", { scene_id, file: join(folder, `${anti_aliasing}.goo`), anti_aliasing }),
          ),
        );
        return {
          what: "part of 577k facets, 1,928 layers: import and job by volume",
          ours: ms(imported + volume),
          beside: `${ratio(imported + volume, imported + area)} of by area (${ms(imported + area)})`,
          aim: "≤ 1.7×",
        };
      },
      ["--threads", "1"],
    ),
  );

/** A full plate of upright discs: all walls, of which volumes are areas. */
async function layersOfPlate(): Promise<Row> {
  const plate = fullPlate();
  const stacks = [false, true].map((byVolume) => prepareStack({ ...plate, byVolume }, noProgress));
  const [area, volume] = await inTurns(stacks.map((stack) => async () => drawAll(stack)));
  const layers = plate.boundariesMm.length - 1;
  return {
    what: "full plate of discs: a layer by volume, drawn and encoded",
    ours: ms(volume / layers),
    beside: `${ratio(volume, area)} of by area`,
  };
}

function drawAll(stack: Stack): void {
  for (let chunk = 0; chunk < stack.chunkCount; chunk++) rasteriseLayers({ stack, chunk, format: "goo" }, noProgress);
}

/** The median time of each work. */
export async function inTurns(works: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const times = works.map((): number[] => []);
  // The first round warms up.
  for (let run = 0; run <= RUNS; run++) {
    for (const [k, work] of works.entries()) {
      const time = await timed(work);
      if (run > 0) times[k]!.push(time);
    }
  }
  return times.map(median);
}
