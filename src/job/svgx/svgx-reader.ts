import { Buffer } from "node:buffer";
import { ByteReader } from "../../codec/byte-reader.ts";
import { type FileSource, readError, readRange } from "../../codec/file-source.ts";
import { parseXml } from "../../codec/parse-xml.ts";
import { toNumber } from "../../codec/xml-numbers.ts";
import type { ErrorFactory } from "../../core/api-error.ts";
import { UNSTATED_CYCLE, exposuresOfLayers } from "../exposures-of-layers.ts";
import type { JobExposure } from "../job-exposure.ts";
import type { JobReader, ReadJob } from "../job-reader.ts";
import { requireLayerCount, requirePixels } from "../plausible-counts.ts";
import { RunsBuilder } from "../runs-builder.ts";
import { readBmp } from "./bmp.ts";
import { fillPolygons } from "./fill-polygons.ts";
import { type Polygons, readPath } from "./read-path.ts";
import { SVGX_MARK, SVGX_MARK_BYTES } from "./svgx-layout.ts";

const GROUP = Buffer.from('<g id="layer-');
/** The least bytes of a layer. */
const LAYER_BYTES = GROUP.length + '0"/>'.length;
/** Bytes that are searched at once. */
const PIECE_BYTES = 2 ** 20;
/** More than the head of any SVG before its layers. */
const MAX_HEAD_BYTES = 2 ** 20;
const MAX_PREVIEW_BYTES = 2 ** 24;
const END = "</svg>";

/** `.svgx` files of FlashForge and Voxelab. */
export const svgxReader: JobReader = {
  name: "FlashForge SVGX",
  recognises: (head) => Buffer.from(head.subarray(0, SVGX_MARK.length)).toString("latin1") === SVGX_MARK,
  open: openSvgx,
};

async function openSvgx(source: FileSource): Promise<ReadJob> {
  const refuse: ErrorFactory = (why) => readError(source, why);
  const from = new ByteReader(readRange(source, SVGX_MARK_BYTES, 12), refuse);
  const [first, second, svgAt] = [from.u32(), from.u32(), from.u32()];
  requireEnd(source, refuse);
  const starts = findLayers(source, svgAt, refuse);
  const head = await readSvgHead(source, svgAt, starts[0] ?? svgAt, refuse);
  const count = requireLayerCount(head.layerCount, LAYER_BYTES, source.size, refuse);
  if (starts.length !== count) {
    throw refuse(`it has ${starts.length} of the ${count} layers that it states; take another copy of it`);
  }
  const pixels = requirePixels(head.pixels, refuse);
  const builder = new RunsBuilder(...pixels, refuse);
  const previewAt = (at: number) =>
    readBmp(new ByteReader(readRange(source, at, Math.min(MAX_PREVIEW_BYTES, source.size - at)), refuse), refuse);
  return {
    version: "1.1",
    printerName: head.printerName,
    pixels,
    pixelMm: [head.volumeMm[0] / pixels[0], head.volumeMm[1] / pixels[1]],
    volumeMm: head.volumeMm,
    material: head.material,
    boundariesMm: Float64Array.from({ length: count + 1 }, (_, k) => k * head.thicknessMm),
    exposuresS: exposuresOfLayers(head.exposure, count),
    exposure: head.exposure,
    states: [],
    totals: { materialMl: head.materialMl },
    thumbnails: [first, second].map(previewAt),
    warnings: [],
    layer(index) {
      const end = starts[index + 1] ?? source.size;
      const polygons = readOutlines(readRange(source, starts[index], end - starts[index]), refuse);
      toPixels(polygons, pixels, head.volumeMm);
      return fillPolygons(polygons, pixels, builder, refuse);
    },
  };
}

/** Throws the error of `refuse` unless the SVG is whole up to its last tag. */
function requireEnd(source: FileSource, refuse: ErrorFactory): void {
  const length = Math.min(64, source.size);
  const end = Buffer.from(readRange(source, source.size - length, length)).toString("latin1");
  if (!end.trimEnd().endsWith(END))
    throw refuse("it ends within its layers: it was cut short; take another copy of it");
}

