import process from "node:process";
import { ZipWriter } from "../../codec/zip-writer.ts";
import { VERSION } from "../../core/version.ts";
import { layerImageSize } from "../../slice/pixel-grid.ts";
import { distanceMm } from "../job-exposure.ts";
import { type JobMetadata, type JobStream, type JobTotals, type JobWriter, meanThicknessMm } from "../job.ts";
import type { LayerAreas, LayerBox } from "../layer-areas.ts";
import { requireEqualLayers } from "../require-equal-layers.ts";
import type { NanodlpLayer } from "./encode-nanodlp-layer.ts";

// Archives for NanoDLP (https://docs.nanodlp.com/manual/format). The makers' page names the files; their keys are those of other programs
// whose files these machines take.

const FORMAT_VERSION = 1;
/** Of other programs; machines show it beside the job. */
const THUMBNAIL = { width: 607, height: 487 } as const;

/** What files state of an exposure. Lifts and their speeds are not here: the machine takes its motions from the G-code of its own settings. */
export const CARRIED = ["WAIT_BEFORE_LIFT", "WAIT_AFTER_LIFT", "WAIT_AFTER_RETRACT", "FIRST_WAITS", "LIGHT"] as const;

export const nanodlpWriter: JobWriter<NanodlpLayer> = {
  greyLevels: 256,
  thumbnails: [THUMBNAIL],
  carries: CARRIED,
  requireCarriable: requireEqualLayers,
  stream: nanodlpStream,
};

function nanodlpStream(job: JobMetadata): JobStream<NanodlpLayer> {
  const zip = new ZipWriter();
  const layers: LayerAreas[] = [];
  const addJson = (name: string, value: unknown) =>
    zip.add({ name, pieces: [new TextEncoder().encode(JSON.stringify(value))], compress: true });
  return {
    *begin() {
      yield* addJson("meta.json", meta(job));
      yield* addJson("profile.json", profileOf(job));
      for (const { png } of job.thumbnails) yield* zip.add({ name: "3d.png", pieces: png });
    },
    layer(index, { png, areas }) {
      layers[index] = areas;
      return zip.addPacked(`${index + 1}.png`, png);
    },
    end: (totals) => ({
      chunks: (function* () {
        const boundary = boundaryMm(job, layers);
        const options = optionsOf(job, boundary);
        // Machines read the first of them, other programs the second.
        yield* addJson("options.json", options);
        yield* addJson("slicer.json", options);
        yield* addJson("info.json", infoOf(job, layers));
        yield* addJson("plate.json", plateOf(job, layers, boundary, totals));
        yield* zip.end();
      })(),
    }),
  };
}

const meta = ({ greys, compensation }: JobMetadata) => ({
  FormatVersion: FORMAT_VERSION,
  Distro: "generic",
  Program: "Printwright",
  Version: VERSION,
  ...(greys !== undefined && { Greys: greys }),
  ...(compensation !== undefined && { Compensation: compensation }),
  OS: process.platform,
  Arch: process.arch,
  // The person chooses the profile of a resin on the machine.
  Profile: false,
});

const inMicrometres = (mm: number): number => Math.round(mm * 1e6) / 1e3;

/** Times in seconds, lifts in mm. What other programs call support layers are the first layers. */
function profileOf(job: JobMetadata) {
  if (job.exposure === undefined) throw new TypeError("A .nanodlp file needs the exposure of a resin job.");
  const { firstS, normalS, firstLayers, fadingLayers, firstCycle, normalCycle } = job.exposure;
  const depth = inMicrometres(meanThicknessMm(job));
  return {
    Title: job.material.label,
    Desc: "",
    Depth: depth,
    SupportDepth: depth,
    CureTime: normalS,
    SupportCureTime: firstS,
    SupportLayerNumber: firstLayers,
    TransitionalLayer: fadingLayers,
    WaitHeight: distanceMm(normalCycle.lift),
    SupportWaitHeight: distanceMm(firstCycle.lift),
    WaitBeforePrint: normalCycle.waitAfterRetractS,
    SupportWaitBeforePrint: firstCycle.waitAfterRetractS,
    WaitAfterPrint: normalCycle.waitBeforeLiftS,
    SupportWaitAfterPrint: firstCycle.waitBeforeLiftS,
    TopWait: normalCycle.waitAfterLiftS,
    SupportTopWait: firstCycle.waitAfterLiftS,
    Type: 0,
    CustomValues: { UvPwmValue: lightText(normalCycle.light) },
  };
}

