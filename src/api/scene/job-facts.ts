import { materialOf } from "../../catalog/catalog.ts";
import { profileOf, type ResinProfile } from "../../catalog/profile.ts";
import type { JobExposure, JobFacts } from "../../format/job/job-facts.ts";
import { layersOf } from "../../scene/layers.ts";
import type { Scene } from "../../scene/project.ts";
import { layerExposureS } from "../../slice/time/layer-exposure.ts";

/** What a scene's job tells beside its layers. */
export function jobFactsOf(scene: Scene, job: Pick<JobFacts, "id" | "name" | "created" | "thumbnails">): JobFacts {
  const { printerType, combination } = scene.setting;
  const { volume, raster } = printerType;
  const { label, code } = materialOf(scene.setting);
  const profile = profileOf(scene.setting);
  const boundariesMm = layersOf(scene);
  return {
    ...job,
    printer: {
      label: printerType.label,
      machineType: printerType.machineType,
      volumeMm: volume.dimensionsMm,
      pixels: raster.pixels,
      pixelMm: raster.pixelMm,
      mirrorX: raster.mirrorX,
      portrait: raster.portrait,
    },
    material: { label, code },
    printSetting: combination.printSetting,
    shrinkageCorrection: [profile.correction.x, profile.correction.y, profile.correction.z],
    layerThicknessMm: combination.layerThicknessMm,
    boundariesMm,
    exposure: profile.family === "resin" ? exposureOf(profile, boundariesMm) : undefined,
    modelNames: scene.models.map(({ name }) => name),
  };
}

function exposureOf(profile: ResinProfile, boundariesMm: Float64Array): JobExposure {
  const { firstLayers, timeS } = profile;
  const plain = { thicknessMm: boundariesMm[1] ?? 0, areaMm2: 0, perimeterMm: 0 };
  return {
    firstS: layerExposureS(profile, 0, plain),
    normalS: layerExposureS(profile, firstLayers.count + firstLayers.fade, plain),
    firstLayers: firstLayers.count,
    fadingLayers: firstLayers.fade,
    waitBeforeLiftS: timeS.postExposureWait,
    liftS: timeS.separation,
    retractS: timeS.travel,
    waitAfterRetractS: timeS.wait,
  };
}
