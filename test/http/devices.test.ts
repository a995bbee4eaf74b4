import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import { type Printwright, commandLine, startPrintwright } from "../fixture/printwright.ts";
import { assertRefused, bodyOf } from "../fixture/test-server.ts";

// Interface, "Device endpoints", "Print setting endpoints"; supplement, section 1.

type Body = Reply["body"];

const folder = mkdtempSync(join(tmpdir(), "printwright-devices-"));
const jobs = join(folder, "jobs");
mkdirSync(jobs);

const ORDERS = [
  "FORM-4-0",
  "FRML-4-0=Tall 4",
  "FORM-3-0=Otter",
  "DGSR-1-0",
  "FORM-2-0",
  "FS30-1-1=Dusty",
  "PRUSA-SL1S",
  "ELEGOO-M5U",
];
const IDS = [
  "Virtual-FORM-4-0-1",
  "Tall 4",
  "Otter",
  "Virtual-DGSR-1-0-1",
  "Virtual-FORM-2-0-1",
  "Dusty",
  "Virtual-PRUSA-SL1S-1",
  "Virtual-ELEGOO-M5U-1",
];

const COMMON = ["id", "product_name", "status", "is_connected", "connection_type", "firmware_version"];
const NAMED = [...COMMON, "ip_address", "ready_to_print_now"];
const RESIN = [...NAMED, "estimated_print_time_remaining_ms", "tank_id", "tank_material_code", "cartridge_data"];
const REMOTE_RESIN = [...RESIN, "is_remote_print_enabled"];
const QUEUE = [
  ...COMMON,
  "dashboard_group_id",
  "dashboard_queue_id",
  "ready_to_print_now",
  "queue_paused",
  "has_form_auto",
  "supported_machine_type_ids",
  "printers",
];
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  "Virtual-FORM-4-0-1": REMOTE_RESIN,
  "Tall 4": REMOTE_RESIN,
  Otter: [...REMOTE_RESIN, "form_auto_status"],
  "Virtual-DGSR-1-0-1": [...REMOTE_RESIN, "form_auto_status"],
  "Virtual-FORM-2-0-1": RESIN,
  Dusty: [
    ...NAMED,
    "bed_temperature_c",
    "powder_level",
    "printing_layer",
    "printing_guid",
    "material_code",
    "cylinder_serial",
    "powder_credit_g",
  ],
  "Virtual-PRUSA-SL1S-1": [...COMMON, "ready_to_print_now"],
  "Virtual-ELEGOO-M5U-1": [...COMMON, "ready_to_print_now"],
};

let printwright: Printwright;
before(async () => {
  const virtual = ORDERS.flatMap((order) => ["--virtual-printer", order]);
  printwright = await startPrintwright([...virtual, "--job-dir", jobs]);
});
after(async () => {
  await printwright.stop();
  rmSync(folder, { recursive: true });
});

const list = (query = "", body?: unknown): Promise<Reply> => printwright.call("GET", `/v1/device/list/${query}`, body);
const discover = (body?: unknown, query = ""): Promise<Reply> =>
  printwright.post(`/v1/device/discover/${query}`, body ?? {});
const catalog = (body: object): Promise<Reply> => printwright.post("/v1/print-setting/list/", body);

function idsOf(reply: Reply): string[] {
  const { count, devices, ...others } = bodyOf(reply);
  assert.deepEqual(others, {});
  assert.equal(count, devices.length);
  return devices.map(({ id }: Body) => id);
}

const finished = (begun: Reply): Promise<Body> => awaitOperation(printwright, begun);

test("the list holds the virtual printers in the order of the command line", async () => {
  assert.deepEqual(idsOf(await list()), IDS);
  assert.deepEqual(idsOf(await list("", {})), IDS);
  assert.deepEqual(idsOf(await list("", { devices: [] })), IDS);
});

