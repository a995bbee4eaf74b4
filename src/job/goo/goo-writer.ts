import { Buffer } from "node:buffer";
import { NO_TOTALS, type JobMetadata, type JobStream, type JobWriter } from "../job.ts";
import { CARRIED_FACTS } from "../losses.ts";
import { BIG_ENDIAN } from "../record.ts";
import { requireEqualLayers } from "../require-equal-layers.ts";
import { type GooEdition, gooHead, layerValues } from "./goo-head.ts";
import { DELIMITER, MARK, THUMBNAILS } from "./goo-layout.ts";

/**
 * Writes Elegoo's `.goo` files, specification 1.2. Printers take exposures, waits and motions from the head of the file: with the flag
 * that enables those of each layer, a Saturn 4 froze and a Saturn 4 Ultra printed badly (UVtools, issues 997 and 1013; its files have
 * not set the flag since). The values of the layers agree with the head.
 */
export const gooWriter: JobWriter<Uint8Array> = {
  greyLevels: 256,
  thumbnails: THUMBNAILS,
  carries: CARRIED_FACTS,
  requireCarriable: requireEqualLayers,
  stream: gooStream,
};

/** The printer's type in the files of other programs for these machines. */
const PRINTER_TYPE = "DLP";

function gooStream(job: JobMetadata): JobStream<Uint8Array> {
  const { exposure } = job;
  if (exposure === undefined) throw new TypeError("A .goo file needs the exposure of a resin job.");
  const edition: GooEdition = {
    version: "V3.0",
    fields: BIG_ENDIAN,
    software: "Printwright",
    printerType: PRINTER_TYPE,
    profile: job.printSetting,
    layersRule: false,
  };
  return {
    begin: () => [gooHead(job, exposure, NO_TOTALS, edition)],
    layer: (index, data, exposureS) => [
      Buffer.concat([...layerValues(job, exposure, index, exposureS, BIG_ENDIAN), BIG_ENDIAN.u32(data.length)]),
      data,
      DELIMITER,
    ],
    end: (totals) => ({ chunks: [new Uint8Array(3), MARK], head: gooHead(job, exposure, totals, edition) }),
  };
}
