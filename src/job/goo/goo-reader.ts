import { BigEndianReader, type FieldReader } from "../../codec/big-endian-reader.ts";
import { ByteReader } from "../../codec/byte-reader.ts";
import { type FileSource, readError, readRange } from "../../codec/file-source.ts";
import type { ErrorFactory } from "../../core/api-error.ts";
import { MM3_PER_ML } from "../../core/units.ts";
import { boundariesOfTops } from "../boundaries-of-tops.ts";
import type { JobReader, ReadJob } from "../job-reader.ts";
import { requireLayerCount, requirePixels } from "../plausible-counts.ts";
import { RunsBuilder } from "../runs-builder.ts";
import { decodeGooLayer } from "./decode-goo-layer.ts";
import { DELIMITER, HEAD_BYTES, LAYER_BYTES, MARK } from "./goo-layout.ts";
import { type GooHead, type GooLayers, gooExposure, readGooHead } from "./read-goo-head.ts";
import { readGoo5Layers } from "./read-goo5-layers.ts";

const VERSION_BYTES = 4;
/** In version 3, after the values of a layer: the size of its data. */
const LAYER_HEAD_BYTES = LAYER_BYTES + 4;
/** Three zeros and the mark, at the end of version 3. */
const END_BYTES = 3 + MARK.length;

/** How a version is read. */
interface Edition {
  read(bytes: Uint8Array, refuse: ErrorFactory): FieldReader;
  /** Retractions end at the height of the next layer, not at that of the layer. */
  readonly returnsToNextLayer: boolean;
  layers(source: FileSource, head: GooHead, refuse: ErrorFactory): GooLayers;
}

const EDITIONS: ReadonlyMap<string, Edition> = new Map([
  [
    "V3.0",
    { read: (bytes, refuse) => new BigEndianReader(bytes, refuse), returnsToNextLayer: false, layers: readLayers },
  ],
  [
    "V5.1",
    { read: (bytes, refuse) => new ByteReader(bytes, refuse), returnsToNextLayer: true, layers: readGoo5Layers },
  ],
]);

/** Elegoo's `.goo` files of versions 3 (specification 1.2) and 5.1, and Phrozen's `.prz`, which are like those of version 3. */
export const gooReader: JobReader = {
  name: "Elegoo GOO",
  versions: [...EDITIONS.keys()],
  recognises: (head) => head[0] === "V".charCodeAt(0) && isAt(head, VERSION_BYTES, MARK),
  open: openGoo,
};

const isAt = (bytes: Uint8Array, at: number, mark: Uint8Array): boolean =>
  bytes.length >= at + mark.length && mark.every((byte, i) => bytes[at + i] === byte);

function openGoo(source: FileSource): ReadJob {
  const refuse: ErrorFactory = (why) => readError(source, why);
  const version = new TextDecoder("latin1").decode(readRange(source, 0, VERSION_BYTES));
  const edition = EDITIONS.get(version);
  if (edition === undefined) {
    const known = [...EDITIONS.keys()].join(" and ");
    throw refuse(`it is a .goo file of version ${JSON.stringify(version)}; ${known} are read: save it as one of these`);
  }
  const start = VERSION_BYTES + MARK.length;
  const head = readGooHead(edition.read(readRange(source, start, HEAD_BYTES - start), refuse));
  const pixels = requirePixels(head.pixels, refuse);
  const isVersion3 = version === "V3.0";
  const { topsMm, exposuresS, layer } = edition.layers(source, head, refuse);
  return {
    ...factsOf(head),
    ...gooExposure(head, edition.returnsToNextLayer ? head.thicknessMm : 0),
    version,
    pixels,
    boundariesMm: boundariesOfTops(topsMm, refuse),
    exposuresS,
    warnings:
      isVersion3 && !head.hasFullGreys
        ? ["The file states 16 grey levels: its greys are taken as they are written."]
        : [],
    layer,
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
    mirrorY: head.mirrorY,
    totals: {
      printTimeS: head.printTimeS,
      materialMl: head.volumeMm3 / MM3_PER_ML,
      materialG: head.weightG,
    },
    thumbnails: head.previews,
  };
}

/** The layers of version 3, each of which states only where the next one begins. */
function readLayers(source: FileSource, { layerCount, layersAt, pixels }: GooHead, refuse: ErrorFactory): GooLayers {
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
  const builder = new RunsBuilder(...pixels, refuse);
  return {
    topsMm,
    exposuresS,
    layer: (index) => decodeGooLayer(readRange(source, addresses[index], sizes[index]), builder, refuse),
  };
}
