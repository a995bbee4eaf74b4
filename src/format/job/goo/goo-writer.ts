import type { JobFacts } from "../job-facts.ts";
import type { JobStream, JobWriter } from "../job-writer.ts";
import { encodeGooLayer } from "./encode-goo-layer.ts";
import { DELIMITER, header, MAGIC } from "./header.ts";
import { layerHead } from "./layer-head.ts";

/** Small and big preview. */
const THUMBNAILS = [
  { width: 116, height: 116 },
  { width: 290, height: 290 },
] as const;

/** Elegoo's `.goo` files, by their specification 1.2. */
export const gooWriter: JobWriter<Uint8Array> = {
  extension: ".goo",
  thumbnails: THUMBNAILS,
  encodeLayer: encodeGooLayer,
  stream: gooStream,
};

function gooStream(facts: JobFacts): JobStream<Uint8Array> {
  const { exposure } = facts;
  if (exposure === undefined) throw new TypeError("a .goo file is for resin, and resin has an exposure");
  return {
    begin: () => [header(facts, exposure, { printTimeS: 0, materialMl: 0, materialG: 0 })],
    layer: (index, data, exposureS) => [layerHead(facts, exposure, index, exposureS, data.length), data, DELIMITER],
    end: (totals) => ({
      chunks: [new Uint8Array(3), MAGIC],
      head: header(facts, exposure, totals),
    }),
  };
}
