import { Buffer } from "node:buffer";
import { profileOf } from "../../catalog/profile.ts";
import { MM3_PER_ML } from "../../core/units.ts";
import { type GrowingFile, writeFileInSteps } from "../../core/write-file-in-steps.ts";
import type { JobFacts } from "../../format/job/job-facts.ts";
import type { JobStream, JobWriter } from "../../format/job/job-writer.ts";
import { JOB_WRITERS } from "../../format/job/job-writers.ts";
import type { Scene } from "../../scene/project.ts";
import { layerExposureS } from "../../slice/time/layer-exposure.ts";
import { layerCountOf, type LayerMeasures, measureOfLayer } from "../../slice/time/layer-measures.ts";
import { type PrintTime, printTime } from "../../slice/time/print-time.ts";
import type { Kit } from "../endpoint.ts";
import { drawnLayers, emptyMeasures, takeMeasures } from "./drawn-layers.ts";
import { jobFactsOf } from "./job-facts.ts";
import { stageOf } from "./stage-of.ts";

/** How long a written job prints, and of how much material. */
export interface WrittenJob {
  readonly time: PrintTime;
  readonly materialMl: number;
  readonly layerCount: number;
}

/** Slices a scene into the job archive of its printer at `path`: whole, or not at all. */
export async function writeJob(
  scene: Scene,
  job: Pick<JobFacts, "id" | "name">,
  path: string,
  kit: Kit,
): Promise<WrittenJob> {
  const writer: JobWriter = JOB_WRITERS[scene.setting.printerType.job];
  const stage = stageOf(scene, scene.models);
  const thumbnails = await kit.compute("renderThumbnails", { stage, sizes: writer.thumbnails });
  const stream = writer.stream(jobFactsOf(scene, { ...job, created: new Date(), thumbnails }));
  return writeFileInSteps(path, (file) => writeStream(file, stream, scene, kit), kit.throwIfCancelled);
}

/** Writes what the stream makes of a scene's layers as they come. */
async function writeStream(file: GrowingFile, stream: JobStream, scene: Scene, kit: Kit): Promise<WrittenJob> {
  const profile = profileOf(scene.setting);
  const measures = emptyMeasures(scene);
  const exposureS = (index: number): number =>
    profile.family === "resin" ? layerExposureS(profile, index, measureOfLayer(measures, index)) : 0;
  await file.append(Buffer.concat([...stream.begin()]));
  for await (const drawn of drawnLayers(scene, kit, scene.setting.printerType.job)) {
    takeMeasures(measures, drawn);
    const chunks = drawn.encoded.flatMap((layer, i) => {
      const index = drawn.first + i;
      return [...stream.layer(index, layer, exposureS(index))];
    });
    await file.append(Buffer.concat(chunks));
  }
  const time = printTime(profile, measures);
  const materialMl = materialMlOf(measures);
  const materialG = materialMl * profile.densityGPerMl;
  const { chunks, head } = stream.end({ printTimeS: time.totalS, materialMl, materialG });
  await file.append(Buffer.concat([...chunks]));
  if (head) await file.overwriteHead(head);
  return { time, materialMl, layerCount: layerCountOf(measures) };
}

/** Of the layers, so that what models share counts once. */
const materialMlOf = ({ boundariesMm, areasMm2 }: LayerMeasures): number =>
  areasMm2.reduce((sum, areaMm2, k) => sum + areaMm2 * (boundariesMm[k + 1] - boundariesMm[k]), 0) / MM3_PER_ML;
