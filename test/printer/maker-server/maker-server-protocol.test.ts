import assert from "node:assert/strict";
import { test } from "node:test";
import { newPrinters } from "../../../src/printer/printers.ts";
import { until } from "../../fixture/until.ts";
import { makerBench, modelsJob } from "../../fixture/maker-bench.ts";
import { printerSuite } from "../../fixture/printer-suite.ts";
import { someJob, someTask } from "../../fixture/some-job.ts";

const bench = await makerBench();
const { fake } = bench;

const device = async () => (await fake.state()).devices[0]!;

printerSuite("a printer of the maker's server", async () => {
  const printer = await bench.connect();
  const finishPrint = async (): Promise<void> => {
    await fake.change({ devices: [{ ...(await device()), status: "Idle", ready_to_print_now: true }] });
    await until("ready again", () => printer.isReady());
  };
  return { printer, job: modelsJob(), finishPrint };
});

test("the server gets a scene with the same settings and each model as it is, prints it, and keeps nothing", async () => {
  const printer = await bench.connect();
  assert.equal(printer.takesModels, true);
  await printer.submit(someJob({ ...modelsJob(), name: "zoé/ünder" }));
  const { prints, scenes } = await fake.state();
  assert.deepEqual(scenes, {});
  assert.deepEqual(bench.left(), []);
  const [{ models, settings, ...print }] = prints as [(typeof prints)[number]];
  assert.deepEqual(print, { printer: "Form4-CleverFox", job_name: "zoé/ünder", print_now: true });
  assert.deepEqual(settings, {
    machine_type: "FORM-4-0",
    material_code: "FLGPGR05",
    print_setting: "DEFAULT",
    layer_thickness_mm: 0.1,
  });
  assert.deepEqual(
    models.map(({ name, units, repair_behavior, isClosed, bounding_box: { min_corner, max_corner } }) => [
      [name, units, repair_behavior, isClosed],
      [min_corner, max_corner],
    ]),
    [
      [
        ["bracket", "MILLIMETERS", "IGNORE", true],
        [
          { x: -5, y: -5, z: 0 },
          { x: 5, y: 5, z: 10 },
        ],
      ],
      [
        ["lever", "MILLIMETERS", "IGNORE", true],
        [
          { x: 18, y: -2, z: 0 },
          { x: 22, y: 2, z: 4 },
        ],
      ],
    ],
  );
});

test("the progress of a job goes from its models to the print", async () => {
  const printer = await bench.connect({ progressAnswers: 1 });
  const reports: number[] = [];
  const phases: number[][] = [];
  const task = {
    ...someTask(),
    enterPhase: (...phase: [number, number]) => void phases.push(phase),
    report: (share: number) => void reports.push(share),
  };
  await printer.submit(someJob({ ...modelsJob(), task }));
  assert.deepEqual(reports, [0.25, 0.5, 0.75, 1]);
  assert.deepEqual(phases.flat(), [0, 0.6, 0.6, 0.8, 0.8, 1]);
});

test("a server that answers long requests at once prints as well", async () => {
  const printer = await bench.connect({ answersAtOnce: true });
  await printer.submit(someJob(modelsJob()));
  const { prints, operations } = await fake.state();
  assert.deepEqual([prints[0]!.models.length, operations], [2, {}]);
});

test("a custom print setting goes to the server as its file", async () => {
  const printer = await bench.connect({
    otherSettings: {
      machine_type: "FORM-4-0",
      material_code: "FLGPGR05",
      print_setting: "MINE",
      layer_thickness_mm: "0.100",
    },
  });
  await printer.submit(someJob(modelsJob(new TextEncoder().encode('{"metadata": {"id": "7"}}'))));
  const [print] = (await fake.state()).prints;
  assert.deepEqual((print!.settings as { fps?: unknown }).fps, { metadata: { id: "7" } });
});

