import { VERSION } from "../../core/version.ts";
import { layerImageSize } from "../../slice/pixel-grid.ts";
import { inOneStage } from "../job-exposure.ts";
import { type JobMetadata, jobLayerCount, meanThicknessMm } from "../job.ts";
import { decimal, exposureOf, inMs } from "./moves.ts";

/** Rise of the platform after the print, mm, as in files of other programs. */
const LIFT_WHEN_FINISHED_MM = 80;
const KEY_WIDTH = 24;

/** The `slice.conf` of Nova3D's jobs: keys padded to one width. */
export function sliceConf(job: JobMetadata): string {
  const { firstS, normalS, firstLayers, normalCycle } = exposureOf(job);
  const { pixels, pixelMm } = layerImageSize(job.printer);
  const lift = inOneStage(normalCycle.lift);
  const settings = {
    xppm: (1 / pixelMm[0]).toFixed(3),
    yppm: (1 / pixelMm[1]).toFixed(3),
    xres: pixels[0],
    yres: pixels[1],
    thickness: decimal(meanThicknessMm(job)),
    layers_num: jobLayerCount(job),
    head_layers_num: firstLayers,
    layers_expo_ms: inMs(normalS),
    head_layers_expo_ms: inMs(firstS),
    wait_before_expo_ms: inMs(normalCycle.waitAfterRetractS),
    lift_distance: decimal(lift.mm),
    lift_up_speed: decimal(lift.mmPerMin),
    lift_down_speed: decimal(inOneStage(normalCycle.retract).mmPerMin),
    lift_when_finished: LIFT_WHEN_FINISHED_MM,
  };
  const lines = Object.entries(settings).map(([key, value]) => `${key.padEnd(KEY_WIDTH)}= ${value}`);
  return `${[`# Printwright ${VERSION}`, "# conf version 1.0", "", ...lines].join("\n")}\n`;
}

const XML = '<?xml version="1.0" encoding="utf-8"?>';

/** The `manifest.xml` of Creation Workshop: names of the layers and of the other files. */
export const manifestXml = (name: string, pictures: readonly string[]): string =>
  [
    XML,
    '<manifest FileVersion="1">',
    "  <Slices>",
    ...pictures.map((picture) => `    <Slice><name>${picture}</name></Slice>`),
    "  </Slices>",
    `  <SliceProfile><name>${name}.slicing</name></SliceProfile>`,
    `  <GCode><name>${name}.gcode</name></GCode>`,
    "</manifest>",
    "",
  ].join("\n");

/** The settings of Creation Workshop, `NAME.slicing`. */
export function slicingXml(job: JobMetadata): string {
  const { firstS, normalS, firstLayers, firstCycle, normalCycle } = exposureOf(job);
  const { pixels, pixelMm } = layerImageSize(job.printer);
  const lift = inOneStage(normalCycle.lift);
  const settings = {
    DotsPermmX: decimal(1 / pixelMm[0]),
    DotsPermmY: decimal(1 / pixelMm[1]),
    XResolution: pixels[0],
    YResolution: pixels[1],
    BlankTime: inMs(normalCycle.waitAfterRetractS),
    Direction: "Bottom_Up",
    LiftDistance: decimal(lift.mm),
    AntiAliasing: "True",
    LiftFeedRate: decimal(lift.mmPerMin),
    BottomLiftFeedRate: decimal(inOneStage(firstCycle.lift).mmPerMin),
    LiftRetractRate: decimal(inOneStage(normalCycle.retract).mmPerMin),
    FlipX: job.printer.mirrorX ? "True" : "False",
    FlipY: "False",
  };
  const resin = {
    SliceHeight: decimal(meanThicknessMm(job)),
    LayerTime: inMs(normalS),
    FirstLayerTime: inMs(firstS),
    NumberofBottomLayers: firstLayers,
  };
  const elements = (values: Readonly<Record<string, string | number>>, indent: string): string[] =>
    Object.entries(values).map(([key, value]) => `${indent}<${key}>${value}</${key}>`);
  return [
    XML,
    '<SliceBuildConfig FileVersion="2">',
    ...elements(settings, "  "),
    "  <SelectedInk>Default</SelectedInk>",
    '  <InkConfig Name="Default">',
    ...elements(resin, "    "),
    "  </InkConfig>",
    "</SliceBuildConfig>",
    "",
  ].join("\n");
}
