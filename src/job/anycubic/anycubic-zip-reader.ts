import * as v from "valibot";
import type { Vec3 } from "../../geometry/vector.ts";
import { UNSTATED_CYCLE } from "../exposures-of-layers.ts";
import { type JobCycle, type JobExposure } from "../job-exposure.ts";
import type { JobReader, ReadJob } from "../job-reader.ts";
import { requireLayerCount, requirePixels } from "../plausible-counts.ts";
import { RunsBuilder } from "../runs-builder.ts";
import { JobArchive, isZip } from "../zipped/job-archive.ts";
import { ZIP_CARRIED } from "./anycubic-zip-writer.ts";
import { decodePw0Layer } from "./decode-pw0-layer.ts";
import { zeroEnded } from "./file-mark.ts";
import { SCENE_MAGIC } from "./scene-slice.ts";
import { ZIP_MACHINES } from "./zip-machines.ts";
import { type Zones, motionsOf } from "./zones.ts";

/** Anycubic's zip archives with pictures of layers, of this and other programs. Only settings, layers and pictures must be there. */
export const anycubicZipReader: JobReader = {
  name: "Anycubic zip archive",
  recognises: (head, extension) =>
    isZip(
      head,
      extension,
      ZIP_MACHINES.map(({ suffix }) => `.${suffix}`),
    ),
  open: (source) => JobArchive.open(source, (archive) => readZip(archive, source.size)),
};

const number = v.pipe(v.number(), v.finite());
const count = v.pipe(number, v.minValue(0));
const zoneSchema = v.object({ height: count, up_speed: count, down_speed: count });

const resinSchema = v.object({
  property: v.optional(v.object({ name: v.optional(v.string()), resin_name: v.optional(v.string()) }), {}),
  slice_extpara: v.optional(
    v.object({
      multi_state_used: v.optional(number, 0),
      transition_layercount: v.optional(count, 0),
      multi_state_paras: v.optional(
        v.object({ bott_0: zoneSchema, bott_1: zoneSchema, normal_0: zoneSchema, normal_1: zoneSchema }),
      ),
    }),
    {},
  ),
  slicepara: v.object({
    bott_layers: count,
    bott_time: count,
    exposure_time: count,
    off_time: v.optional(count, 0),
    zup_height: v.optional(count, 0),
    zup_speed: v.optional(count, 0),
    zdown_speed: v.optional(count, 0),
    wait_before_lift: v.optional(count, 0),
    wait_after_lift: v.optional(count, 0),
    bott_off_time: v.optional(count),
    bott_wait_before_lift: v.optional(count),
    bott_wait_after_lift: v.optional(count),
  }),
});

type Resin = v.InferOutput<typeof resinSchema>;

const settingsSchema = v.object({
  version: v.optional(v.string(), "unknown"),
  machine_type: v.object({
    name: v.optional(v.string()),
    res_x: number,
    res_y: number,
    xy_pixel: v.optional(number),
    xy_pixel_y: v.optional(number),
    print_xsize: v.optional(number),
    print_ysize: v.optional(number),
    print_zsize: v.optional(number),
  }),
  machine_extern: v.object({
    factory_resins: v.optional(v.array(resinSchema), []),
    user_resins: v.optional(v.array(resinSchema), []),
    active_resins: v.optional(v.array(v.string()), []),
  }),
});

const layersSchema = v.object({
  paras: v.array(
    v.object({
      exposure_time: count,
      layer_index: v.optional(count),
      layer_minheight: count,
      layer_thickness: count,
      zup_height: v.optional(count),
      zup_speed: v.optional(count),
    }),
  ),
});

type LayerParameters = v.InferOutput<typeof layersSchema>["paras"][number];

const infoSchema = v.object({
  print_time: v.optional(count),
  volume: v.optional(count),
  weight: v.optional(count),
});

const SETTINGS = "anycubic_photon_resins.pwsp";
const LAYERS = "layers_controller.conf";
const INFO = "print_info.json";
const PREVIEWS = [0, 1, 2].map((k) => `preview_images/preview_${k}.png`);
const MAX_BYTES_PER_LAYER = 1024;
/** A file in a zip archive has at least the bytes of its two headers. */
const ENTRY_BYTES = 76;

async function readZip(archive: JobArchive, fileBytes: number): Promise<ReadJob> {
  const { refuse } = archive;
  const settings = await archive.json(SETTINGS, settingsSchema);
  const { version, machine_type: machine, machine_extern: resins } = settings;
  const layersBytes = MAX_BYTES_PER_LAYER * archive.names.length;
  const { paras: layers } = await archive.json(LAYERS, layersSchema, layersBytes);
  requireLayerCount(layers.length, ENTRY_BYTES, fileBytes, refuse);
  const info = archive.has(INFO) ? await archive.json(INFO, infoSchema) : {};
  const pixels = requirePixels([machine.res_x, machine.res_y], refuse);
  const names = layers.map(({ layer_index }, k) => pictureName(archive, layer_index ?? k));
  const resin = activeResin(resins);
  const pixelCount = pixels[0] * pixels[1];
  const builder = new RunsBuilder(...pixels, refuse);
  const { xy_pixel: pixelUm, xy_pixel_y: pixelYUm = pixelUm } = machine;
  return {
    version,
    program: await readProgram(archive),
    printerName: machine.name,
    pixels,
    pixelMm: pixelUm && pixelYUm ? [pixelUm / 1000, pixelYUm / 1000] : undefined,
    volumeMm: volumeOf(machine.print_xsize, machine.print_ysize, machine.print_zsize),
    material: resin?.property.resin_name,
    boundariesMm: boundariesOf(layers, archive),
    exposuresS: Float64Array.from(layers, ({ exposure_time }) => exposure_time),
    exposure: resin && exposureOf(resin, layers),
    states: resin ? ZIP_CARRIED : [],
    totals: {
      ...(info.print_time !== undefined && { printTimeS: info.print_time }),
      ...(info.volume !== undefined && { materialMl: info.volume }),
      ...(info.weight !== undefined && { materialG: info.weight }),
    },
    ...(await archive.pictures(PREVIEWS)),
    // Two bytes for a pixel, and a checksum of older programs.
    layer: async (index) =>
      decodePw0Layer(await archive.bytes(names[index], 2 * pixelCount + 1024), pixelCount, builder),
    close: () => archive.close(),
  };
}