test("each printer has the fields of its family and no others", async () => {
  for (const device of bodyOf(await list()).devices) {
    assert.deepEqual(Object.keys(device).sort(), [...FIELDS[device.id]].sort(), device.id);
    assert.equal(device.connection_type, "VIRTUAL");
    assert.equal(device.is_connected, true);
    assert.equal(device.ready_to_print_now, true);
    for (const text of ["product_name", "status", "firmware_version"]) {
      assert.ok(typeof device[text] === "string" && device[text] !== "", `${device.id} ${text}`);
    }
    for (const name of Object.keys(device).filter((one) => /_(c|g|layer|ms)$/.test(one))) {
      assert.ok(Number.isFinite(device[name]), `${device.id} ${name}`);
    }
  }
});

test("product names and materials are those of the catalog", async () => {
  const { devices } = bodyOf(await list());
  for (const device of devices) {
    const [type] = bodyOf(await catalog({ compatible_with: device.id })).printer_types;
    assert.ok(type.supported_product_names.includes(device.product_name));
    const code = device.tank_material_code ?? device.material_code;
    if (code === undefined) continue;
    const codes = type.materials.flatMap(({ material_settings }: Body) =>
      material_settings.map(({ scene_settings }: Body) => scene_settings.material_code),
    );
    assert.ok(codes.includes(code), `${device.id} ${code}`);
    for (const cartridge of Object.values<Body>(device.cartridge_data ?? {})) {
      assert.deepEqual(Object.keys(cartridge).sort(), [
        "cartridgeEstimatedVolumeDispensed_mL",
        "cartridgeOriginalVolume_mL",
        "materialCode",
      ]);
      assert.equal(cartridge.materialCode, code);
    }
  }
});

test("can_print lists the ready printers, which are all of them", async () => {
  assert.deepEqual(idsOf(await list("?can_print=true")), IDS);
  assert.deepEqual(idsOf(await list("?can_print=false")), IDS);
});

test("devices lists the named printers in the order of the request, each once, regardless of can_print", async () => {
  const devices = ["Dusty", "Virtual-FORM-2-0-1", "Dusty", "Otter"];
  for (const query of ["", "?can_print=true", "?can_print=false"]) {
    assert.deepEqual(idsOf(await list(query, { devices })), ["Dusty", "Virtual-FORM-2-0-1", "Otter"]);
  }
});

test("the first printer that is not connected makes the whole list fail, and is named", async () => {
  assertRefused(await list("", { devices: ["Otter", "Nobody", "Noone"] }), "NOT_FOUND", /"Nobody"/);
  assertRefused(await list("", { devices: ["otter"] }), "NOT_FOUND", /"otter"/);
  assertRefused(await list("", { devices: [""] }), "NOT_FOUND");
});

test("an invalid can_print is the first error, even if it would have no effect", async () => {
  for (const value of ["", "1", "TRUE", "yes"]) {
    const query = `?can_print=${value}`;
    assertRefused(await list(query), "INVALID_QUERY_PARAMETER", /can_print/);
    assertRefused(await list(query, { devices: ["Nobody"] }), "INVALID_QUERY_PARAMETER", /can_print/);
    assertRefused(await list(query, { devices: 3 }), "INVALID_QUERY_PARAMETER", /can_print/);
  }
});

test("bodies of device/list that break the schema are refused", async () => {
  assertRefused(await list("", { devices: "Otter" }), "JSON_SCHEMA_MATCH_ERROR", /"\/devices"/);
  assertRefused(await list("", { devices: ["Otter", 3] }), "JSON_SCHEMA_MATCH_ERROR", /"\/devices\/1"/);
  assertRefused(await list("", { can_print: true }), "JSON_SCHEMA_MATCH_ERROR", /"\/can_print"/);
});

test("discovery leaves out virtual printers, and does not wait if no protocol can search", async () => {
  for (const body of [undefined, {}, { timeout_seconds: 0 }, { timeout_seconds: 86_400 }, { timeout_seconds: 1e300 }]) {
    assert.deepEqual(idsOf(await discover(body)), []);
  }
  assert.deepEqual(idsOf(await discover({ printer: "Otter" })), []);
});