test("models that the server moved are put back, and printed at their places", async () => {
  const printer = await bench.connect({ shiftMm: { x: 3, y: -40.5, z: 2 } });
  await printer.submit(someJob(modelsJob()));
  const [print] = (await fake.state()).prints;
  assert.deepEqual(print!.models[1]!.bounding_box, {
    min_corner: { x: 18, y: -2, z: 0 },
    max_corner: { x: 22, y: 2, z: 4 },
  });
});

test("models that do not go back to their places, or have another size, are not printed, and the message has the numbers", async () => {
  for (const [change, message] of [
    [
      { shiftMm: { x: 0, y: 0, z: 0.02 }, keepsHeight: true },
      /"bracket" is at .*z 0\.020 to 10\.020 mm there instead of .*z 0\.000 to 10\.000 mm/,
    ],
    [{ scale: 25.4 }, /x -127\.000 to 127\.000.* instead of x -5\.000 to 5\.000/],
  ] as const) {
    const printer = await bench.connect(change);
    await assert.rejects(printer.submit(someJob(modelsJob())), { code: "OPERATION_FAILED", message });
    await assert.rejects(
      printer.submit(someJob(modelsJob())),
      /While sending the models: .*Nothing of it is left there\.$/,
    );
    const { prints, scenes } = await fake.state();
    assert.deepEqual([prints, scenes, bench.left()], [[], {}, []]);
  }
});

test("a server that makes another scene than asked for gets no models", async () => {
  for (const otherSettings of [
    { machine_type: "FORM-3-1" },
    { material_code: "FLGPCL04" },
    { print_setting: "FAST" },
    { layer_thickness_mm: "0.05" },
  ]) {
    const printer = await bench.connect({ otherSettings });
    const [[key, value]] = Object.entries(otherSettings) as [[string, string]];
    await assert.rejects(
      printer.submit(someJob(modelsJob())),
      new RegExp(`While making its scene: its scene has the ${key} "${value}" instead of "`),
    );
    const { prints, scenes, requests } = await fake.state();
    assert.deepEqual([prints, scenes], [[], {}]);
    assert.ok(!requests.some((line) => line.includes("import-model")));
  }
});

test("each connected printer that the server lists is a printer, with its type and state", async () => {
  const [first] = (await fake.state()).devices;
  const others = [
    { ...first!, id: "Fuse1-Big", product_name: "Fuse 1", status: "Printing", ready_to_print_now: false },
    { ...first!, id: "Off", is_connected: false },
    { ...first!, id: "New", product_name: "Form 9" },
    {
      ...first!,
      id: "Old",
      product_name: "Form 3 (early 2019)",
      status: "Ready to print",
      ready_to_print_now: undefined,
    },
    { ...first!, id: "group", product_name: "Printer Group" },
  ];
  const protocol = await bench.open({ devices: [first!, ...others] as never }, { printers: ["Off", "Fuse1-Big"] });
  await until("all are connected", () => protocol.connected().length === 3);
  const listed = protocol.connected().map((one) => [one.id, one.machineTypes, one.describe().ready_to_print_now]);
  assert.deepEqual(listed, [
    ["Form4-CleverFox", ["FORM-4-0"], true],
    ["Fuse1-Big", ["PILK-1-0"], false],
    ["Old", ["FORM-3-1", "FRMB-3-1"], true],
  ]);
  const { ip_address, firmware_version, status } = {
    ip_address: "",
    ...protocol.connected()[1]!.describe(),
  };
  assert.deepEqual([ip_address, firmware_version, status], ["10.0.0.7", "2.5.1", "Printing"]);
  assert.deepEqual(
    protocol.missing!().map(({ names }) => names),
    [["Off"]],
  );
  await fake.change({ devices: [others[0]!, { ...others[1]!, is_connected: true }] as never });
  await until(
    "the list changed",
    () =>
      protocol
        .connected()
        .map(({ id }) => id)
        .join() === "Fuse1-Big,Off",
  );
  assert.deepEqual(protocol.missing!(), []);
});

