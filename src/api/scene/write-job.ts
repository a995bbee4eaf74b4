import { Buffer } from "node:buffer";
import { type Profile, profileOf } from "../../catalog/profile.ts";
import { MM3_PER_ML } from "../../core/units.ts";
import { writeFileInSteps } from "../../core/write-file-in-steps.ts";
import type { JobFacts, JobTotals } from "../../format/job/job-facts.ts";
import type { JobWriter } from "../../format/job/job-writer.ts";
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
  const format = scene.setting.printerType.job;
  const writer: JobWriter = JOB_WRITERS[format];
  const profile = profileOf(scene.setting);
  const stage = stageOf(scene, scene.models);
  const thumbnails = await kit.compute("renderThumbnails", { stage, sizes: writer.thumbnails });
  const facts = jobFactsOf(scene, { ...job, created: new Date(), thumbnails });
  const measures = emptyMeasures(scene);
  const stream = writer.stream(facts);
  const write = async (append: (bytes: Uint8Array) => Promise<void>): Promise<Uint8Array | undefined> => {
    await append(Buffer.concat([...stream.begin()]));
    for await (const drawn of drawnLayers(scene, kit, format)) {
      takeMeasures(measures, drawn);
      const chunks = drawn.encoded.flatMap((layer, i) => {
        const index = drawn.first + i;
        if (facts.exposure) facts.exposure.layerS[index] = exposureOf(profile, measures, index);
        return [...stream.layer(index, layer)];
      });
      await append(Buffer.concat(chunks));
    }
    const { chunks, head } = stream.end(totalsOf(profile, measures));
    await append(Buffer.concat([...chunks]));
    return head;
  };
  await writeFileInSteps(
    path,
    async (file) => {
      const head = await write(file.append);
      if (head) await file.overwriteHead(head);
    },
    kit.throwIfCancelled,
  );
  return { time: printTime(profile, measures), materialMl: materialMlOf(measures), layerCount: layerCountOf(measures) };
}

function exposureOf(profile: Profile, measures: LayerMeasures, index: number): number {
  return profile.family === "resin" ? layerExposureS(profile, index, measureOfLayer(measures, index)) : 0;
}

const totalsOf = (profile: Profile, measures: LayerMeasures): JobTotals => ({
  printTimeS: printTime(profile, measures).totalS,
  materialMl: materialMlOf(measures),
  materialG: materialMlOf(measures) * profile.densityGPerMl,
});

/** Of the layers, so that what models share counts once. */
const materialMlOf = ({ boundariesMm, areasMm2 }: LayerMeasures): number =>
  areasMm2.reduce((sum, areaMm2, k) => sum + areaMm2 * (boundariesMm[k + 1] - boundariesMm[k]), 0) / MM3_PER_ML;
