import { type PackedContent, ZipWriter } from "../../codec/zip-writer.ts";
import { operationFailed } from "../../core/api-error.ts";
import { layerImageSize } from "../../slice/pixel-grid.ts";
import { type JobFacts, type JobMetadata, type JobStream, type JobWriter, jobLayerCount } from "../job.ts";
import { plainName } from "../plain-name.ts";
import { CWS_START, cwsEnd, cwsHead, cwsLayer } from "./cws-gcode.ts";
import { manifestXml, sliceConf, slicingXml } from "./cws-settings.ts";
import { GCODE_FACTS, exposureOf, requireReachable } from "./moves.ts";

/** The most columns of a layer with four channels: with 65,535 rows, the places of its bytes have 32 bits (`rgba-block.as.ts`). */
const MAX_RGBA_COLUMNS = 16_383;

/**
 * Writes `.cws` jobs, PNG layers and a G-code: with the `slice.conf` of Nova3D, or with the XML files of Creation Workshop, whose
 * layers have four channels.
 */
export const cwsWriter = (settings: "CONF" | "XML"): JobWriter<PackedContent> => ({
  greyLevels: 256,
  thumbnails: [],
  carries: GCODE_FACTS,
  requireCarriable(job) {
    requireReachable(job);
    if (settings === "XML") requireFourChannels(job);
  },
  stream: (job) => cwsStream(job, settings),
});

function requireFourChannels({ printer }: JobFacts): void {
  const [columns] = layerImageSize(printer).pixels;
  if (columns <= MAX_RGBA_COLUMNS) return;
  throw operationFailed(
    `The layers of the ${printer.label} have ${columns} columns; .cws files with XML have at most ${MAX_RGBA_COLUMNS}: choose another kind ` +
      "of job for this printer.",
  );
}

function cwsStream(job: JobMetadata, settings: "CONF" | "XML"): JobStream<PackedContent> {
  const zip = new ZipWriter();
  const exposure = exposureOf(job);
  const name = cwsName(job.name);
  const count = jobLayerCount(job);
  const pictures = Array.from({ length: count }, (_, k) => pictureName(name, k, count));
  const blocks: string[] = [];
  const addText = (entry: string, text: string) =>
    zip.add({ name: entry, pieces: [new TextEncoder().encode(text)], compress: true });
  return {
    *begin() {
      if (settings === "CONF") {
        yield* addText("slice.conf", sliceConf(job));
      } else {
        yield* addText("manifest.xml", manifestXml(name, pictures));
        yield* addText(`${name}.slicing`, slicingXml(job));
      }
    },
    layer(index, layer, exposureS) {
      const heights = { belowMm: index === 0 ? 0 : job.boundariesMm[index], zMm: job.boundariesMm[index + 1] };
      blocks.push(...cwsLayer(exposure, index, heights, exposureS, settings === "CONF" ? "Delay" : "Takes"));
      return zip.addPacked(pictureName(name, index, count), layer);
    },
    end: () => ({
      chunks: (function* () {
        yield* addText(`${name}.gcode`, `${[...cwsHead(job), ...CWS_START, ...blocks, ...cwsEnd(job)].join("\n")}\n`);
        yield* zip.end();
      })(),
    }),
  };
}

/** Without a digit at its end: the numbers of the layers follow. */
const cwsName = (name: string): string => plainName(name).replace(/\d$/, "$&_");

/** As many digits as the number of layers has. */
const pictureName = (name: string, layer: number, count: number): string =>
  `${name}${String(layer).padStart(String(count).length, "0")}.png`;
