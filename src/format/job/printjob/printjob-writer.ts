import { type PackedContent, ZipWriter } from "../../zip-writer.ts";
import type { JobFacts } from "../job-facts.ts";
import type { JobStream, JobWriter } from "../job-writer.ts";
import { packedPngLayer } from "../packed-png-layer.ts";
import { layerEntryName, MANIFEST_NAME, THUMBNAIL_NAME, toManifest } from "./manifest.ts";

/** This program's own archive; `FORMAT.md` describes it. */
export const printjobWriter: JobWriter<PackedContent> = {
  extension: ".printjob",
  thumbnails: [{ width: 800, height: 480 }],
  encodeLayer: packedPngLayer,
  stream: printjobStream,
};

function printjobStream(facts: JobFacts): JobStream<PackedContent> {
  const zip = new ZipWriter();
  const exposuresS: number[] = [];
  return {
    *begin() {
      for (const { png } of facts.thumbnails) yield* zip.add({ name: THUMBNAIL_NAME, pieces: png });
    },
    layer(index, layer, exposureS) {
      exposuresS[index] = exposureS;
      return zip.addPacked(layerEntryName(index), layer);
    },
    end: (totals) => ({
      chunks: (function* () {
        const manifest = new TextEncoder().encode(JSON.stringify(toManifest(facts, exposuresS, totals)));
        yield* zip.add({ name: MANIFEST_NAME, pieces: [manifest], compress: true });
        yield* zip.end();
      })(),
    }),
  };
}
