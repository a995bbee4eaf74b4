import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { connect } from "node:net";
import { TEXT_MUTATIONS, mutated } from "../../fixture/mutated.ts";
import { type Family, type Lane, type SendInput, pick } from "./family.ts";

/** Headers that change how the rest is read, or which host is addressed. */
const HEADERS = [
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: gzip, chunked",
  "Content-Length: -1",
  "Content-Length: 99999999999999999999",
  "Content-Length: 0",
  "Content-Length: 1, 2",
  "Expect: 100-continue",
  "Connection: upgrade\r\nUpgrade: websocket",
  "Host: localhost\r\nHost: example.com",
  "Host: example.com",
  "Origin: null",
  "Sec-Fetch-Site: cross-site",
  `X-Long: ${"a".repeat(20_000)}`,
  ` folded`,
  "No-Colon",
  "\0: \0",
  "X-É: é",
];

/** Requests that are answered if they are not mutated. */
function requests(port: number): Uint8Array[] {
  const head = (line: string): string => `${line} HTTP/1.1\r\nHost: localhost:${port}\r\n`;
  const body = '{"machine_type": "FORM-4-0", "material_code": "FLGPGR05", "layer_thickness_mm": 0.1}';
  const post = `${head("POST /v1/print-setting/validate/")}Content-Length: ${body.length}\r\n\r\n${body}`;
  const chunks = `${head("POST /v1/print-setting/validate/")}Transfer-Encoding: chunked\r\n\r\n10\r\n${body.slice(0, 16)}\r\n${(body.length - 16).toString(16)};ext=1\r\n${body.slice(16)}\r\n0\r\n\r\n`;
  const get = `${head("GET /v1/")}Connection: close\r\n\r\n`;
  const query = `${head("GET /v1/operation/get/?operation_id=00000000-0000-4000-8000-000000000000&mode=oneshot")}\r\n`;
  const withBody = `${head("GET /v1/device/list/?can_print=true")}Content-Length: 2\r\n\r\n{}`;
  return [post, chunks, get, query, withBody, post + chunks + get].map((text) => Buffer.from(text));
}

/** Mutated HTTP requests, mutated byte by byte, each on a separate connection, whole or in pieces. */
export const mutatedFraming: Family = {
  name: "framing",
  share: 2,
  lanes: 24,
  async open({ random, server, note }: Lane): Promise<SendInput> {
    const { port } = server.printwright;
    const seeds = requests(port);
    return async () => {
      let bytes = mutated(pick(seeds, random), TEXT_MUTATIONS, random);
      if (random() < 0.3) {
        const at = Buffer.from(bytes).indexOf("\r\n") + 2;
        bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(`${pick(HEADERS, random)}\r\n`), bytes.subarray(at)]);
      }
      note(bytes);
      const cut = random() < 0.2 ? Math.floor(random() * bytes.length) : bytes.length;
      const text = await exchange(port, [bytes.subarray(0, cut), bytes.subarray(cut)]);
      assert.ok(text === "" || text.startsWith("HTTP/1.1 "), text.slice(0, 100));
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
      assert.ok(
        statuses.every((status) => status < 500),
        text.slice(0, 1000),
      );
      return statuses.at(-1) ?? 0;
    };
  },
};

/** Sends the pieces, ends the sending side, and reads until the server closes. */
function exchange(port: number, pieces: readonly Uint8Array[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const done = (): void => resolve(Buffer.concat(chunks).toString("latin1"));
    const socket = connect({ port, host: "127.0.0.1" });
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("close", done);
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") reject(error);
    });
    const [first, ...rest] = pieces.filter(({ length }) => length > 0);
    if (!first) socket.end();
    else
      socket.write(first, () => {
        for (const piece of rest) socket.write(piece);
        socket.end();
      });
  });
}
