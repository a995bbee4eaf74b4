import assert from "node:assert/strict";
import { test } from "node:test";
import machines from "../../src/catalog/machines.json" with { type: "json" };
import openPrinters from "../../src/catalog/open-printers.json" with { type: "json" };
import { runCommand } from "../fixture/command.ts";

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
