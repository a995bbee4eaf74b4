import assert from "node:assert/strict";
import { test } from "node:test";
import machines from "../../src/catalog/machines.json" with { type: "json" };
import openPrinters from "../../src/catalog/open-printers.json" with { type: "json" };
import { runCommand } from "../fixture/command.ts";
import { ACME_ONE } from "../fixture/machines-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const file = temporaryFiles();

interface ListedPrinter {
  readonly machine_type: string;
  readonly maker: string;
  readonly pixels: readonly number[];
  readonly job_converted_from?: string;
  readonly network: readonly string[];
}

/** Machine types of Formlabs. */
const PUBLISHED: ReadonlySet<string> = new Set(machines.printerTypes.map(({ machineType }) => machineType));

test("all printers are listed as JSON, with their panels and the way of their jobs", async () => {
  const listed: ListedPrinter[] = JSON.parse((await runCommand(["printers", "--json"], ".")).stdout);
  assert.deepEqual(
    listed
      .filter(({ machine_type }) => !PUBLISHED.has(machine_type))
      .map((one) => [one.machine_type, one.maker, one.pixels, one.job_converted_from]),
    openPrinters.printers.map(({ machine_type, maker, display, job }) => [
      machine_type,
      maker,
      display.pixels,
      "converted_from" in job ? job.converted_from : undefined,
    ]),
  );
  const networks = new Map(listed.map(({ machine_type, network }) => [machine_type, network]));
  assert.deepEqual(networks.get("ELEGOO-M5U"), ["sdcp"]);
  assert.deepEqual(networks.get("ELEGOO-M4"), []);
  assert.deepEqual(networks.get("EPAX-DX1-PRO"), []);
  assert.deepEqual(networks.get("PRUSA-SL1"), ["prusalink", "odyssey"]);
  assert.deepEqual(networks.get("FORM-4-0"), ["preform"]);
});

test("the list says which jobs need a program that makes them", async () => {
  const { stdout } = await runCommand(["printers", "--maker", "EPAX"], ".");
  assert.match(stdout, /^EPAX-DX1-PRO .* \.ctb \(made of \.sl1 by --job-converter\)$/m);
  assert.match(stdout, /^EPAX-X1 .* \.ctb$/m);
});

test("a printer of one's own whose pixels and size are along different axes is doubted", async () => {
  const printer = { ...ACME_ONE, display: { ...ACME_ONE.display, size_mm: [120, 192] } };
  const machines = file("swapped.json", JSON.stringify({ printers: [printer] }));
  const { status, stderr } = await runCommand(["printers", "--machines", machines], ".");
  assert.deepEqual(
    [status, stderr.trim()],
    [0, "Warning: ACME-ONE has pixels of 0.0313 by 0.08 mm. Check that pixels and size_mm are along the same axes."],
  );
  const right = file("right.json", JSON.stringify({ printers: [ACME_ONE] }));
  assert.equal((await runCommand(["printers", "--machines", right], ".")).stderr, "");
});
