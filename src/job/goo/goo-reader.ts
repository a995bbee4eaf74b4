import { BigEndianReader } from "../../codec/big-endian-reader.ts";
import { type FileSource, readError, readRange } from "../../codec/file-source.ts";
import type { ErrorFactory } from "../../core/api-error.ts";
import { MM3_PER_ML } from "../../core/units.ts";
import { boundariesOfTops } from "../boundaries-of-tops.ts";
import type { JobReader, ReadJob } from "../job-reader.ts";
import { requireLayerCount, requirePixels } from "../plausible-counts.ts";
import { RunsBuilder } from "../runs-builder.ts";
import { decodeGooLayer } from "./decode-goo-layer.ts";
import { DELIMITER, MARK } from "./goo-layout.ts";
import { type GooHead, gooExposure, readGooHead } from "./read-goo-head.ts";

const VERSION = "V3.0";
/** Version and mark. */
const START_BYTES = VERSION.length + MARK.length;
/** Before the data of a layer: its values, a delimiter, and the size of the data. */
const LAYER_HEAD_BYTES = 70;
/** Three zeros and the mark. */
const END_BYTES = 3 + MARK.length;
const HEAD_BYTES = 195_477;

/** Elegoo's `.goo` files of version 3 (specification 1.2), and Phrozen's `.prz`, which are alike. */
export const gooReader: JobReader = {
  name: "Elegoo GOO",
  recognises: (head) => head[0] === VERSION.charCodeAt(0) && isAt(head, VERSION.length, MARK),
  open: openGoo,
};

const isAt = (bytes: Uint8Array, at: number, mark: Uint8Array): boolean =>
  bytes.length >= at + mark.length && mark.every((byte, i) => bytes[at + i] === byte);

function openGoo(source: FileSource): ReadJob {
  const refuse: ErrorFactory = (why) => readError(source, why);
  const version = new TextDecoder("latin1").decode(readRange(source, 0, VERSION.length));
  if (version !== VERSION) {
    throw refuse(
      `it is a .goo file of version ${JSON.stringify(version)}; version ${VERSION} is read: save it as that one`,
    );
  }
  const head = readGooHead(new BigEndianReader(readRange(source, START_BYTES, HEAD_BYTES - START_BYTES), refuse));
  const pixels = requirePixels(head.pixels, refuse);
  const layers = readLayerHeads(source, head, refuse);
  const builder = new RunsBuilder(...pixels, refuse);
  return {
    ...factsOf(head),
    version,
    pixels,
    boundariesMm: boundariesOfTops(layers.topsMm, refuse),
    exposuresS: layers.exposuresS,
    warnings: head.hasFullGreys ? [] : ["The file states 16 grey levels: its greys are taken as they are written."],
    layer: (index) => decodeGooLayer(readRange(source, layers.addresses[index], layers.sizes[index]), builder, refuse),
  };
}

function factsOf(head: GooHead) {
  const [columns, rows] = head.pixels;
  const [width, depth] = head.volumeMm;
  return {
    program: `${head.software} ${head.softwareVersion}`.trim(),
    printerName: head.printerName,
    created: head.created,
    pixelMm: [width / columns, depth / rows] as const,
    volumeMm: head.volumeMm,
    mirrorX: head.mirrorX,
    ...gooExposure(head),
    totals: {
      printTimeS: head.printTimeS,
      materialMl: head.volumeMm3 / MM3_PER_ML,
      materialG: head.weightG,
    },
    thumbnails: head.previews,
  };
}

/** Heights, exposures and places of the layers, each of which states only where the next one begins. */
function readLayerHeads(source: FileSource, { layerCount, layersAt }: GooHead, refuse: ErrorFactory) {
  const count = requireLayerCount(layerCount, LAYER_HEAD_BYTES + DELIMITER.length, source.size, refuse);
  const [topsMm, exposuresS] = [new Float64Array(count), new Float64Array(count)];
  const [addresses, sizes] = [new Float64Array(count), new Uint32Array(count)];
  let at = layersAt;
  for (let k = 0; k < count; k++) {
    const from = new BigEndianReader(readRange(source, at, LAYER_HEAD_BYTES), refuse, 6);
    [topsMm[k], exposuresS[k]] = [from.f32(), from.f32()];
    from.skip(from.left - 4);
    addresses[k] = at + LAYER_HEAD_BYTES;
    sizes[k] = from.u32();
    at = addresses[k] + sizes[k] + DELIMITER.length;
  }
  if (!isAt(readRange(source, at, END_BYTES), END_BYTES - MARK.length, MARK)) {
    throw refuse("its layers do not end where the file ends: it is damaged; take another copy of it");
  }
  return { topsMm, exposuresS, addresses, sizes };
}
