import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { WRITTEN_EXTENSIONS } from "../../src/format/model-formats.ts";
import { readMachinesFile, readResinFile } from "../../src/catalog/machines-file.ts";
import { TAKEN_EXTENSIONS, openPrinterSchema } from "../../src/catalog/open-printer.ts";
import { withMachines } from "../../src/catalog/open-printers.ts";
import { resinSchema } from "../../src/catalog/resin.ts";
import { JOB_KINDS } from "../../src/catalog/setting.ts";
import openPrinters from "../../src/catalog/open-printers.json" with { type: "json" };
import { ACME_ONE, ACME_TOUGH, changed } from "../fixture/machines-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const file = temporaryFiles();
const write = (content: unknown): string => file("machines.json", JSON.stringify(content));
const read = (content: unknown) => readMachinesFile(write(content), []);

/** The message that a file is refused with. */
function refusal(content: unknown, ...known: Parameters<typeof readMachinesFile>[1]): string {
  try {
    readMachinesFile(write(content), known);
  } catch (thrown) {
    return (thrown as Error).message;
  }
  return assert.fail("the file was accepted");
}

const ONE = { printers: [ACME_ONE] };
const TOUGH = { resins: [{ ...ACME_TOUGH, printers: undefined }] };

test("a machines file is read as it is, and the printers of the program are one", () => {
  assert.deepEqual(read({ $schema: "machines.schema.json", ...ONE }).printers, [ACME_ONE]);
  assert.deepEqual(read({}), { printers: [], resins: [] });
  const both = { printers: [{ ...ACME_ONE, machine_type: "ACME-AIR" }], resins: [ACME_TOUGH] };
  assert.deepEqual(read(both).resins, both.resins);
  assert.deepEqual(read(openPrinters).printers, openPrinters.printers);
});

test("the examples of the document are files of --machines and --resin, and its tables have each field", () => {
  const document = readFileSync(new URL("../../docs/own-printers.md", import.meta.url), "utf8");
  const [printer = "", resin = ""] = [...document.matchAll(/```json\n(.*?)```/gs)].map(([, text]) => text!);
  assert.equal(read(JSON.parse(printer)).printers.length, 1);
  assert.equal(readResinFile(file("example.json", resin), []).resins.length, 1);
  const { display, release, job, ...others } = openPrinterSchema.entries;
  const lift = release.options.find((option) => "lift_mm" in option.entries)!;
  const inside = Object.entries({ display, release: lift, job }).flatMap(([name, { entries }]) =>
    Object.keys(entries).map((key) => `${name}.${key}`),
  );
  const figures = Object.keys(resinSchema.entries.settings.item.entries).filter((key) => !key.startsWith("bottom_"));
  const cells = document.split("\n").flatMap((line) => (line.startsWith("| `") ? [line.split("|")[1]!] : []));
  const kinds = JOB_KINDS.filter((kind) => kind !== "form");
  for (const key of [...Object.keys(others), ...inside, ...figures, ...kinds])
    assert.ok(
      cells.some((cell) => cell.includes(`\`${key}\``)),
      key,
    );
  for (const kind of kinds) assert.equal(cells.filter((cell) => cell.includes(`\`${kind}\``)).length, 1, kind);
});

