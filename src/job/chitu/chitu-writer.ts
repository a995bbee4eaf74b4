import { Buffer } from "node:buffer";
import { operationFailed } from "../../core/api-error.ts";
import { type JobExposure, distanceMm, inOneStage, stagedMotion } from "../job-exposure.ts";
import {
  NO_TOTALS,
  type JobFacts,
  type JobMetadata,
  type JobStream,
  type JobTotals,
  type JobWriter,
  jobLayerCount,
} from "../job.ts";
import type { Field } from "../record.ts";
import { requireEqualLayers } from "../require-equal-layers.ts";
import {
  type ChituFile,
  HEADER_BYTES,
  LAYER_HEAD_BYTES,
  PARAMETER_BYTES,
  PREVIEW_BYTES,
  SLICER_BYTES,
  type WrittenLayer,
  carriedFacts,
  entryFields,
  headerFields,
  parameterFields,
  previewFields,
} from "./chitu-records.ts";
import { EXTENSION_BYTES, extensionFields, layerHeadFields, slicerFields } from "./ctb-records.ts";
import { maskLayer } from "./mask-layer.ts";
import { rgb15Runs } from "./rgb15-runs.ts";

/** Large and small preview. */
const THUMBNAILS = [
  { width: 400, height: 300 },
  { width: 200, height: 125 },
] as const;

/** Files of this family, by what differs between them. */
export type ChituKind = Pick<ChituFile, "isCtb" | "version" | "planes"> & Pick<JobWriter, "greyLevels">;

/** Writes Chitubox's `.ctb` (versions 2 to 4), `.cbddlp` and `.photon` (version 2). The pictures of a layer are its planes. */
export const chituWriter = (kind: ChituKind): JobWriter<readonly Uint8Array[]> => ({
  greyLevels: kind.greyLevels,
  thumbnails: THUMBNAILS,
  carries: carriedFacts(kind.version),
  requireCarriable(job) {
    requireEqualLayers(job);
    if (kind.version === 4) requireNotice(job);
  },
  stream: (job) => chituStream(kind, job),
});

function requireNotice({ ctbNotice, printer }: JobFacts): void {
  if (ctbNotice) return;
  throw operationFailed(
    `Files for the ${printer.label} contain a notice of the maker of their format, which this program does not have: start it with ` +
      "--ctb-notice-from FILE, which names any .ctb file of version 4 of another program, or choose a printer whose files have version " +
      "3, which machines for version 4 print as well.",
  );
}

function chituStream(kind: ChituKind, job: JobMetadata): JobStream<readonly Uint8Array[]> {
  if (job.exposure === undefined)
    throw new TypeError("A file for Chitubox's family of printers needs the exposure of a resin job.");
  const file: ChituFile = {
    ...kind,
    job,
    exposure: kind.version < 4 ? withOneRetraction(job.exposure) : withOneWait(job.exposure),
    key: kind.isCtb ? keyOf(job) : 0,
    previews: job.thumbnails.map((thumbnail) => ({ thumbnail, runs: rgb15Runs(thumbnail) })),
  };
  const noPlanes = Array.from({ length: kind.planes }, () => ({ address: 0, bytes: 0 }));
  const missing = Array.from({ length: jobLayerCount(job) }, () => ({ planes: noPlanes, exposureS: 0 }));
  const layers: WrittenLayer[] = [];
  const headBytes = kind.version < 3 ? 0 : LAYER_HEAD_BYTES;
  let end = 0;
  return {
    begin() {
      const head = fileHead(file, missing, NO_TOTALS);
      end = head.length;
      return [head];
    },
    layer(index, pictures, exposureS) {
      const planes = pictures.map((data) => {
        if (file.key !== 0) maskLayer(data, file.key, index);
        const address = end + headBytes;
        end = address + data.length;
        return { address, bytes: data.length };
      });
      const layer = { planes, exposureS };
      layers.push(layer);
      return [...(headBytes > 0 ? layerHeadFields(file, layer, index) : []), ...pictures];
    },
    end: (totals) => ({ chunks: [], head: fileHead(file, layers, totals) }),
  };
}

/** The file has one speed of retractions: first layers, whose lifts may have another distance, return at that of the others. */
function withOneRetraction(exposure: JobExposure): JobExposure {
  const { mmPerMin } = inOneStage(exposure.normalCycle.retract);
  const retract = stagedMotion({ mm: distanceMm(exposure.firstCycle.lift), mmPerMin });
  return { ...exposure, firstCycle: { ...exposure.firstCycle, retract } };
}

/** The file states waits once for all layers. */
function withOneWait(exposure: JobExposure): JobExposure {
  const { lift, retract, light } = exposure.firstCycle;
  return { ...exposure, firstCycle: { ...exposure.normalCycle, lift, retract, light } };
}

/** A key from the id of the job: never 0, with which some firmware refuses a file (uv3dp, issue 41). */
const keyOf = ({ id }: JobMetadata): number => Number.parseInt(id.slice(0, 8), 16) || 1;

/** Everything before the layers. Its size depends on the number of layers, the thumbnails and texts alone. */
function fileHead(file: ChituFile, layers: readonly WrittenLayer[], totals: JobTotals): Uint8Array {
  const name = new TextEncoder().encode(file.job.printer.nameInJobs);
  const notice = file.job.ctbNotice ?? new Uint8Array();
  let end = HEADER_BYTES;
  const place = (bytes: number): number => (end += bytes) - bytes;
  const [largeAt, smallAt] = file.previews.map(({ runs }) => place(PREVIEW_BYTES + runs.length));
  const parametersAt = place(PARAMETER_BYTES);
  const slicerAt = file.isCtb ? place(SLICER_BYTES) : 0;
  const nameAt = place(file.isCtb ? name.length : 0);
  const noticeAt = place(file.version === 4 ? notice.length : 0);
  const extensionAt = file.version === 4 ? place(EXTENSION_BYTES) : 0;
  const addresses = { largeAt, smallAt, parametersAt, slicerAt, layersAt: end };
  return Buffer.concat([
    ...headerFields(file, layers.length, totals, addresses),
    ...previewFields(file, 0, largeAt),
    ...previewFields(file, 1, smallAt),
    ...parameterFields(file, totals),
    ...(slicerAt > 0 ? [...slicerFields(file, nameAt, name.length, extensionAt), name] : []),
    ...(extensionAt > 0 ? [notice, ...extensionFields(file, noticeAt, notice.length)] : []),
    ...entries(file, layers),
  ]);
}

/** The table of layers, plane by plane. */
const entries = (file: ChituFile, layers: readonly WrittenLayer[]): Field[] =>
  Array.from({ length: file.planes }, (_, plane) =>
    layers.flatMap((layer, index) => entryFields(file, layer, index, plane)),
  ).flat();
