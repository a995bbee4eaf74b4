import { rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noProgress } from "../../src/core/progress.ts";
import { type RasterisedLayers, rasteriseLayers } from "../../src/feature/slice/rasterise-layers.ts";
import { openJob } from "../../src/job/job-readers.ts";
import { JOB_WRITERS, type JobFormat } from "../../src/job/job-writers.ts";
import type { JobWriter } from "../../src/job/job.ts";
import { type StackRequest, prepareStack } from "../../src/slice/stack.ts";
import { JOB_ROWS, type JobRow } from "../fixture/job/job-rows.ts";
import { archiveOfEncoded, plainThumbnail, someJob } from "../fixture/job/some-job.ts";
import { cylinder } from "../fixture/shapes.ts";
import { evenly, meshOf, placed } from "../fixture/slices.ts";
import { type Row, mib, median, ms, ratio, timed } from "./measure.ts";

/** A 12K panel. */
const GRID = { pixels: [11_520, 5120], pixelMm: [0.019, 0.024], mirrorX: true, portrait: false } as const;
/** Discs of 5.3 mm in rows: a full plate, with about 594,000 runs a layer, five of six at edges. */
const [COLUMNS, ROWS, PITCH_MM] = [34, 15, 6.3];
export const LAYERS = 32;
const RUNS = 3;

/** Discs side by side on the whole panel, and its layers. */
export function fullPlate(): StackRequest {
  const disc = meshOf(cylinder(2.65, LAYERS * 0.05, 96));
  const discs = Array.from({ length: COLUMNS * ROWS }, (_, i) =>
    placed(disc, {
      position: [
        ((i % COLUMNS) - (COLUMNS - 1) / 2) * PITCH_MM,
        (Math.floor(i / COLUMNS) - (ROWS - 1) / 2) * PITCH_MM,
        LAYERS * 0.025,
      ],
    }),
  );
  return { placed: discs, boundariesMm: evenly(LAYERS, 0.05), grid: GRID };
}

/** Layers of a full plate, drawn and encoded for each format on one thread, and read back. Compared with `.goo`. */
export async function benchJobLayers(): Promise<Row[]> {
  const stack = prepareStack(fullPlate(), noProgress);
  const drawn = (format?: JobFormat): RasterisedLayers[] =>
    Array.from({ length: stack.chunkCount }, (_, chunk) => rasteriseLayers({ stack, chunk, format }, noProgress));
  const rows: Row[] = [];
  let gooMs = Number.NaN;
  for (const row of JOB_ROWS) {
    const { format, extension } = row;
    drawn(format);
    const times: number[] = [];
    for (let run = 0; run < RUNS; run++) times.push(await timed(() => drawn(format)));
    const perLayer = median(times) / LAYERS;
    if (format === "goo") gooMs = perLayer;
    const file = join(tmpdir(), `bench-job${extension}`);
    writeJobFile(row, file, drawn(format));
    const read = await readingMs(file);
    rows.push({
      what: `${format}: a layer drawn and encoded, and read back`,
      ours: `${ms(perLayer)}, ${mib(statSync(file).size / LAYERS)}; read at ${Math.round(1000 / read)} layers/s on one thread`,
      beside: `${ratio(perLayer, gooMs)} of .goo`,
      aim: "≤ 1.5×, read ≥ 150 layers/s",
    });
    rmSync(file);
  }
  return rows;
}

function writeJobFile(
  { format, changes, nameInJobs = "ELEGOO Saturn 4 Ultra" }: JobRow,
  file: string,
  chunks: readonly RasterisedLayers[],
): void {
  const writer: JobWriter = JOB_WRITERS[format];
  const thumbnails = writer.thumbnails.map(({ width, height }) => plainThumbnail(width, height, [90, 90, 90, 255]));
  const picture = { width: GRID.pixels[0], height: GRID.pixels[1], pixels: new Uint8Array() };
  const job = someJob(
    Array.from({ length: LAYERS }, () => picture),
    { thumbnails, ...changes },
  );
  const layers = chunks.flatMap(({ encoded }) => encoded);
  const facts = { ...job, printer: { ...job.printer, nameInJobs } };
  writeFileSync(
    file,
    archiveOfEncoded(format, facts, layers, () => 2.5),
  );
}

/** Milliseconds to read a layer of the file. */
async function readingMs(file: string): Promise<number> {
  const job = await openJob(file);
  const readAll = async (): Promise<void> => {
    for (let k = 0; k < LAYERS; k++) await job.layer(k);
  };
  await readAll();
  const time = await timed(readAll);
  job.close();
  return time / LAYERS;
}
