import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import {
  type CatalogEntry,
  printerTypes,
  catalogEntries,
  earlierEntriesOf,
  entriesOf,
  listPrinterTypes,
  materialsOf,
} from "../../src/catalog/catalog.ts";
import machines from "../../src/catalog/machines.json" with { type: "json" };
import { openPrinterSchema } from "../../src/catalog/open-printer.ts";
import openPrinters from "../../src/catalog/open-printers.json" with { type: "json" };

const PUBLISHED_TYPES = 11;

/** Numbers of materials and settings by published printer type. */
const PUBLISHED: Record<string, [materials: number, settings: number]> = {
  "Form 2": [71, 148],
  "Form 3/3+": [34, 151],
  "Form 3B/3B+": [72, 206],
  "Form 3L": [28, 77],
  "Form 3BL": [45, 97],
  "Form 4": [26, 59],
  "Form 4B": [48, 93],
  "Form 4L": [22, 48],
  "Form 4BL": [38, 68],
  "Fuse 1": [4, 6],
  "Fuse 1+ 30W": [8, 14],
};

const listed = listPrinterTypes();

test("the catalog holds 396 materials and 967 settings as published, and all open printers", () => {
  const published = printerTypes().slice(0, PUBLISHED_TYPES);
  const settings = published.flatMap(materialsOf).flatMap((material) => material.settings);
  assert.equal(published.flatMap(materialsOf).length, 396);
  assert.equal(settings.length, 967);
  for (const [label, counts] of Object.entries(PUBLISHED)) {
    const materials = materialsOf(printerTypes().find((printerType) => printerType.label === label)!);
    assert.deepEqual([materials.length, materials.flatMap((material) => material.settings).length], counts, label);
  }
  assert.equal(printerTypes().length - published.length, openPrinters.printers.length);
  assert.equal(catalogEntries().length, 967 + 3 * openPrinters.printers.length);
});

test("the catalog has the 860 published combinations, and eight of earlier catalogs", () => {
  const named = (entries: readonly CatalogEntry[]): Set<string> =>
    new Set(entries.map(({ combination }) => Object.values(combination).join(" ")));
  const published = named(printerTypes().slice(0, PUBLISHED_TYPES).flatMap(entriesOf));
  const earlier = named(printerTypes().flatMap(earlierEntriesOf));
  assert.equal(published.size, 860);
  assert.equal(earlier.size, 8);
  assert.equal(published.intersection(earlier).size, 0);
});

test("no printer type has the same combination twice, and labels are unique", () => {
  for (const printerType of printerTypes()) {
    const combinations = materialsOf(printerType).flatMap(({ settings }) =>
      settings.map(({ combination }) => JSON.stringify(combination)),
    );
    assert.equal(new Set(combinations).size, combinations.length, printerType.label);
  }
  assert.equal(new Set(printerTypes().map(({ label }) => label)).size, printerTypes().length);
});

test("the list has every setting in the format of the interface", () => {
  assert.deepEqual(
    listed.map(({ label }) => label),
    printerTypes().map(({ label }) => label),
  );
  const form4 = listed.find(({ label }) => label === "Form 4")!;
  const { materials, ...facts } = form4;
  assert.deepEqual(facts, {
    label: "Form 4",
    supported_machine_type_ids: ["FORM-4-0"],
    supported_product_names: ["Form 4"],
    build_volume_dimensions_mm: [200, 125, 210],
  });
  assert.deepEqual(
    materials.find(({ label }) => label === "Black V5"),
    {
      label: "Black V5",
      description: "",
      material_settings: [0.1, 0.025, 0.05].map((layer_thickness_mm) => ({
        label: `${layer_thickness_mm.toFixed(3)} mm (Default settings)`,
        scene_settings: {
          machine_type: "FORM-4-0",
          material_code: "FLGPBK05",
          print_setting: "DEFAULT",
          layer_thickness_mm,
        },
      })),
    },
  );
  const settings = listed.flatMap((type) => type.materials.flatMap((material) => material.material_settings));
  assert.equal(settings.length, catalogEntries().length);
});

test("each list is a new value that callers may change", () => {
  listPrinterTypes()[0].build_volume_dimensions_mm[0] = 0;
  assert.equal(listPrinterTypes()[0].build_volume_dimensions_mm[0], 145);
});

test("every raster covers its build volume exactly", () => {
  for (const printerType of printerTypes()) {
    const { raster, volume } = printerType;
    for (const axis of [0, 1] as const) {
      const rest = raster.pixels[axis] * raster.pixelMm[axis] - volume.dimensionsMm[axis];
      assert.ok(rest > -1e-4 && rest < raster.pixelMm[axis], `${printerType.label}, ${axis}: ${rest}`);
    }
  }
  const rasterOf = (machineType: string) =>
    printerTypes().find((printerType) => printerType.machineType === machineType)!.raster;
  assert.deepEqual(rasterOf("FORM-4-0").pixels, [4000, 2500]);
  assert.deepEqual(rasterOf("ELEGOO-S4U-16K"), {
    pixels: [15120, 6230],
    pixelMm: [0.014, 0.019],
    mirrorX: true,
    mirrorY: false,
    portrait: false,
  });
});

test("corner radii are less than half the platform, open printers have none, and figures without a source are marked", () => {
  for (const { label, dimensionsMm, filletRadiusMm, pixelUm } of machines.printerTypes) {
    const { value, known } = filletRadiusMm;
    assert.ok(value > 0 && value < Math.min(dimensionsMm[0], dimensionsMm[1]) / 2, label);
    assert.equal(known, false);
    assert.equal(pixelUm.known, "source" in pixelUm, label);
  }
  for (const { volume, job } of printerTypes()) assert.equal(volume.filletRadiusMm === 0, job !== "form");
});

test("the facts of each open printer are complete, with the sources of its display and its height", () => {
  for (const printer of openPrinters.printers) {
    const { sources = {} } = v.parse(openPrinterSchema, printer);
    assert.ok("display" in sources && "height_mm" in sources, printer.machine_type);
    const named = Object.keys(sources).filter((field) => field !== "doubts");
    assert.deepEqual(
      named.filter((field) => !(field in printer)),
      [],
    );
    assert.equal("network" in printer, "network" in sources, printer.machine_type);
  }
});
