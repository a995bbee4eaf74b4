import { Buffer } from "node:buffer";
import { escapeXml } from "../../codec/escape-xml.ts";
import { layerImageSize } from "../../slice/pixel-grid.ts";
import {
  type JobMetadata,
  type JobStream,
  type JobTotals,
  type JobWriter,
  jobLayerCount,
  meanThicknessMm,
} from "../job.ts";
import type { JobExposure } from "../job-exposure.ts";
import { LITTLE_ENDIAN, text } from "../record.ts";
import { requireEqualLayers } from "../require-equal-layers.ts";
import { bmpOf } from "./bmp.ts";
import type { SvgxBox, SvgxLayer } from "./encode-svgx-layer.ts";
import { SVGX_MARK, SVGX_MARK_BYTES } from "./svgx-layout.ts";

const { u32 } = LITTLE_ENDIAN;

const THUMBNAILS = [
  { width: 128, height: 128 },
  { width: 200, height: 240 },
] as const;
/** The mark and the addresses of the previews and of the SVG. */
const HEAD_BYTES = SVGX_MARK_BYTES + 3 * 4;
/** Characters of a number that is known last. */
const NUMBER_WIDTH = 12;

/**
 * Writes the `.svgx` files of FlashForge and Voxelab: outlines of the layers as SVG, black and white. The machine has its own lifts, waits
 * and light. No description by the maker is public; the layout is that of UVtools.
 */
export const svgxWriter: JobWriter<SvgxLayer> = {
  greyLevels: 2,
  thumbnails: THUMBNAILS,
  carries: [],
  requireCarriable: requireEqualLayers,
  stream: svgxStream,
};

function svgxStream(job: JobMetadata): JobStream<SvgxLayer> {
  const { exposure } = job;
  if (exposure === undefined) throw new TypeError("A .svgx file needs the exposure of a resin job.");
  const previews = job.thumbnails.map(bmpOf);
  let range: SvgxBox = { minX: 0, minY: 0, maxX: 0, maxY: 0 };
  let isEmpty = true;
  const head = (totals: Pick<JobTotals, "materialMl">): Uint8Array =>
    fileHead(previews, job, exposure, range, totals.materialMl);
  return {
    begin: () => [head({ materialMl: 0 })],
    layer(index, { path, areaMm2, perimeterMm, box }) {
      if (box) range = isEmpty ? box : unionOf(range, box);
      isEmpty &&= box === undefined;
      const group = `<g id="layer-${index}" area="${decimal(areaMm2)}" perimeter="${decimal(perimeterMm)}">`;
      if (path.length === 0) return [encoded(`${group}</g>\n`)];
      return [encoded(`${group}<path d="`), path, encoded(`" style="fill:white" fill-rule="evenodd"/></g>\n`)];
    },
    end: (totals) => ({ chunks: [encoded("</svg>")], head: head(totals) }),
  };
}

const encoded = (part: string): Uint8Array => new TextEncoder().encode(part);

const unionOf = (a: SvgxBox, b: SvgxBox): SvgxBox => ({
  minX: Math.min(a.minX, b.minX),
  minY: Math.min(a.minY, b.minY),
  maxX: Math.max(a.maxX, b.maxX),
  maxY: Math.max(a.maxY, b.maxY),
});

/** Everything before the layers. Its size does not depend on `range` and `materialMl`. */
function fileHead(
  previews: readonly Uint8Array[],
  job: JobMetadata,
  exposure: JobExposure,
  range: SvgxBox,
  materialMl: number,
): Uint8Array {
  const [first, second] = previews;
  const secondAt = HEAD_BYTES + first.length;
  return Buffer.concat([
    text(SVGX_MARK, SVGX_MARK_BYTES),
    ...[HEAD_BYTES, secondAt, secondAt + second.length].map(u32),
    first,
    second,
    encoded(svgHead(job, exposure, range, materialMl)),
  ]);
}

function svgHead(job: JobMetadata, exposure: JobExposure, range: SvgxBox, materialMl: number): string {
  const { printer, material, boundariesMm } = job;
  const { pixels, pixelMm } = layerImageSize(printer);
  const [columns, rows] = pixels;
  const [width, depth] = [columns * pixelMm[0], rows * pixelMm[1]];
  const printparams = attributes({
    machinename: printer.nameInJobs,
    materialname: material.label,
    layerheight: meanThicknessMm(job),
    layercount: jobLayerCount(job),
    // In per cent; what other values mean is not known.
    lightintensity: 100,
    resolutionx: columns,
    resolutiony: rows,
    displaywidth: width,
    displayheight: depth,
    machinez: printer.volumeMm[2],
  });
  const times = attributes({
    attachlayer: exposure.firstLayers,
    buildinlayer: exposure.fadingLayers,
    attachtime: exposure.firstS,
    basetime: exposure.normalS,
  });
  const sides = { minx: range.minX, miny: range.minY, maxx: range.maxX, maxy: range.maxY };
  const display = attributes({ x: -width / 2, y: -depth / 2, width, height: depth });
  return `<svg version="1.1"><printparams${printparams}${padded({ volume: materialMl })}>
<projectiontime${times}/><projectionadjust x="100" y="100"/>
<printrange${padded(sides)}${attributes({ minz: 0, maxz: boundariesMm.at(-1) ?? 0 })}/></printparams>
<g id="background"><rect${display} style="fill:black"/></g>
`;
}

type Attributes = Readonly<Record<string, string | number>>;

const attributes = (values: Attributes): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${typeof value === "number" ? decimal(value) : escapeXml(value)}"`)
    .join("");

/** Attributes that are known last, with blanks behind each so that their length is the same whatever they are. */
const padded = (values: Readonly<Record<string, number>>): string =>
  Object.entries(values)
    .map(([name, value]) => attributes({ [name]: value }).padEnd(name.length + NUMBER_WIDTH + 4))
    .join("");

const MAX_DECIMALS = 6;

const decimal = (value: number): string => String(Number(value.toFixed(MAX_DECIMALS)));
