import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { listen } from "../../../src/http/listen.ts";
import { isDeno } from "../../fixture/printwright.ts";
import { codeOfEnvelope } from "../../fixture/test-server.ts";

// Earlier, requests that the HTTP parser refuses had an empty answer, and targets in absolute form were NOT_FOUND.

let listener: Awaited<ReturnType<typeof listen>>;
const waiting: (() => void)[] = [];
before(async () => {
  listener = await listen(
    async ({ url }, { rawBody }) => {
      if (url.endsWith("/slow")) await new Promise<void>((resolve) => waiting.push(resolve));
      return Response.json({ url, size: rawBody.size });
    },
    { port: 0, addresses: ["127.0.0.1"], allowedHosts: ["shop"] },
  );
});
after(() => listener.close());

/** All that the server answers until it closes the connection. */
function exchange(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(listener.port, "127.0.0.1", () => socket.write(text, "latin1"));
    socket.on("data", (chunk) => (received += chunk));
    socket.on("close", () => resolve(received));
    socket.on("error", reject);
  });
}

interface Answer {
  readonly status: number;
  readonly body: any;
}

/** The answers of a connection, each with the length that it states. */
function answersIn(text: string): Answer[] {
  const answers: Answer[] = [];
  for (let rest = text; rest !== "";) {
    const [head, status] = /^HTTP\/1\.1 (\d{3}) [^]*?\r\n\r\n/.exec(rest) ?? assert.fail(rest);
    const length = Number(/\r\nContent-Length: (\d+)\r\n/i.exec(head)?.[1] ?? assert.fail(head));
    const body = rest.slice(head.length, head.length + length);
    answers.push({ status: Number(status), body: JSON.parse(body) });
    rest = rest.slice(head.length + length);
  }
  return answers;
}

const LOCAL = "Host: localhost\r\n";
const chunked = (chunks: string): string =>
  `POST /v1/ HTTP/1.1\r\n${LOCAL}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n${chunks}`;

const MALFORMED: readonly (readonly [what: string, text: string, status: number, code: string, message: RegExp])[] = [
  ["a line that is no request", "nonsense\r\n\r\n", 400, "MALFORMED_REQUEST", /method of HTTP/],
  ["a method that is none", `FETCH /v1/ HTTP/1.1\r\n${LOCAL}\r\n`, 400, "MALFORMED_REQUEST", /method of HTTP/],
  ["the first bytes of https", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400, "MALFORMED_REQUEST", /not https/],
  ["another version", `GET /v1/ HTTP/9.9\r\n${LOCAL}\r\n`, 400, "MALFORMED_REQUEST", /use HTTP\/1\.1/],
  ["a blank in the path", `GET /v1/a b HTTP/1.1\r\n${LOCAL}\r\n`, 400, "MALFORMED_REQUEST", /%20 for a blank/],
  ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "MALFORMED_REQUEST", /HTTP\/2 .*use HTTP\/1\.1/],
  ["a header without a colon", `GET / HTTP/1.1\r\n${LOCAL}None\r\n\r\n`, 400, "MALFORMED_REQUEST", /header token/],
  [
    "a length that is no number",
    `POST / HTTP/1.1\r\n${LOCAL}Content-Length: a\r\n\r\n`,
    400,
    "MALFORMED_REQUEST",
    /Length/,
  ],
  ["a chunk without a size", chunked("ZZ\r\nabc\r\n"), 400, "MALFORMED_REQUEST", /size of a chunk/],
  ["long headers", `GET / HTTP/1.1\r\n${LOCAL}X: ${"x".repeat(70_000)}\r\n\r\n`, 431, "HEADERS_TOO_LARGE", /16 KiB/],
  ["a long path", `GET /${"x".repeat(70_000)} HTTP/1.1\r\n${LOCAL}\r\n`, 431, "HEADERS_TOO_LARGE", /16 KiB/],
  ["no Host", "GET /v1/ HTTP/1.1\r\n\r\n", 403, "FORBIDDEN_ORIGIN", /Host/],
  ["CONNECT", `CONNECT shop:80 HTTP/1.1\r\n${LOCAL}\r\n`, 404, "NOT_FOUND", /not a proxy/],
  [
    "an unknown expectation",
    `POST / HTTP/1.1\r\n${LOCAL}Expect: tea\r\nContent-Length: 0\r\n\r\n`,
    417,
    "EXPECTATION_FAILED",
    /"tea"/,
  ],
];

for (const [what, text, status, code, message] of MALFORMED) {
  test(`${what} is answered with the error envelope, and the connection ends`, async () => {
    const answers = answersIn(await exchange(text));
    assert.deepEqual([answers.length, answers[0].status], [1, status]);
    assert.equal(codeOfEnvelope(answers[0].body), code);
    // Deno's parser does not report what is wrong.
    if (code !== "MALFORMED_REQUEST" || !isDeno) assert.match(answers[0].body.error.message, message);
  });
}

test("the request before a malformed one gets its own answer first, even if it takes a while", async () => {
  const slow = `GET /slow HTTP/1.1\r\n${LOCAL}\r\n`;
  const answering = exchange(`${slow}nonsense\r\n\r\n`);
  while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  waiting.forEach((answer) => answer());
  const [first, second, ...more] = answersIn(await answering);
  assert.deepEqual([first.status, first.body.size, more], [200, 0, []]);
  assert.equal(codeOfEnvelope(second.body), "MALFORMED_REQUEST");
});

test("a target in absolute form is answered as its path, if its host may call", async () => {
  const ask = async (target: string, host = "localhost"): Promise<Answer> =>
    answersIn(await exchange(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`))[0];
  for (const [target, path] of [
    ["http://localhost/v1/?async=true", "/v1/?async=true"],
    ["HTTP://SHOP:80/v1/", "/v1/"],
    ["http://127.0.0.1", "/"],
    ["http://localhost?a=b", "/?a=b"],
  ])
    assert.deepEqual(await ask(target), { status: 200, body: { url: `http://localhost${path}`, size: 0 } });
  for (const target of ["http://evil.example/v1/", "http://localhost@evil.example/v1/", "http:///v1/"])
    assert.equal(codeOfEnvelope((await ask(target)).body), "FORBIDDEN_ORIGIN", target);
  assert.equal(codeOfEnvelope((await ask("http://localhost/v1/", "evil.example")).body), "FORBIDDEN_ORIGIN");
});
