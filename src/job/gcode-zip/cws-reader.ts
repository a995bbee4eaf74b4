import type { JobReader, ReadJob } from "../job-reader.ts";
import { requirePixels } from "../plausible-counts.ts";
import { JobArchive, isZip } from "../zipped/job-archive.ts";
import { KeyValues } from "../zipped/key-values.ts";
import { exposureOfGcode } from "./exposure-of-gcode.ts";
import { type GcodeDialect, type GcodeLayer, gcodeLayers } from "./gcode-layers.ts";
import { GCODE_FACTS } from "./moves.ts";
import { requireExposedLayers } from "./require-exposed-layers.ts";

/** The `.cws` jobs of Nova3D and of Creation Workshop, of this and of other programs. */
export const cwsReader: JobReader = {
  name: "CWS",
  recognises: (head, extension) => isZip(head, extension, [".cws"]),
  open: (source) => JobArchive.open(source, readCws),
};

/** Keys and values with and without brackets, without units. */
const SETTING = /^;\(?([A-Z][\w /]*?)\s*=\s*(.*?)\s*(?:px\/mm|mm\/s|px|mm|ms)?\s*\)?\s*$/;

async function readCws(archive: JobArchive): Promise<ReadJob> {
  const { refuse } = archive;
  const gcodeName = archive.names.find((name) => name.toLowerCase().endsWith(".gcode"));
  if (gcodeName === undefined) throw refuse("it has no G-code; slice the job again");
  const text = await archive.text(gcodeName);
  const head = new KeyValues(text, SETTING);
  const names = archive.numberedLayers(picturePrefix(archive), 0);
  const layers = aboveHome(gcodeLayers(text, dialectOf(names), names.length), head.number("Layer Thickness"));
  requireExposedLayers(layers, archive, { pictures: names.length, stated: head.number("Number of Slices") });
  const { pixels, decode } = await readPixels(archive, layers[0].picture, head);
  const [xPerMm, yPerMm] = [head.number("Pix per mm X") ?? 0, head.number("Pix per mm Y") ?? 0];
  const { x, y, z } = head.numbers({ x: "Platform X Size", y: "Platform Y Size", z: "Platform Z Size" });
  return {
    version: archive.has("manifest.xml") ? "1 (XML)" : "1",
    program: await readProgram(archive, text),
    pixels,
    pixelMm: xPerMm > 0 && yPerMm > 0 ? [1 / xPerMm, 1 / yPerMm] : undefined,
    volumeMm: x === undefined || y === undefined || z === undefined ? undefined : [x, y, z],
    mirrorX: head.text("Flip X") === undefined ? undefined : head.text("Flip X") === "True",
    boundariesMm: Float64Array.from([0, ...layers.map(({ zMm }) => zMm)]),
    exposuresS: Float64Array.from(layers, ({ exposureS }) => exposureS),
    exposure: exposureOfGcode(layers, {
      firstS: secondsOf(head.number("Bottom Layers Time")) ?? layers[0].exposureS,
      normalS: secondsOf(head.number("Layer Time")) ?? layers[layers.length - 1].exposureS,
      firstLayers: Math.max(1, head.number("Number of Bottom Layers") ?? 1),
    }),
    states: GCODE_FACTS,
    totals: {},
    thumbnails: [],
    warnings: [],
    layer: (index) => decode(layers[index].picture),
    close: () => archive.close(),
  };
}

const secondsOf = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : ms / 1000);

/** The first comment of the settings, or of the G-code of Nova3D's program. */
async function readProgram(archive: JobArchive, gcode: string): Promise<string | undefined> {
  const comment = archive.has("slice.conf")
    ? /^#\s*(.+)/.exec(await archive.text("slice.conf"))
    : /^;\s*(nova.*)/i.exec(gcode);
  return comment?.[1]?.trim();
}

/** What the names of the pictures have before their numbers. */
const picturePrefix = (archive: JobArchive): string =>
  archive.names.flatMap((name) => /^(.*?)\d+\.png$/.exec(name)?.[1] ?? []).at(0) ?? "";

/** `names`: the pictures, in the order of their numbers. */
const dialectOf = (names: readonly string[]): GcodeDialect => ({
  picture: /^;?\s*<Slice>\s+(\d+)/,
  nameOf: (digits) => names[Number(digits)],
  wait: /^;?\s*<(?:Delay|Takes)>\s+(\d+)/,
  waitsCoverMoves: true,
});

/** Programs that expose the first layer at the home of the platform count heights from there: it has its thickness nevertheless. */
function aboveHome(layers: readonly GcodeLayer[], thicknessMm: number | undefined): readonly GcodeLayer[] {
  if (layers[0]?.zMm !== 0) return layers;
  const raiseMm = thicknessMm ?? layers[1]?.zMm ?? 0;
  return layers.map((layer) => ({ ...layer, zMm: Math.round((layer.zMm + raiseMm) * 1e6) / 1e6 }));
}

/** Pictures with a third of the panel's columns have three of them in each pixel, blue the leftmost. */
async function readPixels(archive: JobArchive, firstName: string, head: KeyValues) {
  const { width, height, colour } = await archive.pngHeader(firstName);
  const columns = head.number("X Resolution") ?? width;
  const isPacked = colour === "RGB" && Math.ceil(columns / 3) === width;
  const pixels = requirePixels([columns, head.number("Y Resolution") ?? height], archive.refuse);
  return { pixels, decode: archive.layerDecoder(pixels, isPacked ? "BGR" : "GREY") };
}