test("discovery of a missing printer fails", async () => {
  for (const printer of ["Nobody", "192.168.0.1", ""]) {
    assertRefused(await discover({ printer, timeout_seconds: 86_400 }), "OPERATION_FAILED", new RegExp(`"${printer}"`));
  }
});

test("discovery runs as an operation, too", async () => {
  const found = await finished(await discover({ printer: "Otter" }, "?async=true"));
  assert.deepEqual([found.status, found.result], ["SUCCEEDED", { count: 0, devices: [] }]);
  const lost = await finished(await discover({ printer: "Nobody" }, "?async=true"));
  assert.equal(lost.result.error.code, "OPERATION_FAILED");
});

test("bodies and queries of device/discover that break the schema are refused", async () => {
  for (const timeout_seconds of [-1, 0.5, "3", null, true]) {
    assertRefused(await discover({ timeout_seconds }), "JSON_SCHEMA_MATCH_ERROR", /"\/timeout_seconds"/);
  }
  assertRefused(await discover({ printer: 3 }), "JSON_SCHEMA_MATCH_ERROR", /"\/printer"/);
  assertRefused(await discover({ printers: "Otter" }), "JSON_SCHEMA_MATCH_ERROR", /"\/printers"/);
  assertRefused(await discover({}, "?async=maybe"), "INVALID_QUERY_PARAMETER", /async/);
});

test("with compatible_with the catalog lists only the type of that printer", async () => {
  const everything = bodyOf(await catalog({})).printer_types;
  const labels = ["Form 4", "Form 4L", "Form 3/3+", "Form 3L", "Form 2", "Fuse 1+ 30W"];
  labels.push("Original Prusa SL1S SPEED", "Elegoo Mars 5 Ultra");
  for (const [i, compatible_with] of IDS.entries()) {
    const { printer_types } = bodyOf(await catalog({ compatible_with }));
    assert.deepEqual(
      printer_types,
      everything.filter(({ label }: Body) => label === labels[i]),
      compatible_with,
    );
    assert.equal(printer_types.length, 1);
  }
  assertRefused(await catalog({ compatible_with: "Nobody" }), "NOT_FOUND", /"Nobody"/);
  assertRefused(await catalog({ compatible_with: 3 }), "JSON_SCHEMA_MATCH_ERROR", /"\/compatible_with"/);
});

const upload = (printer: string, file: string, query = ""): Promise<Reply> =>
  printwright.post(`/v1/device/upload-firmware/${query}`, { printer, file });
const firmwareOf = async (id: string): Promise<string> =>
  bodyOf(await list("", { devices: [id] })).devices[0].firmware_version;

test("a virtual printer accepts firmware and then shows its version", async () => {
  const image = Buffer.alloc(4096);
  image.writeUInt16BE(0x1f8b);
  const file = join(folder, "Otter-2.3.1-17.Formware");
  writeFileSync(file, image);
  const done = await finished(await upload("Otter", file, "?async=true"));
  assert.equal(done.status, "SUCCEEDED");
  assert.equal(await firmwareOf("Otter"), "2.3.1");
  const unnamed = join(folder, "newest.formware2");
  writeFileSync(unnamed, image);
  assert.equal((await upload("Otter", unnamed)).status, 200);
  assert.match(await firmwareOf("Otter"), /^[0-9a-f]{8}$/);
});

test("a file that is not firmware is refused and changes nothing", async () => {
  const before = await firmwareOf("Dusty");
  const write = (name: string, content: string | Buffer): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const text = write("text.formware", "solid part\n".repeat(100));
  const short = write("short.formware", Buffer.from([0x1f, 0x8b]));
  assertRefused(await upload("Dusty", text), "OPERATION_FAILED", /text\.formware/);
  assertRefused(await upload("Dusty", short), "OPERATION_FAILED", /2 bytes/);
  assertRefused(await upload("Dusty", join(folder, "missing.formware")), "OPERATION_FAILED", /does not exist/);
  assertRefused(await upload("Dusty", write("part.stl", "")), "INPUT_ERROR", /\.formware2/);
  assertRefused(await upload("Dusty", "image.formware"), "INPUT_ERROR", /absolute/);
  assertRefused(await upload("Dusty", ""), "INPUT_ERROR", /empty/);
  assertRefused(await upload("Nobody", text), "NOT_FOUND", /"Nobody"/);
  assertRefused(await upload("Dusty", 3 as unknown as string), "JSON_SCHEMA_MATCH_ERROR", /"\/file"/);
  assert.equal(await firmwareOf("Dusty"), before);
});

