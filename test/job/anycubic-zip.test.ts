import assert from "node:assert/strict";
import { test } from "node:test";
import { unzipSync, zipSync } from "fflate";
import { JOB_WRITERS } from "../../src/job/job-writers.ts";
import { type JobExposure, stagedMotion } from "../../src/job/job-exposure.ts";
import { openJob } from "../../src/job/job-readers.ts";
import type { JobMetadata } from "../../src/job/job.ts";
import { numberKinds, readAnycubicZip } from "../fixture/job/read-anycubic-zip.ts";
import { CYCLE, TOTALS, archiveOf, plainThumbnail, someJob } from "../fixture/job/some-job.ts";
import { painted, ring } from "../fixture/job/some-layers.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const fileAt = temporaryFiles();
const layers = Array.from({ length: 6 }, (_, k) => ring(120, 90, 40 - 2 * k, 20));
const thumbnails = JOB_WRITERS["anycubic-zip"].thumbnails.map(({ width, height }) =>
  plainThumbnail(width, height, [9, 9, 9, 255]),
);
const { printer } = someJob(layers);
const m7Pro = { ...printer, nameInJobs: "Photon Mono M7 Pro" };

const exposure: JobExposure = {
  firstS: 30,
  normalS: 2.5,
  firstLayers: 2,
  fadingLayers: 3,
  firstCycle: { ...CYCLE, waitBeforeLiftS: 1, waitAfterLiftS: 2, waitAfterRetractS: 3 },
  normalCycle: {
    ...CYCLE,
    waitBeforeLiftS: 4,
    lift: stagedMotion({ mm: 2, mmPerMin: 60 }, { mm: 6, mmPerMin: 180 }),
    waitAfterLiftS: 5,
    retract: stagedMotion({ mm: 6, mmPerMin: 240 }, { mm: 2, mmPerMin: 48 }),
    waitAfterRetractS: 6,
  },
};

const fileOf = (changes: Partial<JobMetadata> = {}, pictures = layers): Uint8Array =>
  archiveOf("anycubic-zip", someJob(pictures, { thumbnails, printer: m7Pro, exposure, ...changes }), pictures);
const zip = (changes: Partial<JobMetadata> = {}, pictures = layers) => readAnycubicZip(fileOf(changes, pictures));
const rounded = (values: readonly number[]): number[] => values.map((value) => Math.round(value * 1e4) / 1e4);

test("the entries are those of the maker's slicer, in its order, and their headers are right", () => {
  const pictures = layers.map((_, k) => `layer_images/layer_${k}.pw0Img`);
  const names = [
    "anycubic_photon_resins.pwsp",
    "print_info.json",
    "software_info.conf",
    "preview_images/preview_0.png",
    "preview_images/preview_1.png",
    "preview_images/preview_2.png",
    "layers_controller.conf",
    "lcd_function.json",
    ...pictures,
    "calc_layer_volumes.data",
    "scene.slice",
  ];
  const file = fileOf();
  assert.deepEqual(readAnycubicZip(file).names, names);
  assert.deepEqual(Object.keys(unzipSync(file)), names);
});

test("decoded layers are the originals in 16 levels, with exposures, heights and lifts", () => {
  const { pictures, layers: controller } = zip();
  for (const [k, { pixels }] of layers.entries()) {
    assert.deepEqual(
      pictures[k].pixels,
      pixels.map((value) => 17 * Math.round(value / 17)),
    );
  }
  assert.equal(controller.count, 6);
  assert.deepEqual(controller.paras[0], {
    exposure_time: 30,
    layer_index: 0,
    layer_minheight: 0,
    layer_thickness: 0.05,
    zup_height: 7,
    zup_speed: 2,
  });
  assert.deepEqual(
    controller.paras.map(({ exposure_time }) => exposure_time),
    [30, 29, 28, 27, 26, 25],
  );
  assert.deepEqual(
    controller.paras.map(({ layer_minheight }) => layer_minheight),
    [0, 0.05, 0.1, 0.15, 0.2, 0.25],
  );
  assert.deepEqual([controller.paras[2].zup_height, controller.paras[2].zup_speed], [8, 2]);
});

