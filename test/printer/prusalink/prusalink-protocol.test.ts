import assert from "node:assert/strict";
import { test } from "node:test";
import { SL1_KINDS, sl1Bench } from "../../fixture/sl1-bench.ts";
import { until } from "../../fixture/until.ts";
import { printerSuite } from "../../fixture/printer-suite.ts";
import { someJob } from "../../fixture/some-job.ts";

for (const [what, options] of SL1_KINDS) {
  const bench = await sl1Bench(options);
  const { fake, idle, job } = bench;

  printerSuite(what, async () => {
    const printer = await bench.connect();
    const finishPrint = async (): Promise<void> => {
      await fake.change({ state: idle });
      await until("ready again", () => printer.isReady());
    };
    return { printer, job, finishPrint };
  });

  test(`${what} has its serial or host name as its name, is found by its address, and reports its model and state`, async () => {
    const printer = await bench.connect();
    const host = `prusa-${options.model.toLowerCase()}`;
    assert.equal(printer.id, options.api === "legacy" ? host : "CZPX1234");
    for (const name of ["127.0.0.1", host]) assert.ok(printer.otherNames.includes(name), name);
    assert.deepEqual(printer.machineTypes, [`PRUSA-${options.model}`]);
    assert.deepEqual(printer.describe(), {
      id: printer.id,
      product_name: options.model === "SL1" ? "Original Prusa SL1" : "Original Prusa SL1S SPEED",
      status: idle,
      is_connected: true,
      connection_type: "UNKNOWN",
      ip_address: "127.0.0.1",
      firmware_version: options.api === "legacy" ? "Prusa SLA 1.0.5" : "1.8.0",
      ready_to_print_now: true,
    });
  });

  test(`${what} gets the whole file under a unique name, and starts it only with print_now`, async () => {
    const printer = await bench.connect({ files: { [`plate${job.extension}`]: 1 } });
    await printer.submit(someJob({ ...job, name: "Größe 1/2", printNow: false }));
    const held = await fake.state();
    assert.deepEqual(held.started, []);
    const name = Object.keys(held.files).find((one) => one.startsWith("Gro"))!;
    assert.match(name, /^Gro_e_1_2-[\da-f]{8}\.sl1s?$/);
    assert.equal(held.files[name], "layers".length);
    await printer.submit(someJob({ ...job, name: "plate" }));
    const { started } = await fake.state();
    assert.equal(started.length, 1);
    assert.match(started[0], /^plate-/);
  });

  test(`${what} accepts no firmware over the network`, async () => {
    const printer = await bench.connect();
    await assert.rejects(printer.installFirmware("x.formware", someJob().task), {
      code: "OPERATION_FAILED",
      message: /\.raucb file to a USB drive/,
    });
  });
}
