import assert from "node:assert/strict";
import { once } from "node:events";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { runCommand } from "../fixture/command.ts";
import { type Printwright, startPrintwright } from "../fixture/printwright.ts";

let printwright: Printwright;
/** Answers /sick with 503, and nothing else at all. */
const sickServer: Server = createServer((request, response) => {
  if (request.url === "/sick") response.writeHead(503).end();
});
let sick = "";

before(async () => {
  printwright = await startPrintwright();
  sickServer.listen(0, "127.0.0.1");
  await once(sickServer, "listening");
  sick = `http://127.0.0.1:${(sickServer.address() as AddressInfo).port}`;
});
after(async () => {
  sickServer.close().closeAllConnections();
  await printwright.stop();
});

const health = (...words: string[]) => runCommand(["health", ...words], ".");

test("a server that answers is well, by its address and by a path of it", async () => {
  const address = `http://localhost:${printwright.port}`;
  const answers = await Promise.all([health(address), health(`${address}/openapi.json`)]);
  for (const { status, stdout, stderr } of answers) {
    assert.deepEqual([status, stderr], [0, ""]);
    assert.equal(stdout, `localhost:${printwright.port} answers\n`);
  }
});

test("a status of failure, no answer and no server are failures that are named", async () => {
  const [failing, silent, absent] = await Promise.all([
    health(`${sick}/sick`),
    health(`${sick}/silent`, "--timeout", "1"),
    health("http://127.0.0.1:9"),
  ]);
  assert.deepEqual([failing.status, silent.status, absent.status], [1, 1, 1]);
  assert.match(failing.stderr, /answers \/sick with status 503/);
  assert.match(silent.stderr, /did not answer wholly within 1 s/);
  assert.match(absent.stderr, /127\.0\.0\.1:9 refuses connections/);
});

test("wrong words are told apart from a server that is not well", async () => {
  for (const words of [
    [],
    ["localhost:1"],
    ["file:///etc"],
    ["http://a", "http://b"],
    ["http://a", "--timeout", "0"],
  ]) {
    const { status, stderr } = await health(...words);
    assert.equal(status, 2, words.join(" "));
    assert.match(stderr, /name one address|--timeout must be/);
  }
});