function pictureName(archive: JobArchive, index: number): string {
  const name = `layer_images/layer_${index}.pw0Img`;
  if (archive.has(name)) return name;
  if (archive.has(`layer_images/layer_${index}.pwszImg`)) {
    throw archive.refuse(
      "its layers are outlines (.pwszImg), which is not supported; slice it with anti-aliasing, so that they are pictures (.pw0Img)",
    );
  }
  throw archive.refuse(`${name} is missing inside it; slice the job again`);
}

/** The software that the summary of the layers names; otherwise that of `software_info.conf`, where programs also name the maker's. */
async function readProgram(archive: JobArchive): Promise<string | undefined> {
  const scene = archive.has("scene.slice") ? await archive.start("scene.slice", 80) : new Uint8Array();
  const name = zeroEnded(scene.subarray(0, 16)) === SCENE_MAGIC ? zeroEnded(scene.subarray(16)) : "";
  if (name !== "") return name;
  if (!archive.has("software_info.conf")) return undefined;
  const { mark, version } = await archive.json("software_info.conf", softwareSchema);
  return [mark, version].filter(Boolean).join(" ") || undefined;
}

const softwareSchema = v.object({ mark: v.optional(v.string()), version: v.optional(v.string()) });

const volumeOf = (x = 0, y = 0, z = 0): Vec3 | undefined => (x > 0 && y > 0 && z > 0 ? [x, y, z] : undefined);

function boundariesOf(layers: readonly LayerParameters[], { refuse }: JobArchive): Float64Array {
  const boundariesMm = Float64Array.from([
    layers[0].layer_minheight,
    ...layers.map(({ layer_minheight, layer_thickness }) => layer_minheight + layer_thickness),
  ]);
  const fallen = layers.findIndex((_, k) => boundariesMm[k + 1] < boundariesMm[k]);
  if (fallen >= 0) throw refuse(`its layer ${fallen} is below the one before: it is damaged; slice the job again`);
  return boundariesMm;
}

/** The resin of the job: the active one, or the first one. */
function activeResin({
  factory_resins,
  user_resins,
  active_resins,
}: v.InferOutput<typeof settingsSchema>["machine_extern"]) {
  const resins = [...user_resins, ...factory_resins];
  return resins.find(({ property }) => property.name === active_resins[0]) ?? resins[0];
}

/** Without motions in two zones, those of the resin count, with the lift of the first layer for the first layers. */
function exposureOf({ slice_extpara: extras, slicepara }: Resin, layers: readonly LayerParameters[]): JobExposure {
  const { zup_height: mm, zup_speed: upMmPerS, zdown_speed: downMmPerS } = slicepara;
  const [{ zup_height: firstMm = mm, zup_speed: firstUpMmPerS = upMmPerS }] = layers;
  const zones = extras.multi_state_used === 1 ? extras.multi_state_paras : undefined;
  const [first, normal]: Zones[] = zones
    ? [zonesFrom(zones.bott_0, zones.bott_1), zonesFrom(zones.normal_0, zones.normal_1)]
    : [
        [{ mm: firstMm, upMmPerS: firstUpMmPerS, downMmPerS }, NO_ZONE],
        [{ mm, upMmPerS, downMmPerS }, NO_ZONE],
      ];
  const normalCycle: JobCycle = {
    ...UNSTATED_CYCLE,
    ...motionsOf(normal),
    waitBeforeLiftS: slicepara.wait_before_lift,
    waitAfterLiftS: slicepara.wait_after_lift,
    waitAfterRetractS: slicepara.off_time,
  };
  return {
    firstS: slicepara.bott_time,
    normalS: slicepara.exposure_time,
    firstLayers: Math.max(1, Math.min(layers.length, Math.round(slicepara.bott_layers))),
    fadingLayers: Math.min(layers.length, Math.round(extras.transition_layercount)),
    firstCycle: {
      ...normalCycle,
      ...motionsOf(first),
      waitBeforeLiftS: slicepara.bott_wait_before_lift ?? normalCycle.waitBeforeLiftS,
      waitAfterLiftS: slicepara.bott_wait_after_lift ?? normalCycle.waitAfterLiftS,
      waitAfterRetractS: slicepara.bott_off_time ?? normalCycle.waitAfterRetractS,
    },
    normalCycle,
  };
}

const NO_ZONE = { mm: 0, upMmPerS: 0, downMmPerS: 0 };

type ZoneJson = v.InferOutput<typeof zoneSchema>;

const zonesFrom = (...zones: readonly [ZoneJson, ZoneJson]): Zones => {
  const [near, above] = zones.map(({ height: mm, up_speed: upMmPerS, down_speed: downMmPerS }) => ({
    mm,
    upMmPerS,
    downMmPerS,
  }));
  return [near, above];
};
