import { type FileSource, readError, readRange } from "../../codec/file-source.ts";
import { ApiError, type ErrorFactory } from "../../core/api-error.ts";
import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import { boundariesOfTops } from "../boundaries-of-tops.ts";
import type { JobPicture, JobReader, ReadJob } from "../job-reader.ts";
import { requireLayerCount, requirePixels } from "../plausible-counts.ts";
import { RunsBuilder } from "../runs-builder.ts";
import { chituExposure } from "./chitu-exposure.ts";
import { ENTRY_BYTES, MAGICS, MIRRORED, PAGE_BYTES, PREVIEW_BYTES } from "./chitu-records.ts";
import { decodePlanes } from "./decode-planes.ts";
import { decodeRle7Layer } from "./decode-rle7-layer.ts";
import { maskLayer } from "./mask-layer.ts";
import { type ChituHead, readChituHead, recordAt } from "./read-chitu-head.ts";
import { picturedRuns } from "./rgb15-runs.ts";

/** The versions that are read, by the first four bytes of a file. */
const VERSIONS: ReadonlyMap<number, readonly number[]> = new Map([
  [MAGICS.cbddlp, [1, 2]],
  [MAGICS.ctb, [2, 3]],
  [MAGICS.ctb4, [4, 5]],
  [MAGICS.gkTwo, [4]],
  [MAGICS.encrypted, []],
]);
const versionsOf = (magic: number): string[] => (VERSIONS.get(magic) ?? []).map(String);

/** More than any program writes. */
const MAX_PLANES = 16;
const MAX_PREVIEW_PIXELS = 2 ** 22;

/** Whether a file with these first bytes is a `.ctb` file whose layers are encrypted. */
export const isEncryptedCtb = (head: Uint8Array): boolean => magicOf(head) === MAGICS.encrypted;

/** Chitubox's `.ctb` files of versions 2 to 5. Those whose layers are encrypted are recognised and refused. */
export const ctbReader: JobReader = {
  name: "Chitubox CTB",
  versions: [MAGICS.ctb, MAGICS.ctb4].flatMap(versionsOf),
  recognises: (head) => VERSIONS.has(magicOf(head)) && magicOf(head) !== MAGICS.cbddlp,
  open: openChitu,
};

/** Chitubox's `.cbddlp` files, which are `.photon` files of Anycubic too, of versions 1 and 2. */
export const cbddlpReader: JobReader = {
  name: "Chitubox CBDDLP",
  versions: versionsOf(MAGICS.cbddlp),
  recognises: (head) => magicOf(head) === MAGICS.cbddlp,
  open: openChitu,
};

const magicOf = (head: Uint8Array): number =>
  head.length < 4 ? 0 : new DataView(head.buffer, head.byteOffset).getUint32(0, true);

function openChitu(source: FileSource): ReadJob {
  const refuse: ErrorFactory = (why) => readError(source, why);
  const isCtb = requireVersion(source, refuse) !== MAGICS.cbddlp;
  const head = readChituHead(source);
  const { header } = head;
  const planes = isCtb ? 1 : Math.max(1, header.planes);
  if (planes > MAX_PLANES) throw refuse(`it states ${planes} planes: it is damaged; take another copy of it`);
  const pixels = requirePixels(header.pixels, refuse);
  const count = requireLayerCount(header.layerCount, planes * ENTRY_BYTES, source.size, refuse);
  const entries = readEntries(source, header.layersAt, count, planes);
  const builder = new RunsBuilder(...pixels, refuse);
  return {
    ...factsOf(head),
    pixels,
    boundariesMm: boundariesOfTops(topsOf(entries.heightsMm, header.thicknessMm), refuse),
    exposuresS: entries.exposuresS,
    ...chituExposure(head, entries.exposuresS),
    ...readPreviews(source, [header.largeAt, header.smallAt], refuse),
    layer(index): LayerRuns {
      const pictures = entries.picturesOf(index);
      if (!isCtb) return decodePlanes(pictures, builder, refuse);
      if (header.key !== 0) maskLayer(pictures[0], header.key, index);
      return decodeRle7Layer(pictures[0], builder, refuse);
    },
  };
}