/** Changes of a file with a printer or a resin, and what is wrong with it afterwards. */
const WRONG: readonly (readonly [path: string, value: unknown, reason: RegExp])[] = [
  ["printers/0/machine_type", "acme one", /must be capital letters and digits joined by hyphens/],
  ["printers/0/machine_type", "FORM-4-0", /FORM-4-0 is of Formlabs or reserved: give another id/],
  ["printers/0/machine_type", "UNKN-0-0", /is of Formlabs or reserved/],
  ["printers/0/product_name", "form 4", /is the name of FORM-4-0: give another name/],
  ["printers/0/product_name", "Acme\nOne", /must be a text without line breaks/],
  ["printers/0/maker", undefined, /is required: give a text/],
  ["printers/0/maker", "", /is empty: give a text/],
  ["printers/0/maker", "x".repeat(101), /has 101 characters: 100 are the most/],
  ["printers/0/display", [1, 2], /must be an object with pixels, size_mm and mirror_x, not a list/],
  ["printers/0/display/pixels", [3840], /this list takes 2 entries/],
  ["printers/0/display/pixels/0", 0, /must be at least 1, not 0/],
  ["printers/0/display/pixels/1", 2400.5, /must be a whole number, not 2400.5/],
  ["printers/0/display/pixels", [60_000, 60_000], /are more than 268435456 together/],
  ["printers/0/display", { pixels: [384, 240], size_mm: [1920, 1200], mirror_x: true }, /gives pixels of 5 mm by 5 mm/],
  ["printers/0/display/mirror_x", "yes", /must be true or false, not the text "yes"/],
  ["printers/0/height_mm", -1, /must be above 0, not -1/],
  ["printers/0/height_mm", 1e300, /must be at most 2000/],
  ["printers/0/layer_thicknesses_mm", [], /is an empty list/],
  ["printers/0/layer_thicknesses_mm", [0.05, 0.05], /has a thickness twice/],
  ["printers/0/layer_thicknesses_mm/1", 50, /must be at most 1, not 50/],
  ["printers/0/layer_thicknesses_mm", "0.05", /must be a list of numbers, not the text "0.05"/],
  ["printers/0/release/by", "PEEL", /must be "TILT" or "LIFT", not the text "PEEL"/],
  ["printers/0/release/by", undefined, /is required: give "TILT" or "LIFT"/],
  ["printers/0/release/lift_mm", undefined, /is required: give a number/],
  ["printers/0/release/retract_mm_min", 0, /must be above 0/],
  ["printers/0/release/wait_before_cure_s", -1, /must be at least 0, not -1/],
  ["printers/0/job/format", "ctb-9", /must be "sl1", .*"ctb-3", .* or .*, not the text "ctb-9"/],
  ["printers/0/job/format", "form", /not the text "form"/],
  ["printers/0/job/extension", "ctb", /must be a dot and small letters or digits/],
  [
    "printers/0/job",
    { format: "sl1", extension: ".ctb", machine_name: "ACME" },
    /would have \.ctb files of format sl1, which none are: give the format ctb-2, ctb-3 or ctb-4; .* converted_from is/,
  ],
  [
    "printers/0/job",
    { format: "ctb-3", extension: ".ctb", converted_from: ".sl1", machine_name: "ACME" },
    /would have \.sl1 files of format ctb-3, which none are: give the format sl1 or sl1s/,
  ],
  ["printers/0/job/extension", ".stl", /cannot be that of models, projects and pictures/],
  ["printers/0/network", "WIFI", /must be "SDCP", not the text "WIFI"/],
  ["printers/0/sources", { height_mm: 1 }, /must be a text, not 1/],
  ["printers/0/colour", "red", /this field is unknown here: the fields are machine_type, maker/],
  ["printers/0", 5, /must be an object with machine_type, maker/],
  ["printers", {}, /must be a list of objects, not an object/],
  ["machines", [], /this field is unknown here/],
  ["resins/0/code", "GENERIC-RESIN", /is the resin that every printer has: give another/],
  ["resins/0/code", "acme", /must be capital letters/],
  ["resins/0/name", undefined, /is required: give a text/],
  ["resins/0/printers", [], /is an empty list/],
  ["resins/0/printers", ["ELEGOO-M99"], /ELEGOO-M99 is no printer here: printwright printers lists them/],
  ["resins/0/printers", ["FORM-4-0"], /FORM-4-0 is no printer here/],
  ["resins/0/settings", [], /is an empty list/],
  ["resins/0/settings/1/layer_mm", 0.03, /has two settings with the same layer_mm/],
  ["resins/0/settings/1/layer_mm", undefined, /is required: give a number/],
  ["resins/0/settings/0/exposure_s", 0, /must be above 0, not 0/],
  ["resins/0/settings/0/exposure_s", "2 s", /must be a number, not the text "2 s"/],
  ["resins/0/settings/0/bottom_layers", 2.5, /must be a whole number/],
  ["resins/0/settings/0/light", 256, /must be at most 255, not 256/],
  ["resins/0/settings/0/bottom/lift_mm_min", 0, /must be above 0/],
  ["resins/0/settings/0/light_off_delay_s", 9, /has wait_after_cure_s and light_off_delay_s: give one of them/],
  ["resins/0/settings/0/bottom/light_off_delay_s", 9, /has wait_after_cure_s and light_off_delay_s in bottom/],
  ["resins/0/settings/0/retract2_mm", 201, /must be at most 200, not 201/],
  ["resins/0/settings/0/density_g_ml", 1250, /must be at most 5/],
  ["resins/0/settings/0/correction", [1, 1], /this list takes 3 entries/],
  ["resins/0/settings/0/exposure", 2, /this field is unknown here: the fields are layer_mm, exposure_s/],
];

/** Contradictions are those of the object that has both values. */
const CONTRADICTION = /: has /;
const POINTERS = ["/resins/0/settings/0", "/resins/0/settings"];

test("each wrong value is refused at its pointer, with what is expected there", () => {
  for (const [path, value, reason] of WRONG) {
    const message = refusal(changed({ ...ONE, ...TOUGH }, path, value));
    const [head, ...problems] = message.split("\n");
    assert.match(head, /^--machines: ".*machines\.json": (one value is|\d+ values are) wrong:$/, path);
    const [first = ""] = problems;
    const pointer = POINTERS.find((one) => `/${path}`.startsWith(one) && CONTRADICTION.test(first)) ?? `/${path}`;
    assert.ok(first.startsWith(`  "${pointer}"`) || first.startsWith(`  "${pointer}/`), `${path}: ${message}`);
    assert.match(first, reason);
  }
});