/** Where each layer begins. Reads the file in pieces, which overlap by the length of the mark. */
function findLayers(source: FileSource, svgAt: number, refuse: ErrorFactory): number[] {
  const starts: number[] = [];
  for (let at = svgAt; at < source.size; at += PIECE_BYTES) {
    const length = Math.min(PIECE_BYTES + GROUP.length - 1, source.size - at);
    const piece = Buffer.from(readRange(source, at, length).buffer);
    for (let found = piece.indexOf(GROUP); found >= 0; found = piece.indexOf(GROUP, found + 1)) {
      starts.push(at + found);
    }
  }
  starts.forEach((at, index) => {
    const mark = Buffer.from(`${index}"`);
    const number = readRange(source, at + GROUP.length, Math.min(mark.length, source.size - at - GROUP.length));
    if (!mark.equals(number)) throw refuse(`its layer ${index} is not in its place; take another copy of it`);
  });
  return starts;
}

/** Reads the elements before the layers. */
async function readSvgHead(source: FileSource, from: number, to: number, refuse: ErrorFactory) {
  const length = Math.min(MAX_HEAD_BYTES, to - from);
  const bytes = readRange(source, from, length);
  const elements = new Map<string, Readonly<Record<string, string>>>();
  const pieces = async function* () {
    yield bytes;
    yield Buffer.from(END);
  };
  await parseXml(pieces(), refuse, () => ({
    open: (name, attributes) => void elements.set(name, attributes),
    close: () => {},
  }));
  const valueOf = (element: string, name: string): string | undefined => elements.get(element)?.[name];
  const number = (element: string, name: string, wayOut = "take another copy of it"): number => {
    const value = toNumber(valueOf(element, name));
    if (Number.isFinite(value) && value >= 0) return value;
    throw refuse(`it does not state ${name} as a number; ${wayOut}`);
  };
  const exposure: JobExposure = {
    firstS: number("projectiontime", "attachtime"),
    normalS: number("projectiontime", "basetime"),
    firstLayers: number("projectiontime", "attachlayer"),
    fadingLayers: number("projectiontime", "buildinlayer"),
    firstCycle: UNSTATED_CYCLE,
    normalCycle: UNSTATED_CYCLE,
  };
  const ofDisplay = (name: string): number => number("printparams", name, OTHER_PROGRAM);
  return {
    printerName: valueOf("printparams", "machinename"),
    material: valueOf("printparams", "materialname"),
    thicknessMm: number("printparams", "layerheight"),
    layerCount: number("printparams", "layercount"),
    materialMl: number("printparams", "volume"),
    pixels: [ofDisplay("resolutionx"), ofDisplay("resolutiony")] as const,
    volumeMm: [ofDisplay("displaywidth"), ofDisplay("displayheight"), ofDisplay("machinez")] as const,
    exposure,
  };
}

/** The programs of the makers leave the display out. */
const OTHER_PROGRAM = "the pixels of its layers are those of the machine: slice the model here";

/** The polygons of all paths of a layer. */
function readOutlines(group: Uint8Array, refuse: ErrorFactory): Polygons {
  const text = Buffer.from(group.buffer, group.byteOffset, group.length);
  const polygons: Polygons = { xs: new Float64Array(1024), ys: new Float64Array(1024), ends: [] };
  for (let path = text.indexOf("<path"); path >= 0; path = text.indexOf("<path", path + 1)) {
    const start = text.indexOf(' d="', path) + 4;
    const end = text.indexOf('"', start);
    if (start < 4 || end < 0) throw refuse("one of its layers has no outlines; take another copy of it");
    readPath(group, start, end, polygons, refuse);
  }
  return polygons;
}

/** Changes coordinates from mm from the middle of the display to pixels from the centre of the first one. */
function toPixels(
  { xs, ys, ends }: Polygons,
  [columns, rows]: readonly [number, number],
  [width, depth]: readonly [number, number, number],
): void {
  const count = ends.at(-1) ?? 0;
  for (let i = 0; i < count; i++) {
    xs[i] = (xs[i] / width + 0.5) * columns - 0.5;
    ys[i] = (ys[i] / depth + 0.5) * rows - 0.5;
  }
}