/** Share of the full power: `1.0`, `0.5`. */
function lightText(light: number): string {
  const share = light / 255;
  return Number.isInteger(share) ? share.toFixed(1) : String(share);
}

/** What the parts span, mm from the middle of the platform; 0 for a job without pixels. */
function boundaryMm(job: JobMetadata, layers: readonly LayerAreas[]) {
  const boxes = layers.flatMap(({ box }) => box ?? []);
  const ZMax = job.boundariesMm.at(-1) ?? 0;
  if (boxes.length === 0) return { XMin: 0, XMax: 0, YMin: 0, YMax: 0, ZMin: 0, ZMax };
  const { pixels, pixelMm } = layerImageSize(job.printer);
  const least = (key: keyof LayerBox): number => boxes.reduce((value, box) => Math.min(value, box[key]), Infinity);
  const most = (key: keyof LayerBox): number => boxes.reduce((value, box) => Math.max(value, box[key]), 0);
  const acrossMm = (column: number): number => rounded((column - pixels[0] / 2) * pixelMm[0]);
  const edgesMm = [acrossMm(least("minX")), acrossMm(most("maxX") + 1)] as const;
  const [XMin, XMax] = job.printer.mirrorX ? [-edgesMm[1], -edgesMm[0]] : edgesMm;
  // Row 0 is at the back.
  const upMm = (row: number): number => rounded((pixels[1] / 2 - row) * pixelMm[1]);
  return {
    XMin,
    XMax,
    YMin: upMm(most("maxY") + 1),
    YMax: upMm(least("minY")),
    ZMin: 0,
    ZMax,
  };
}

const rounded = (mm: number): number => Math.round(mm * 1e6) / 1e6;

function optionsOf(job: JobMetadata, boundary: ReturnType<typeof boundaryMm>) {
  const { pixels, pixelMm } = layerImageSize(job.printer);
  const thickness = inMicrometres(meanThicknessMm(job));
  return {
    PWidth: pixels[0],
    PHeight: pixels[1],
    Thickness: thickness,
    SupportDepth: thickness,
    XOffset: Math.floor(pixels[0] / 2),
    YOffset: Math.floor(pixels[1] / 2),
    XPixelSize: pixelMm[0],
    YPixelSize: pixelMm[1],
    XRes: inMicrometres(pixelMm[0]),
    ImageMirror: job.printer.mirrorX ? 1 : 0,
    DisplayController: 1,
    Boundary: boundary,
    FillColor: "#ffffff",
    BlankColor: "#000000",
    AutoCenter: 0,
    UUID: "",
    SkipEmpty: 0,
  };
}

function infoOf({ printer }: JobMetadata, layers: readonly LayerAreas[]) {
  const pixelMm2 = printer.pixelMm[0] * printer.pixelMm[1];
  return layers.map(({ solidPixels, largestPixels, smallestPixels, regions, box }) => ({
    TotalSolidArea: solidPixels * pixelMm2,
    LargestArea: largestPixels * pixelMm2,
    SmallestArea: smallestPixels * pixelMm2,
    MinX: box?.minX ?? 0,
    MinY: box?.minY ?? 0,
    MaxX: box?.maxX ?? 0,
    MaxY: box?.maxY ?? 0,
    AreaCount: regions,
  }));
}

const MS_PER_SECOND = 1000;

function plateOf(
  job: JobMetadata,
  layers: readonly LayerAreas[],
  boundary: ReturnType<typeof boundaryMm>,
  { printTimeS }: JobTotals,
) {
  const pixelMm2 = job.printer.pixelMm[0] * job.printer.pixelMm[1];
  const solidPixels = layers.reduce((sum, layer) => sum + layer.solidPixels, 0);
  return {
    PlateID: 0,
    ProfileID: 0,
    Profile: null,
    CreatedDate: Math.floor(job.created.getTime() / MS_PER_SECOND),
    Path: job.name,
    PrintTime: printTimeS,
    // The mean of the layers.
    TotalSolidArea: layers.length === 0 ? 0 : (solidPixels * pixelMm2) / layers.length,
    LayersCount: layers.length,
    Processed: true,
    Feedback: false,
    ReSliceNeeded: false,
    MC: { StartX: 0, StartY: 0, Width: 0, Height: 0, X: null, Y: null, MultiCureGap: 0, Count: 0 },
    ...boundary,
  };
}