test("the settings describe the machine and the resin", () => {
  const { settings } = zip();
  const { machine_type: machine, machine_extern: extern } = settings;
  assert.deepEqual(
    [machine.name, machine.key_suffix, machine.max_file_version, machine.rotate_z, machine.raster_segments_capacity],
    ["Anycubic Photon Mono M7 Pro", "pwsz", 518, 0, 100_000],
  );
  assert.deepEqual([machine.res_x, machine.res_y, machine.xy_pixel, machine.xy_pixel_y], [120, 90, 19, 24]);
  assert.deepEqual([machine.print_xsize, machine.print_ysize, machine.print_zsize], [223.642, 126.48, 220]);
  assert.deepEqual(machine.child_screen, [{ x: 0, y: 0, width: 120, height: 90 }]);
  const [resin] = extern.user_resins;
  assert.deepEqual(extern.active_resins, [resin.property.name]);
  assert.deepEqual([resin.property.name, resin.property.resin_name], ["Generic@Grey V5@ACF@DEFAULT", "Grey V5"]);
  assert.equal(resin.property.density, Math.round((1e6 * TOTALS.materialG) / TOTALS.materialMl) / 1e6);
});

test("lifts have two zones, the slow one next to the film first, and waits are those of first and other layers", () => {
  const [resin] = zip().settings.machine_extern.user_resins;
  const { multi_state_used, transition_layercount, multi_state_paras } = resin.slice_extpara;
  assert.deepEqual([multi_state_used, transition_layercount], [1, 3]);
  assert.deepEqual(multi_state_paras, {
    bott_0: { height: 7, up_speed: 2, down_speed: 4 },
    bott_1: { height: 0, up_speed: 2, down_speed: 4 },
    normal_0: { height: 2, up_speed: 1, down_speed: 0.8 },
    normal_1: { height: 6, up_speed: 3, down_speed: 4 },
  });
  assert.deepEqual(resin.slicepara, {
    anti_count: 1,
    blur_level: 0,
    bott_layers: 2,
    bott_time: 30,
    exposure_time: 2.5,
    gray_level: 0,
    off_time: 6,
    use_indivi_layerpara: 0,
    use_random_erode: 0,
    zthick: 0.05,
    zup_height: 8,
    zup_speed: 2,
    zdown_speed: 2,
    bott_off_time: 3,
    bott_wait_before_lift: 1,
    bott_wait_after_lift: 2,
    wait_before_lift: 4,
    wait_after_lift: 5,
  });
  const plain = { ...exposure, normalCycle: CYCLE, firstCycle: CYCLE };
  assert.equal(zip({ exposure: plain }).settings.machine_extern.user_resins[0].slice_extpara.multi_state_used, 0);
});

test("numbers that machines read as decimal ones have a decimal point, counts have none", () => {
  const { text } = zip();
  const decimal = "decimal";
  const whole = "whole";
  const layersKinds = numberKinds(text("layers_controller.conf")) as { count: string; paras: object[] };
  assert.equal(layersKinds.count, whole);
  assert.deepEqual(layersKinds.paras[0], {
    exposure_time: decimal,
    layer_index: whole,
    layer_minheight: decimal,
    layer_thickness: decimal,
    zup_height: decimal,
    zup_speed: decimal,
  });
  const { machine_type: machine, machine_extern: extern } = numberKinds(text("anycubic_photon_resins.pwsp")) as {
    machine_type: Record<string, unknown>;
    machine_extern: { user_resins: { slicepara: Record<string, string>; property: Record<string, string> }[] };
  };
  const kindOf = (name: string): unknown => machine[name];
  const decimals = ["xy_pixel", "xy_pixel_y", "rotate_z", "print_xsize", "print_ysize", "print_zsize"];
  const wholes = ["res_x", "res_y", "max_samples", "property", "max_file_version", "raster_segments_capacity"];
  assert.deepEqual(new Set(decimals.map(kindOf)), new Set([decimal]));
  assert.deepEqual(new Set(wholes.map(kindOf)), new Set([whole]));
  const [{ slicepara, property }] = extern.user_resins;
  const times = ["bott_time", "exposure_time", "off_time", "zthick", "zup_height", "zup_speed", "zdown_speed"];
  assert.deepEqual(new Set(times.map((name) => slicepara[name])), new Set([decimal]));
  assert.deepEqual([slicepara.bott_layers, slicepara.anti_count, property.density], [whole, whole, decimal]);
  const info = numberKinds(text("print_info.json")) as Record<string, unknown>;
  assert.deepEqual([info.model_layers_count, info.volume, info.weight, info.cost], [whole, decimal, decimal, decimal]);
});