/** The magic number of a file whose version is read. */
function requireVersion(source: FileSource, refuse: ErrorFactory): number {
  const from = recordAt(source, 0, 8);
  const [magic, version] = [from.u32(), from.u32()];
  const known = VERSIONS.get(magic) ?? [];
  if (known.includes(version)) return magic;
  if (magic === MAGICS.encrypted) {
    throw refuse(
      "it is an encrypted .ctb file, which is not read here; have a program that reads these, such as UVtools, convert it to a .ctb file of " +
        "version 3 or to an .sl1 file",
    );
  }
  throw refuse(`it has version ${version}; versions ${known.join(" and ")} are read here: save it as one of these`);
}

function factsOf({ header, parameters, slicer, material }: ChituHead) {
  const { version, sizeMm, pixels, projection, printTimeS } = header;
  return {
    version: String(version),
    program: slicer && `Chitubox ${versionText(slicer.software)} or a program that names it`,
    printerName: slicer?.machineName,
    created: slicer && slicer.minutes > 0 ? new Date(60_000 * slicer.minutes) : undefined,
    pixelMm: [sizeMm[0] / pixels[0], sizeMm[1] / pixels[1]] as const,
    volumeMm: sizeMm,
    mirrorX: projection === MIRRORED,
    material,
    totals: { printTimeS, ...(parameters && { materialMl: parameters.volumeMl, materialG: parameters.weightG }) },
  };
}

const versionText = (software: number): string => [24, 16, 8, 0].map((shift) => (software >>> shift) & 255).join(".");

/** The table of layers; it begins with those of the first plane. */
function readEntries(source: FileSource, at: number, count: number, planes: number) {
  const from = recordAt(source, at, count * planes * ENTRY_BYTES);
  const total = count * planes;
  const [heightsMm, exposuresS] = [new Float64Array(total), new Float64Array(total)];
  const [addresses, sizes] = [new Float64Array(total), new Uint32Array(total)];
  for (let k = 0; k < total; k++) {
    [heightsMm[k], exposuresS[k]] = [from.f32(), from.f32()];
    from.skip(4);
    [addresses[k], sizes[k]] = [from.u32(), from.u32()];
    addresses[k] += from.u32() * PAGE_BYTES;
    from.skip(ENTRY_BYTES - 24);
  }
  return {
    heightsMm: heightsMm.subarray(0, count),
    exposuresS: exposuresS.subarray(0, count),
    /** The data of the planes of a layer. */
    picturesOf: (index: number): Uint8Array[] =>
      Array.from({ length: planes }, (_, plane) => {
        const k = index + plane * count;
        return readRange(source, addresses[k], sizes[k]);
      }),
  };
}

/** The tops of layers. Files of version 1 state the heights of their bottoms, of which the first is 0. */
const topsOf = (heightsMm: Float64Array, thicknessMm: number): Float64Array =>
  heightsMm[0] === 0 ? heightsMm.map((heightMm) => heightMm + thicknessMm) : heightsMm;

/** Previews at these addresses, 0 for none. A damaged one is left out, with a warning: the layers do not need it. */
function readPreviews(
  source: FileSource,
  addresses: readonly number[],
  refuse: ErrorFactory,
): Pick<ReadJob, "thumbnails" | "warnings"> {
  const [thumbnails, warnings]: [JobPicture[], string[]] = [[], []];
  for (const at of addresses.filter((address) => address > 0)) {
    try {
      thumbnails.push(readPreview(source, at, refuse));
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      warnings.push("One of the previews of the file is damaged and was left out.");
    }
  }
  return { thumbnails, warnings };
}

function readPreview(source: FileSource, at: number, refuse: ErrorFactory): JobPicture {
  const from = recordAt(source, at, PREVIEW_BYTES);
  const [width, height] = requirePixels([from.u32(), from.u32()], refuse);
  if (width * height > MAX_PREVIEW_PIXELS) {
    throw refuse(`its preview would have ${width} × ${height} pixels: it is damaged; take another copy of it`);
  }
  return picturedRuns(readRange(source, from.u32(), from.u32()), width, height, refuse);
}
