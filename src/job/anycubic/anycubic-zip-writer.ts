import { type PackedContent, ZipWriter, deflated } from "../../codec/zip-writer.ts";
import { operationFailed } from "../../core/api-error.ts";
import { VERSION } from "../../core/version.ts";
import {
  NO_TOTALS,
  type JobFacts,
  type JobMetadata,
  type JobStream,
  type JobTotals,
  type JobWriter,
  jobLayerCount,
} from "../job.ts";
import { type JobExposure, cycleOf } from "../job-exposure.ts";
import type { CarriedFact } from "../losses.ts";
import { requireEqualLayers } from "../require-equal-layers.ts";
import type { ZipLayer } from "./encode-zip-layer.ts";
import { type Json, decimal, jsonText, paddedObject } from "./json-text.ts";
import type { LayerShape } from "./layer-shape.ts";
import { layerVolumes, sceneSlice } from "./scene-slice.ts";
import { CURRENCY, liftOf } from "./tables.ts";
import { ZIP_MACHINES, type ZipMachine, zipMachineOf } from "./zip-machines.ts";
import { ZIP_PREVIEWS, zipSettings } from "./zip-settings.ts";

// The zip archives of Anycubic's printers since 2024, with the entries of the maker's slicer in its order. Exposures of layers and totals come
// before the layers: their texts have a fixed size, and are replaced at the end.

export const ZIP_CARRIED: readonly CarriedFact[] = [
  "MOTIONS",
  "STAGES",
  "FIRST_LIFT",
  "FIRST_RETRACT",
  "WAIT_BEFORE_LIFT",
  "WAIT_AFTER_LIFT",
  "WAIT_AFTER_RETRACT",
  "FIRST_WAITS",
];

export const anycubicZipWriter: JobWriter<ZipLayer> = {
  greyLevels: 16,
  thumbnails: ZIP_PREVIEWS,
  carries: ZIP_CARRIED,
  requireCarriable(job) {
    requireEqualLayers(job);
    requireMachine(job);
  },
  stream: anycubicZipStream,
};

/** What jobs state about the machine. Throws OPERATION_FAILED for a machine of which it is not known. */
function requireMachine({ printer }: JobFacts): ZipMachine {
  const machine = zipMachineOf(printer.nameInJobs);
  if (machine) return machine;
  const known = ZIP_MACHINES.map(({ name }) => name).join(", ");
  throw operationFailed(
    `Jobs for the ${printer.label} would describe a machine "${printer.nameInJobs}", of which not enough is known. Give it the machine_name of one of ` +
      `these: ${known}.`,
  );
}

function anycubicZipStream(job: JobMetadata): JobStream<ZipLayer> {
  const { exposure } = job;
  if (exposure === undefined) throw new TypeError("A job for a printer of Anycubic needs the exposure of a resin job.");
  const machine = requireMachine(job);
  const zip = new ZipWriter();
  const exposuresS = new Float64Array(jobLayerCount(job));
  const shapes: LayerShape[] = [];
  const textsOf = (totals: JobTotals): HeadTexts => ({
    settings: jsonText(zipSettings(job, exposure, machine, totals)),
    printInfo: jsonText(printInfo(job, totals)),
    layers: jsonText(layersController(job, exposure, exposuresS)),
  });
  const first = textsOf(NO_TOTALS);
  const sizes = {
    settings: first.settings.length + ROOM_PER_NUMBER,
    printInfo: first.printInfo.length + TOTALS_IN_INFO * ROOM_PER_NUMBER,
    layers: first.layers.length + exposuresS.length * ROOM_PER_NUMBER,
  };
  return {
    *begin() {
      for (const [name, content] of headEntries(job, first, sizes)) yield* zip.addPacked(name, content);
    },
    layer(index, { picture, shape }, exposureS) {
      exposuresS[index] = exposureS;
      shapes.push(shape);
      return zip.addPacked(`layer_images/layer_${index}.pw0Img`, picture);
    },
    end: (totals) => ({
      head: zip.replaceFirst(headEntries(job, textsOf(totals), sizes)),
      chunks: (function* () {
        yield* zip.add({ name: "calc_layer_volumes.data", pieces: [layerVolumes(job, shapes)], compress: true });
        yield* zip.add({ name: "scene.slice", pieces: [sceneSlice(job, shapes)], compress: true });
        yield* zip.end();
      })(),
    }),
  };
}

/** The texts that have facts of the whole job, whose numbers are 0.0 at first. */
interface HeadTexts<Value = string> {
  readonly settings: Value;
  readonly printInfo: Value;
  readonly layers: Value;
}

/** Room for the other digits of a number that is 0.0 at first. */
const ROOM_PER_NUMBER = 12;
const TOTALS_IN_INFO = 6;

type Entry = readonly [name: string, content: PackedContent];

function headEntries({ thumbnails }: JobMetadata, texts: HeadTexts, sizes: HeadTexts<number>): Entry[] {
  const padded = (name: string, key: keyof HeadTexts): Entry => textEntry(name, paddedObject(texts[key], sizes[key]));
  return [
    padded("anycubic_photon_resins.pwsp", "settings"),
    padded("print_info.json", "printInfo"),
    textEntry("software_info.conf", jsonText(SOFTWARE_INFO)),
    ...thumbnails.map(({ png }, k): Entry => [`preview_images/preview_${k}.png`, deflated(png, NO_COMPRESSION)]),
    padded("layers_controller.conf", "layers"),
    textEntry("lcd_function.json", jsonText(LCD_FUNCTION)),
  ];
}

/** The deflated size depends on the size of the content alone. */
const NO_COMPRESSION = 0;

const textEntry = (name: string, text: string): Entry => [
  name,
  deflated([new TextEncoder().encode(text)], NO_COMPRESSION),
];

function layersController(job: JobMetadata, exposure: JobExposure, exposuresS: Float64Array): Json {
  const { boundariesMm } = job;
  const paras = Array.from(exposuresS, (exposureS, k): Json => {
    const { liftMm, up } = liftOf(cycleOf(exposure, k));
    return {
      exposure_time: decimal(exposureS),
      layer_index: k,
      layer_minheight: decimal(boundariesMm[k]),
      layer_thickness: decimal(boundariesMm[k + 1] - boundariesMm[k]),
      zup_height: decimal(liftMm),
      zup_speed: decimal(up),
    };
  });
  return { count: paras.length, paras };
}

function printInfo(job: JobMetadata, totals: JobTotals): Json {
  const [count, time, volume, weight] = [
    jobLayerCount(job),
    decimal(totals.printTimeS),
    decimal(totals.materialMl),
    decimal(totals.materialG),
  ];
  return {
    model_layers_count: count,
    cost: NO_COST,
    currency: CURRENCY,
    print_time: time,
    volume,
    weight,
    sub_estimated_infos: [
      {
        model_layers_count: count,
        estimated_cost: NO_COST,
        estimated_cost_currency: CURRENCY,
        estimated_time: time,
        estimated_volume: volume,
        estimated_weight: weight,
      },
    ],
  };
}

const NO_COST = decimal(0);

const SOFTWARE_INFO: Json = { mark: "Printwright", opengl: "3.3-CoreProfile", os: "any", version: VERSION };

const LCD_FUNCTION: Json = {
  models_processed_info: {
    models: [],
    scene_models_from: 0,
    slice_paras_process: 1,
    software_version: `Printwright ${VERSION}`,
  },
  rerf_function: {
    enable: false,
    model_name: "",
    model_type: 1,
    partition_exposure_array: [],
    partition_num: 0,
  },
};