test("totals and exposures with many digits fit into the room that precedes the layers", () => {
  const pictures = layers.slice(0, 1);
  const job = someJob(pictures, { thumbnails, printer: m7Pro, exposure });
  const stream = JOB_WRITERS["anycubic-zip"].stream(job);
  const began = Buffer.concat([...stream.begin()]);
  const layer = {
    picture: { method: 8, pieces: [], crc: 0, size: 0 },
    shape: { areaPixels: 0, largestPixels: 0, contours: 0, box: { left: 0, top: 0, right: 0, bottom: 0 } },
  } as const;
  assert.ok(Buffer.concat([...stream.layer(0, layer, 123_456.789_012)]).length > 0);
  const { head } = stream.end({ printTimeS: 98_765_432.123_456, materialMl: 12_345.678_901, materialG: 7.000_001 });
  assert.equal(head?.length, began.length);
});

test("scene.slice and the volumes describe what the layers show", () => {
  const spot = painted(100, 50, (x, y) => Number(x >= 60 && x < 80 && y >= 5 && y < 15) * 255);
  const pictures = [spot, ...Array.from({ length: 4 }, () => spot), painted(100, 50, () => 0)];
  const { scene, volumes } = zip({ printer: { ...m7Pro, pixels: [100, 50] } }, pictures);
  assert.match(scene.software, /^Printwright \d/);
  const mirroredBox = [-30 * 0.019, 10 * 0.024, -10 * 0.019, 20 * 0.024];
  const areaMm2 = 200 * 0.019 * 0.024;
  assert.deepEqual(
    rounded(scene.box),
    rounded([mirroredBox[0], mirroredBox[1], 0, mirroredBox[2], mirroredBox[3], 0.3]),
  );
  assert.deepEqual(
    rounded([scene.layers[1].zMm, scene.layers[1].areaMm2, scene.layers[1].largestMm2]),
    rounded([0.075, areaMm2, areaMm2]),
  );
  assert.deepEqual(rounded(scene.layers[1].box), rounded(mirroredBox));
  assert.deepEqual(
    scene.layers.map(({ contours }) => contours),
    [1, 1, 1, 1, 1, 0],
  );
  assert.deepEqual(
    volumes.map(({ layer }) => layer),
    [0, 3],
  );
  assert.deepEqual(
    volumes.flatMap(({ zMm, thicknessMm, volumeMm3 }) => rounded([zMm, thicknessMm, volumeMm3])),
    rounded([0, 0.2, 0.2 * areaMm2, 0.2, 0.1, 0.05 * areaMm2]),
  );
});

test("a machine of which not enough is known is refused, with the way out", () => {
  const job = someJob(layers, { printer: { ...printer, label: "My M9", nameInJobs: "Photon M9" } });
  assert.throws(() => JOB_WRITERS["anycubic-zip"].requireCarriable?.(job), {
    code: "OPERATION_FAILED",
    message: /for the My M9 would describe .* "Photon M9".*machine_name of one of these: Anycubic Photon Mono M7, /,
  });
  const p1 = { ...printer, nameInJobs: "Anycubic Photon P1" };
  const { machine_type: machine } = zip({ printer: p1 }).settings;
  assert.deepEqual([machine.key_suffix, machine.max_file_version, machine.print_xsize], ["pp1", 519, 218.88]);
});