const [command, ...first] = commandLine();
const run = (...args: string[]) =>
  spawnSync(command, [...first, ...args], { encoding: "utf8", timeout: 30_000, cwd: folder });

test("the OpenAPI document holds the endpoints and the variants", () => {
  const { paths } = JSON.parse(run("--openapi").stdout);
  const { parameters, requestBody, responses } = paths["/v1/device/list/"].get;
  assert.deepEqual(
    parameters.map(({ name, required }: Body) => [name, required]),
    [["can_print", false]],
  );
  assert.equal(requestBody.required, false);
  const generic = [...COMMON, "ready_to_print_now", "ip_address"];
  const variants = [REMOTE_RESIN, FIELDS.Otter, RESIN, FIELDS.Dusty, QUEUE, generic].map((fields) =>
    [...fields].sort().join(),
  );
  for (const { content } of [responses[200], paths["/v1/device/discover/"].post.responses[200]]) {
    const shapes = content["application/json"].schema.properties.devices.items.anyOf;
    const found = shapes.map(({ properties }: Body) => Object.keys(properties).sort().join());
    assert.deepEqual(found.sort(), variants.sort());
  }
});

const WRONG: readonly (readonly [RegExp, ...string[]])[] = [
  [/--job-dir/, "--virtual-printer", "FORM-4-0"],
  [/--job-dir/, "--virtual-printer", "FORM-4-0", "--job-dir", ""],
  [/"FORM-9".*FORM-4-0/, "--virtual-printer", "FORM-9", "--job-dir", "jobs"],
  [/"UNKN-0-0"/, "--virtual-printer", "UNKN-0-0", "--job-dir", "jobs"],
  [/empty/, "--virtual-printer", "FORM-4-0=", "--job-dir", "jobs"],
  [/"A"/, "--virtual-printer", "FORM-4-0=A", "--virtual-printer", "FORM-2-0=A", "--job-dir", "jobs"],
];

for (const [reason, ...args] of WRONG) {
  test(`wrong arguments [${args.join(" ")}] are reported with the usage, exit status 2`, () => {
    const { status, stdout, stderr } = run("--port", "0", ...args);
    assert.equal(status, 2);
    assert.equal(stdout, "");
    assert.match(stderr, reason);
    assert.match(stderr, /Usage: printwright/);
  });
}

test("an unusable folder for jobs is reported on standard error, exit status 1", () => {
  writeFileSync(join(folder, "file"), "");
  mkdirSync(join(folder, "locked"));
  chmodSync(join(folder, "locked"), 0o500);
  const cases: [string, RegExp][] = [
    ["file", /file.*not a folder/],
    [join("file", "below"), /below.*not a folder/],
  ];
  // For the superuser and on Windows the folder is not locked.
  if (process.getuid?.() !== 0 && process.platform !== "win32") cases.push(["locked", /locked.*permission/]);
  for (const [jobFolder, reason] of cases) {
    const { status, stdout, stderr } = run("--port", "0", "--virtual-printer", "FORM-4-0", "--job-dir", jobFolder);
    assert.equal(status, 1, jobFolder);
    assert.equal(stdout, "");
    assert.match(stderr, reason);
  }
});

test("the folder for jobs may be relative to the working folder of the server, and is made if it is missing", async () => {
  for (const name of ["jobs", "missing", join("missing", "too")]) {
    const other = await startPrintwright(["--virtual-printer", "FORM-4-0", "--job-dir", name], folder);
    assert.equal(await other.stop(), 0);
    assert.ok(statSync(join(folder, name)).isDirectory());
  }
});
