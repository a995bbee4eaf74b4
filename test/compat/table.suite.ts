import assert from "node:assert/strict";
import { before, test } from "node:test";
import { ROWS } from "../../src/compat/compat.ts";
import { type CompatServer, POWDER_SCENE, RESIN_SCENE, assertReply, errorOf } from "./compat-server.ts";
import { REQUESTS, type Request } from "./requests.ts";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import { longTest, slowCases } from "../fixture/long.ts";
import { UNKNOWN_ID } from "../fixture/test-server.ts";

/** The table of the 0.9 interface: each of its paths, requested as its clients do. */
export function tableSuite(serverOf: () => CompatServer): void {
  let server: CompatServer;
  before(async () => {
    server = serverOf();
    server.file("new.formware", Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(4096)]));
    for (const [settings, file] of [
      [RESIN_SCENE, "saved.form"],
      [POWDER_SCENE, "saved-powder.form"],
    ] as const) {
      const { id } = await server.sceneOf(2, settings);
      await server.post(`/scene/${id}/save-form/`, { file: `${server.folder}/${file}` });
    }
  });

  const title = ({ method, path, body }: Request): string => `${method} ${path} ${JSON.stringify(body ?? "")}`;

  /** Sends a request on a new scene; `alter` may change its path. */
  async function send(request: Request, alter: (path: string) => string = (path) => path): Promise<Reply> {
    const saved = `${server.folder}/${request.powder ? "saved-powder" : "saved"}.form`;
    const { id, models } = (await server.post("/load-form/", { file: saved })).body;
    const values: Record<string, string> = { $scene: id, $a: models[0].id, $b: models[1].id, $folder: server.folder };
    if (request.path.includes("$operation")) {
      values.$operation = (await server.post(`/scene/${id}/auto-orient/?async=true`, {})).body.operationId;
    }
    const resolved = (text: string): string =>
      text.replace(/\$(scene|folder|operation|a|b)\b/g, (name) => values[name] ?? name);
    const body = request.body && JSON.parse(resolved(JSON.stringify(request.body)));
    return server.printwright.call(request.method, resolved(alter(request.path)), body);
  }

  const withQuery = (path: string, query: string): string => `${path}${path.includes("?") ? "&" : "?"}${query}`;
  const withoutSlash = (path: string): string => path.replace(/(?<=.)\/(?=\?|$)/, "");
  const withoutScene = (path: string): string => path.replace("/$scene", "");

  for (const request of REQUESTS) {
    const runAtOnce = (alter: (path: string) => string) => async (): Promise<void> => {
      const { status, headers, body } = await send(request, alter);
      assert.equal(status, 200, `${alter(request.path)}: ${JSON.stringify(body)}`);
      assertReply(body, request.reply, alter(request.path));
      if (body !== undefined) assert.match(String(headers["content-type"]), /^application\/json/);
    };
    const asOperation = async (): Promise<void> => {
      const begun = await send(request, (path) => withQuery(path, "async=True"));
      assert.equal(begun.body.operationId, begun.body.operation_id, JSON.stringify(begun.body));
      const { status, progress, result } = await awaitOperation(server.printwright, begun);
      assert.equal(status, "SUCCEEDED", JSON.stringify(result));
      assert.equal(progress, 1);
      assertReply(result, request.reply, "operation");
    };
    const run = request.long ? longTest : test;
    run(title(request), async () => {
      if (request.path === "/user/") await send(REQUESTS.find(({ path }) => path === "/login/")!);
      const trials = [
        ...(request.deprecated ? [runAtOnce(withoutScene)] : []),
        runAtOnce((path) => withQuery(path, "async=false")),
        runAtOnce(withoutSlash),
        ...(request.async ? [asOperation] : []),
      ];
      for (const trial of request.slow ? slowCases(trials) : trials) await trial();
    });
  }

  test("every path and method of the server's table has a request in the list", () => {
    const asked = new Set(REQUESTS.map(({ method, path }) => `${method} ${patternOf(path)}`));
    for (const row of ROWS) {
      const path = row.onlyDefault ? row.path.replace("/:scene/", "/default/") : row.path;
      const patterns = [path, ...(row.alsoOfNewest ? [path.replace("/:scene", "")] : [])];
      assert.ok(
        patterns.some((pattern) => asked.has(`${row.method} ${pattern}`)),
        `${row.method} ${path}`,
      );
    }
  });

  const patternOf = (path: string): string =>
    path
      .replace(/\?.*/, "")
      .replace("$scene", ":scene")
      .replace(/\$(a|operation)|(?<=\/devices\/)\w+/, ":id");

  test("an unknown or malformed scene, an unknown model and an unknown device are 400 in the error envelope", async () => {
    const { id } = await server.sceneOf(1);
    for (const { method, path, body } of REQUESTS) {
      if (!path.includes("$scene")) continue;
      for (const scene of [UNKNOWN_ID, "nonsense"]) {
        const reply = await server.printwright.call(method, path.replace("$scene", scene), body);
        errorOf(reply);
        if (path.includes("$a")) errorOf(await server.printwright.call(method, path.replace("$scene", id), body));
      }
    }
    for (const path of ["/devices/nobody/", "/devices/nobody"]) errorOf(await server.get(path));
    errorOf(await server.post("/load-form/", { file: "/nowhere/a.form" }));
    errorOf(await server.post("/upload-firmware/", { printer: "nobody", file_path: "/a.formware" }));
  });

  test("missing operations and users are 404; other methods and paths have their own errors", async () => {
    assert.equal(errorOf(await server.get(`/operations/${UNKNOWN_ID}/`), 404), "NOT_FOUND");
    await server.post("/logout/");
    errorOf(await server.get("/user/"), 404);
    const wrong = await server.printwright.call("PATCH", "/scene/");
    assert.equal(errorOf(wrong, 405), "METHOD_NOT_ALLOWED");
    assert.equal(wrong.headers.allow, "POST, GET, PUT");
    errorOf(await server.get("/no/such/path/"), 404);
    errorOf(await server.post("/scene/import-model/?async=maybe", { file: server.block }));
    errorOf(await server.printwright.call("POST", "/scene/", undefined, { raw: "{" }));
  });

  test("an invalid request fails at once, also with async=true", async () => {
    const { id } = await server.sceneOf(1);
    for (const [path, body] of [
      ["import-model", { repair_behavior: "ERROR" }],
      ["import-model", { file: "/a.xyz" }],
      ["auto-layout", { model_spacing_mm: -1 }],
      ["auto-support", { density: "much" }],
      ["print", { printer: "Vee" }],
      ["scan-to-model", { file: server.block, extrude_distance_mm: -3, cutoff_height_mm: 1 }],
    ] as const) {
      const reply = await server.post(`/scene/${id}/${path}/?async=true`, body);
      assert.match(errorOf(reply), /^(JSON_SCHEMA_MATCH_ERROR|INPUT_ERROR)$/);
    }
  });

  test("an operation that failed has the code and message of its error", async () => {
    const begun = await server.post("/scene/import-model/?async=true", { file: "/nowhere/a.stl" });
    const { status, result } = await awaitOperation(server.printwright, begun);
    assert.equal(status, "FAILED");
    assert.equal(result.error.code, "OPERATION_FAILED");
  });
}