/** A file as other programs write it: other order, other keys, no summaries. */
const othersFile = (changes: Record<string, string | undefined> = {}): Uint8Array => {
  const resin = {
    version: "9",
    property: { name: "a@b@c@d", resin_name: "b" },
    slicepara: {
      bott_layers: 4,
      bott_time: 25,
      exposure_time: 1.8,
      off_time: 0.5,
      zup_height: 4,
      zup_speed: 3,
      zdown_speed: 3,
      later: [1],
    },
  };
  const texts: Record<string, string | undefined> = {
    "layers_controller.conf": JSON.stringify({
      paras: [0, 1].map((k) => ({
        exposure_time: 25 - k,
        layer_index: k,
        layer_minheight: 0.05 * k,
        layer_thickness: 0.05,
        zup_height: 5,
        zup_speed: 1,
      })),
    }),
    "layer_images/layer_0.pw0Img": "\u00f0\u0006\u0000",
    "layer_images/layer_1.pw0Img": "\u0000\u0006??",
    "anycubic_photon_resins.pwsp": JSON.stringify({
      machine_type: { name: "Anycubic Photon M8", res_x: 3, res_y: 2, xy_pixel: 40 },
      machine_extern: { user_resins: [], factory_resins: [resin], active_resins: ["other"] },
    }),
    "software_info.conf": JSON.stringify({ mark: "UVtools", Version: "7.0" }),
    ...changes,
  };
  const files = Object.entries(texts).flatMap(([name, content]) =>
    content === undefined ? [] : [[name, Buffer.from(content, "latin1")] as const],
  );
  return zipSync(Object.fromEntries(files));
};

async function withOthers<T>(
  changes: Record<string, string | undefined>,
  use: (job: Awaited<ReturnType<typeof openJob>>) => T | Promise<T>,
): Promise<T> {
  const job = await openJob(fileAt("job.pm7", othersFile(changes)));
  try {
    return await use(job);
  } finally {
    job.close();
  }
}

test("files of other programs are read, with what they state", async () => {
  await withOthers({}, async (job) => {
    assert.deepEqual([job.printerName, job.material, job.program], ["Anycubic Photon M8", "b", "UVtools"]);
    assert.deepEqual([job.pixelMm, [...job.boundariesMm], job.volumeMm], [[0.04, 0.04], [0, 0.05, 0.1], undefined]);
    assert.deepEqual([job.exposure?.firstLayers, job.exposure?.firstS, job.exposure?.normalS], [2, 25, 1.8]);
    assert.deepEqual(job.exposure?.firstCycle.lift, stagedMotion({ mm: 5, mmPerMin: 60 }));
    assert.deepEqual(job.exposure?.normalCycle.lift, stagedMotion({ mm: 4, mmPerMin: 180 }));
    assert.deepEqual([job.exposure?.firstCycle.waitAfterRetractS, job.totals, job.thumbnails], [0.5, {}, []]);
    const { rowStarts, values } = await job.layer(0);
    assert.deepEqual([...rowStarts, values[0]], [0, 1, 2, 255]);
    assert.deepEqual([...(await job.layer(1)).rowStarts], [0, 0, 0]);
  });
});

test("outlines instead of pictures, missing pictures and odd settings are refused, with the way out", async () => {
  const none = (): void => assert.fail("it was opened");
  const outlines = { "layer_images/layer_1.pw0Img": undefined, "layer_images/layer_1.pwszImg": "{==" };
  await assert.rejects(
    withOthers(outlines, none),
    /outlines \(\.pwszImg\), which is not supported; slice it with anti-al/,
  );
  await assert.rejects(withOthers({ "layer_images/layer_1.pw0Img": undefined }, none), /layer_1\.pw0Img is missing/);
  await assert.rejects(
    withOthers({ "layers_controller.conf": "{" }, none),
    /layers_controller\.conf inside it is no JSON/,
  );
  await assert.rejects(withOthers({ "layers_controller.conf": '{"paras":[]}' }, none), /has no layers/);
  await assert.rejects(
    withOthers({ "anycubic_photon_resins.pwsp": undefined }, none),
    /"anycubic_photon_resins\.pwsp" inside it is missing/,
  );
  const wide = JSON.stringify({ machine_type: { res_x: 65_535, res_y: 65_535 }, machine_extern: {} });
  await assert.rejects(withOthers({ "anycubic_photon_resins.pwsp": wide }, none), /65535 × 65535 pixels/);
  const long = `{"paras":[${"{},".repeat(10_000)}{}]}`;
  await assert.rejects(withOthers({ "layers_controller.conf": long }, none), /more than the \d+ accepted/);
});
