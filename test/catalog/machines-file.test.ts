import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { WRITTEN_EXTENSIONS } from "../../src/format/model-formats.ts";
import { readMachinesFile } from "../../src/catalog/machines-file.ts";
import { TAKEN_EXTENSIONS, openPrinterSchema } from "../../src/catalog/open-printer.ts";
import { withPrinters } from "../../src/catalog/open-printers.ts";
import openPrinters from "../../src/catalog/open-printers.json" with { type: "json" };
import { ACME_ONE, changed } from "../fixture/machines-file.ts";
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

test("a machines file is read as it is, and the printers of the program are one", () => {
  assert.deepEqual(read({ $schema: "machines.schema.json", ...ONE }).printers, [ACME_ONE]);
  assert.deepEqual(read({}).printers, []);
  assert.deepEqual(read(openPrinters).printers, openPrinters.printers);
});

test("the example of the document is a machines file, and its table has each field", () => {
  const document = readFileSync(new URL("../../docs/own-printers.md", import.meta.url), "utf8");
  const [, example = ""] = /```json\n(.*?)```/s.exec(document) ?? [];
  assert.equal(read(JSON.parse(example)).printers.length, 1);
  const { display, release, job, ...others } = openPrinterSchema.entries;
  const [, lift] = release.options;
  const inside = Object.entries({ display, release: lift, job }).flatMap(([name, { entries }]) =>
    Object.keys(entries).map((key) => `${name}.${key}`),
  );
  const rows = document.split("\n").filter((line) => line.startsWith("| `"));
  for (const key of [...Object.keys(others), ...inside])
    assert.ok(
      rows.some((row) => row.split("|")[1]!.includes(`\`${key}\``)),
      key,
    );
});

/** Changes of a file, and what is wrong with it afterwards. */
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
  ["printers/0/job/extension", ".stl", /cannot be that of models, projects and pictures/],
  ["printers/0/network", "WIFI", /must be "SDCP", not the text "WIFI"/],
  ["printers/0/sources", { height_mm: 1 }, /must be a text, not 1/],
  ["printers/0/colour", "red", /this field is unknown here: the fields are machine_type, maker/],
  ["printers/0", 5, /must be an object with machine_type, maker/],
  ["printers", {}, /must be a list of objects, not an object/],
  ["machines", [], /this field is unknown here/],
];

test("each wrong value is refused at its pointer, with what is expected there", () => {
  for (const [path, value, reason] of WRONG) {
    const message = refusal(changed(ONE, path, value));
    const [head, ...problems] = message.split("\n");
    assert.match(head, /^--machines: ".*machines\.json": (one value is|\d+ values are) wrong:$/, path);
    const [first = ""] = problems;
    assert.ok(first.startsWith(`  "/${path}"`) || first.startsWith(`  "/${path}/`), `${path}: ${message}`);
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

test("files that are not JSON, too large or too deep are refused", () => {
  const textOf = (text: string) => () => readMachinesFile(file("text.json", text), []);
  assert.throws(textOf("{'printers': []}"), /it is not JSON in UTF-8/);
  assert.throws(textOf(`{"printers": ${"[".repeat(20)}`), { code: "INPUT_ERROR" });
  assert.throws(textOf(`"${" ".repeat(5 * 2 ** 20)}"`), { code: "OPERATION_FAILED" });
  assert.throws(() => readMachinesFile("/nowhere/machines.json", []), { code: "OPERATION_FAILED" });
});

test("a printer with a known id takes its place, others come last", () => {
  const [first, second] = read(openPrinters).printers;
  const known = { printers: [first, second], replaced: [] };
  const own = { ...ACME_ONE, machine_type: first.machine_type, product_name: "Acme Zero" };
  const { printers, replaced } = withPrinters(known, read({ printers: [own, ACME_ONE] }), "mine.json");
  assert.deepEqual(
    printers.map((printer) => printer.product_name),
    ["Acme Zero", second.product_name, "Acme One"],
  );
  assert.deepEqual(replaced, [{ machineType: first.machine_type, file: "mine.json" }]);
});

test("no printer takes the extension of a model that is written", () => {
  for (const extension of WRITTEN_EXTENSIONS) assert.ok(TAKEN_EXTENSIONS.includes(`.${extension}`), extension);
});
