import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import type { Reply } from "../fixture/client.ts";
import { someAccount, writePrintersFile } from "../fixture/printers-file.ts";
import { box, tetrahedron } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { type TestServer, openTestServer } from "../fixture/test-server.ts";
import { REPLIES, type ReplyName } from "./replies.ts";

export const RESIN_SCENE = {
  machine_type: "FORM-4-0",
  material_code: "FLGPGR05",
  print_setting: "DEFAULT",
  layer_thickness_mm: 0.1,
};
export const POWDER_SCENE = { machine_type: "FS30-1-0", material_code: "FLP11C01", layer_thickness_mm: 0.11 };

export const QUEUE_ID = "5d9c2a53-3d54-4c9a-8f0e-0f5d0d8f6a10";
export const USER = "ann";

/** A server of the 0.9 interface with virtual printers, an account and files. */
export interface CompatServer extends TestServer {
  /** A block of 10 mm. */
  readonly block: string;
  /** A tetrahedron with its tip on the platform at one corner, and its other corners above it. */
  readonly spike: string;
  /** Sends a request to a path of 0.9. */
  get(path: string): Promise<Reply>;
  post(path: string, body?: object): Promise<Reply>;
  /** A new scene with blocks; returns the ids of the models. */
  sceneOf(count: number, settings?: object): Promise<{ id: string; models: string[] }>;
}

export async function openCompatServer(args: readonly string[] = []): Promise<CompatServer> {
  const jobs = mkdtempSync(join(tmpdir(), "printwright-compat-jobs-"));
  const printers = join(jobs, "printers.json");
  writePrintersFile(printers, {
    accounts: [await someAccount(USER, { email: "ann@example.org" })],
    queues: [{ id: QUEUE_ID, name: "all", printers: ["Vee"] }],
  });
  const server = await openTestServer([
    "--compat-0.9",
    "--no-page",
    `--job-dir=${jobs}`,
    "--virtual-printer=FORM-4-0=Vee",
    "--virtual-printer=FS30-1-0=Fuse",
    "--virtual-printer=FORM-4-0=Shop/Vee 2",
    "--printers",
    printers,
    ...args,
  ]);
  const block = server.file("block.stl", binaryStl(box([10, 10, 10])));
  const spike = server.file("spike.stl", binaryStl(tetrahedron(12)));
  const { call } = server.printwright;
  const post: CompatServer["post"] = (path, body) => call("POST", path, body);
  return {
    ...server,
    block,
    spike,
    get: (path) => call("GET", path),
    post,
    async sceneOf(count, settings = RESIN_SCENE) {
      const { id } = (await post("/scene/", settings)).body;
      const models: string[] = [];
      for (let k = 0; k < count; k++) {
        const position = { x: 20 * k - 20, y: 0, z: 15 };
        models.push((await post(`/scene/${id}/import-model/`, { file: block, position })).body.id);
      }
      return { id, models };
    },
    async close() {
      await server.close();
      rmSync(jobs, { recursive: true });
    },
  };
}

/** Asserts that the clients of 0.9 accept a body. */
export function assertReply(body: unknown, name: ReplyName, what = ""): void {
  const { success, issues } = v.safeParse(REPLIES[name], body);
  assert.ok(success, `${what}: ${issues?.map((issue) => `${v.getDotPath(issue)} ${issue.message}`).join("; ")}`);
}

/** Asserts that a request failed as requests of 0.9 do, and returns its code. */
export function errorOf({ status, body }: Reply, expected = 400): string {
  assert.equal(status, expected, JSON.stringify(body));
  assert.equal(typeof body.error.code, "string");
  assert.notEqual(body.error.message, "");
  return body.error.code;
}
