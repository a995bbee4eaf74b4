import { type PackedContent, ZipWriter } from "../../codec/zip-writer.ts";
import type { JobMetadata, JobStream, JobWriter } from "../job.ts";
import { CHITU_START, chituEnd, chituHead, chituLayer, chituPicture } from "./chitu-gcode.ts";
import { GCODE_FACTS, exposureOf, requireReachable } from "./moves.ts";

const THUMBNAILS = [
  { name: "preview.png", width: 954, height: 850 },
  { name: "preview_cropping.png", width: 168, height: 150 },
] as const;

/** Writes Chitubox's `.zip` jobs: PNG layers, and a G-code that moves the platform and exposes them, one by one. */
export const chituZipWriter: JobWriter<PackedContent> = {
  greyLevels: 256,
  thumbnails: THUMBNAILS,
  carries: GCODE_FACTS,
  requireCarriable: requireReachable,
  stream: chituZipStream,
};

function chituZipStream(job: JobMetadata): JobStream<PackedContent> {
  const zip = new ZipWriter();
  const exposure = exposureOf(job);
  const blocks: string[] = [];
  return {
    *begin() {
      for (const [k, { png }] of job.thumbnails.entries()) yield* zip.add({ name: THUMBNAILS[k].name, pieces: png });
    },
    layer(index, layer, exposureS) {
      blocks.push(...chituLayer(exposure, index, job.boundariesMm[index + 1], exposureS));
      return zip.addPacked(chituPicture(index), layer);
    },
    end: (totals) => ({
      chunks: (function* () {
        const lines = [...chituHead(job, totals), ...CHITU_START, ...blocks, ...chituEnd(job)];
        const text = new TextEncoder().encode(`${lines.join("\n")}\n`);
        yield* zip.add({ name: "run.gcode", pieces: [text], compress: true });
        yield* zip.end();
      })(),
    }),
  };
}