test("all wrong values of a file are named, with all unknown fields, and twenty of many", () => {
  const changes = { "printers/0/height_mm": -1, "printers/0/colour": "red", "printers/0/size": 1, z: 2 };
  const several = Object.entries(changes).reduce(
    (content, [path, value]) => changed(content, path, value),
    ONE as object,
  );
  const message = refusal(several);
  assert.match(message, /4 values are wrong:/);
  for (const path of Object.keys(changes)) assert.ok(message.includes(`\n  "/${path}": `), path);
  const many = refusal({ printers: Array.from({ length: 30 }, () => 1) });
  assert.match(many, /30 values are wrong:.*\n {2}and 10 more$/s);
});

test("an id or a name that a file has twice, and the name of another printer, are refused", () => {
  const twice = refusal({ printers: [ACME_ONE, { ...ACME_ONE, product_name: "Acme 1" }] });
  assert.match(twice, /"\/printers\/1\/machine_type": ACME-ONE is the id of an earlier printer/);
  const other = { ...ACME_ONE, machine_type: "ACME-TWO" };
  assert.match(refusal({ printers: [ACME_ONE, other] }), /"\/printers\/1\/product_name": is the name of ACME-ONE/);
  const { printers } = read(ONE);
  assert.match(refusal({ printers: [other] }, ...printers), /"\/printers\/0\/product_name": is the name of ACME-ONE/);
  assert.doesNotThrow(() => readMachinesFile(write(ONE), printers), "it replaces itself");
});

test("the files of --resin are one resin, or the materials of an .ini file", () => {
  const json = file("tough.json", JSON.stringify({ ...ACME_TOUGH, printers: undefined }));
  assert.deepEqual(readResinFile(json, []), { printers: [], resins: read(TOUGH).resins });
  const ini = file("Acme Blue.INI", "printer_technology = SLA\nlayer_height = 0.05\nexposure_time = 3\n");
  const [{ code, name, settings } = assert.fail()] = readResinFile(ini, []).resins;
  assert.deepEqual([code, name, settings], ["ACME-BLUE", "Acme Blue", [{ layer_mm: 0.05, exposure_s: 3 }]]);
  const refused = (path: string, reason: RegExp) => assert.throws(() => readResinFile(path, []), reason);
  refused(
    file("no.json", '{"code": "A"}'),
    /^ApiError: --resin: ".*": 2 values are wrong:\n {2}"\/name": is required.*\n {2}"\/settings"/,
  );
  refused(
    file("no.ini", "exposure_time = 3\nexposure_time = 4"),
    /--resin: ".*": line 2: exposure_time has another value/,
  );
  refused(
    file("light.ini", "layer_height = 0.05\nexposure_time = 3\nmaterial_notes = LightPWM_300"),
    /"\/settings\/0\/light"/,
  );
});

test("a file has at most 5,000 settings of resins", () => {
  const settings = Array.from({ length: 50 }, (_, i) => ({ layer_mm: (i + 10) / 1000 }));
  const resins = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ code: `R${i}`, name: `R${i}`, settings }));
  assert.equal(read({ resins: resins(100) }).resins.length, 100);
  assert.match(refusal({ resins: resins(101) }), /"\/resins": have 5050 settings: 5000 are the most/);
});

test("files that are not JSON, too large or too deep are refused", () => {
  const textOf = (text: string) => () => readMachinesFile(file("text.json", text), []);
  assert.throws(textOf("{'printers': []}"), /it is not JSON in UTF-8/);
  assert.throws(textOf(`V3.0\0${"[".repeat(1000)}`), /it is not JSON, which would begin with a brace/);
  assert.throws(textOf(`{"printers": ${"[".repeat(20)}`), { code: "INPUT_ERROR" });
  assert.throws(textOf(`"${" ".repeat(5 * 2 ** 20)}"`), { code: "OPERATION_FAILED" });
  assert.throws(() => readMachinesFile("/nowhere/machines.json", []), { code: "OPERATION_FAILED" });
});

test("a printer with a known id takes its place, others come last", () => {
  const [first, second] = read(openPrinters).printers;
  const known = { printers: [first, second], resins: [], replaced: [], usual: [] };
  const own = { ...ACME_ONE, machine_type: first.machine_type, product_name: "Acme Zero" };
  const { printers, replaced } = withMachines(known, read({ printers: [own, ACME_ONE] }), "mine.json");
  assert.deepEqual(
    printers.map((printer) => printer.product_name),
    ["Acme Zero", second.product_name, "Acme One"],
  );
  assert.deepEqual(replaced, [{ id: first.machine_type, file: "mine.json" }]);
});

test("no printer takes the extension of a model that is written", () => {
  for (const extension of WRITTEN_EXTENSIONS) assert.ok(TAKEN_EXTENSIONS.includes(`.${extension}`), extension);
});
