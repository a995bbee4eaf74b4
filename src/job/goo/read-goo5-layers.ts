import { ByteReader } from "../../codec/byte-reader.ts";
import { type FileSource, readRange } from "../../codec/file-source.ts";
import type { ErrorFactory } from "../../core/api-error.ts";
import { requireLayerCount } from "../plausible-counts.ts";
import { RunsBuilder } from "../runs-builder.ts";
import { decodeVufLayer } from "./decode-vuf-layer.ts";
import { LAYER_BYTES } from "./goo-layout.ts";
import { ENTRY_BYTES, MD5_DIGITS, PANELS, PREAMBLE_BYTES, TABLE_MARKS } from "./goo5-tables.ts";
import type { GooHead, GooLayers } from "./read-goo-head.ts";

/** Addresses and sizes of what the entries of a table name. */
interface Table {
  readonly addresses: Float64Array;
  readonly sizes: Uint32Array;
}

/** The layers of a `.goo` file of version 5.1. The MD5 at its end is not compared: each picture has a checksum, and files have gigabytes. */
export function readGoo5Layers(source: FileSource, head: GooHead, refuse: ErrorFactory): GooLayers {
  const damaged = (): Error => refuse("its tables are damaged; take another copy of it");
  const bytesAt = (at: number, length: number): ByteReader => new ByteReader(readRange(source, at, length), refuse);
  const count = requireLayerCount(head.layerCount, LAYER_BYTES + (1 + PANELS) * ENTRY_BYTES, source.size, refuse);
  const preamble = bytesAt(head.layersAt, PREAMBLE_BYTES);
  const panels = preamble.u8();
  const [layersAt, blocksAt, endAt] = [preamble.u32(), preamble.u32(), preamble.u32()];
  preamble.skip(1);
  const bits = preamble.u8();
  if (panels !== PANELS || bits < 1 || bits > 8) throw damaged();
  const tableAt = (at: number, mark: number, length: number, skipped = 0): Table => {
    const from = bytesAt(at, 1 + skipped + length * ENTRY_BYTES);
    if (from.u8() !== mark) throw damaged();
    from.skip(skipped);
    const table = { addresses: new Float64Array(length), sizes: new Uint32Array(length) };
    for (let k = 0; k < length; k++) [table.addresses[k], table.sizes[k]] = [from.u32(), from.u32()];
    return table;
  };
  const records = tableAt(layersAt, TABLE_MARKS.layers, count);
  const blocks = tableAt(blocksAt, TABLE_MARKS.blocks, count * PANELS);
  const footers = tableAt(endAt, TABLE_MARKS.end, 1, 4);
  if (footers.addresses[0] + footers.sizes[0] + MD5_DIGITS !== source.size) {
    throw refuse("its tables do not end where the file ends: it was cut short or is damaged; take another copy of it");
  }
  const [topsMm, exposuresS] = [new Float64Array(count), new Float64Array(count)];
  for (let k = 0; k < count; k++) {
    const from = bytesAt(records.addresses[k], LAYER_BYTES);
    from.skip(6); // pause
    [topsMm[k], exposuresS[k]] = [from.f32(), from.f32()];
  }
  const builder = new RunsBuilder(...head.pixels, refuse);
  return {
    topsMm,
    exposuresS,
    layer(index) {
      const pictures = [PANELS * index, PANELS * index + 1].map((k) =>
        readRange(source, blocks.addresses[k], blocks.sizes[k]),
      );
      return decodeVufLayer(pictures, bits, head.pixels, builder, refuse);
    },
  };
}