test("a printer of a product that the catalog lacks is listed with the reason, and logged once, until its product is known", async () => {
  const lines: unknown[] = [];
  const log = { write: (event: string, details = {}) => void lines.push({ event, ...details }), close() {} };
  const unknown = { ...(await device()), id: "New", product_name: "Form 9", ip_address: "10.0.0.9" };
  const protocol = await bench.open({ devices: [unknown] }, { printers: ["New"] }, undefined, log);
  const printers = newPrinters([protocol]);
  await until("it is listed", () => protocol.unusable!().length === 1);
  const reason = `its server lists it as "Form 9", which the catalog does not have: use its maker's program`;
  const facts = { id: "New", productName: "Form 9", ipAddress: "10.0.0.9", missingAs: "New", reason };
  assert.deepEqual(printers.unusable(), [facts]);
  assert.equal(printers.whyMissing("New"), `cannot be used: ${reason}`);
  await fake.change({ requests: [] });
  await until("it was asked again", async () => (await fake.state()).requests.length > 1);
  const line = { event: "printer unusable", printer: "New", product_name: "Form 9", ip_address: "10.0.0.9", reason };
  assert.deepEqual(lines, [line]);
  await fake.change({ devices: [{ ...unknown, product_name: "Form 4" }] });
  await until("it is connected", () => protocol.connected().length === 1);
  assert.deepEqual([printers.unusable(), printers.whyMissing("New")], [[], undefined]);
});

test("a server on another machine gets no jobs without a folder that both see", async () => {
  const protocol = await bench.open({}, { host: "localhost", sharedFolder: undefined });
  await until("connected", () => protocol.connected().length === 1);
  assert.equal(protocol.connected()[0]!.describe().ready_to_print_now, true);
  assert.deepEqual(protocol.unusable!(), []);
  const away = await bench.open({}, { host: "127.1", sharedFolder: undefined });
  await until("connected", () => away.connected().length === 1);
  const [printer] = away.connected();
  assert.equal(printer!.describe().ready_to_print_now, false);
  assert.deepEqual(
    away.unusable!().map(({ id, productName }) => [id, productName]),
    [["Form4-CleverFox", "Form 4"]],
  );
  assert.match(away.unusable!()[0]!.reason, /^its server 127\.1 is on another machine: .*shared_folder/);
  const writeTo = (): never => assert.fail("it was written");
  await assert.rejects(printer!.submit(someJob({ ...modelsJob(), writeTo })), /shared_folder in the printers file/);
});

test("the server reads the files by their path on its own machine", async () => {
  const protocol = await bench.open({}, { sharedFolderThere: "Z:\\jobs" });
  await until("connected", () => protocol.connected().length === 1);
  await assert.rejects(
    protocol.connected()[0]!.submit(someJob(modelsJob())),
    /"Z:\\+jobs\\+printwright-models-[^\\]*\\+1\.stl", as the server sees it, is not imported: it says: "ENOENT/,
  );
  assert.deepEqual([(await fake.state()).scenes, bench.left()], [{}, []]);
});

test("a server that is no server of the maker is missing, and the reason is known", async () => {
  for (const [how, why] of [
    [404, /does not list its printers: it answers with status 404/],
    ["cut before", /closed the connection/],
  ] as const) {
    const protocol = await bench.open({ faults: [{ at: "GET /devices", how }] }, { printers: ["Form4-CleverFox"] });
    await until("it failed", () => why.test(protocol.missing!()[0]?.why ?? ""));
    assert.ok(protocol.missing!()[0]!.names.includes("Form4-CleverFox"));
    assert.deepEqual(protocol.connected(), []);
    await fake.change({ faults: [] });
    await until("it is connected", () => protocol.connected().length === 1);
    assert.deepEqual(protocol.missing!(), []);
  }
});

test("firmware is not installed over the server", async () => {
  const printer = await bench.connect();
  await assert.rejects(
    printer.installFirmware("x", someJob().task),
    /takes no firmware over the network: install it with/,
  );
});
