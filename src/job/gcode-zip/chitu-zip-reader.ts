import type { JobReader, ReadJob } from "../job-reader.ts";
import { requirePixels } from "../plausible-counts.ts";
import { JobArchive, isZip } from "../zipped/job-archive.ts";
import { KeyValues } from "../zipped/key-values.ts";
import { exposureOfGcode } from "./exposure-of-gcode.ts";
import { type GcodeDialect, gcodeLayers } from "./gcode-layers.ts";
import { GCODE_FACTS } from "./moves.ts";
import { requireExposedLayers } from "./require-exposed-layers.ts";

/** Chitubox's `.zip` jobs, of this and of other programs. */
export const chituZipReader: JobReader = {
  name: "Chitubox ZIP",
  recognises: (head, extension) => isZip(head, extension, [".zip"]),
  open: (source) => JobArchive.open(source, readChituZip),
};

const GCODE = "run.gcode";

const DIALECT: GcodeDialect = {
  picture: /^M6054\s+"([^"]*)"/,
  nameOf: (name) => name,
  waitsCoverMoves: false,
  wait: /^G4\s+P(\d+(?:\.\d+)?)/,
};

async function readChituZip(archive: JobArchive): Promise<ReadJob> {
  const { refuse } = archive;
  if (!archive.has(GCODE)) {
    throw refuse(
      `it is no job of Chitubox, because ${GCODE} is missing inside it; give jobs for NanoDLP the extension .nanodlp`,
    );
  }
  const text = await archive.text(GCODE);
  const head = new KeyValues(text, /^;(\w+):(.*)$/);
  const pictures = archive.names.filter((name) => name.endsWith(".png")).length;
  const layers = gcodeLayers(text, DIALECT, pictures);
  requireExposedLayers(layers, archive, { pictures, stated: head.number("totalLayer") });
  const { width, height } = await archive.pngHeader(layers[0].picture);
  const pixels = requirePixels([head.number("resolutionX") ?? width, head.number("resolutionY") ?? height], refuse);
  const decode = archive.layerDecoder(pixels, "GREY");
  const { thumbnails, warnings } = await archive.pictures(["preview.png", "preview_cropping.png"]);
  const volumeMm = head.numbers({ x: "machineX", y: "machineY", z: "machineZ" });
  const { x, y, z } = volumeMm;
  return {
    version: "1",
    printerName: head.text("machineType"),
    pixels,
    pixelMm: x === undefined || y === undefined ? undefined : [x / pixels[0], y / pixels[1]],
    volumeMm: x === undefined || y === undefined || z === undefined ? undefined : [x, y, z],
    mirrorX: mirrorOf(head),
    material: head.text("resin"),
    boundariesMm: Float64Array.from([0, ...layers.map(({ zMm }) => zMm)]),
    exposuresS: Float64Array.from(layers, ({ exposureS }) => exposureS),
    exposure: exposureOfGcode(layers, {
      firstS: head.number("bottomLayerExposureTime") ?? head.number("bottomLayExposureTime") ?? layers[0].exposureS,
      normalS: head.number("normalExposureTime") ?? layers[layers.length - 1].exposureS,
      firstLayers: Math.max(1, head.number("bottomLayerCount") ?? head.number("bottomLayCount") ?? 1),
    }),
    states: GCODE_FACTS,
    totals: head.numbers({ printTimeS: "estimatedPrintTime", materialMl: "volume", materialG: "weight" }),
    thumbnails,
    warnings,
    layer: (index) => decode(layers[index].picture),
    close: () => archive.close(),
  };
}

function mirrorOf(head: KeyValues): boolean | undefined {
  if (head.text("mirror") !== undefined) return head.number("mirror") === 1;
  const type = head.text("projectType");
  return type === undefined ? undefined : type === "LCD_mirror";
}
