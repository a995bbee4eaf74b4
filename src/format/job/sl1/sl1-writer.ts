import { type PackedContent, ZipWriter } from "../../zip-writer.ts";
import type { JobFacts } from "../job-facts.ts";
import type { JobStream, JobWriter } from "../job-writer.ts";
import { packedPngLayer } from "../packed-png-layer.ts";
import { ini } from "./ini.ts";
import { jobIni } from "./job-ini.ts";
import { settingsIni } from "./settings-ini.ts";

const THUMBNAILS = [
  { width: 400, height: 400 },
  { width: 800, height: 480 },
] as const;

/** Archives of the Prusa SL1 family: a zip of PNG layers and settings. `model` is what the printer calls itself. */
export const sl1Writer = (model: string, extension: string): JobWriter<PackedContent> => ({
  extension,
  thumbnails: THUMBNAILS,
  encodeLayer: packedPngLayer,
  stream: (facts) => sl1Stream(facts, model),
});

function sl1Stream(facts: JobFacts, model: string): JobStream<PackedContent> {
  const zip = new ZipWriter();
  const jobDir = plainName(facts.name);
  const addText = (name: string, text: string) =>
    zip.add({ name, pieces: [new TextEncoder().encode(text)], compress: true });
  return {
    *begin() {
      for (const { width, height, png } of facts.thumbnails) {
        yield* zip.add({ name: `thumbnail/thumbnail${width}x${height}.png`, pieces: png });
      }
    },
    layer: (index, layer) => zip.addPacked(`${jobDir}${String(index).padStart(5, "0")}.png`, layer),
    end: (totals) => ({
      chunks: (function* () {
        yield* addText("config.ini", ini(jobIni(facts, totals, model, jobDir)));
        yield* addText("prusaslicer.ini", ini(settingsIni(facts, model)));
        yield* zip.end();
      })(),
    }),
  };
}

const MAX_NAME_LENGTH = 60;

/** The name as the start of file names that any system can unpack; `job` where nothing is left of it. */
const plainName = (name: string): string =>
  name
    .replaceAll(/[^A-Za-z0-9_.-]+/g, "_")
    .replace(/^[_.]+/, "")
    .slice(0, MAX_NAME_LENGTH) || "job";
