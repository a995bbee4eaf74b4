import { createReadStream } from "node:fs";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import { pipeline } from "node:stream";
import { randomId } from "../sdcp/message.ts";
import { listenOn } from "./listen-on.ts";

/** A listener from which one printer fetches one file. */
export interface FileListener {
  readonly port: number;
  /** Begins with a slash, and cannot be guessed. */
  readonly path: string;
  close(): void;
}

interface ServedFile {
  readonly host: string;
  /** Connections from other addresses are refused. */
  readonly clientAddress: string;
  readonly path: string;
  readonly bytes: number;
  readonly md5: string;
  /** With its dot. */
  readonly extension: string;
  /** Called with the number of bytes of the file that were sent. */
  sent(bytes: number): void;
}

const HEAD_MS = 10_000;
/** A printer that takes no bytes for this long counts as gone. */
const STALLED_MS = 60_000;
const READ_BYTES = 256 * 1024;

/** Serves the file on a free port of an address of this machine. Throws OPERATION_FAILED where the machine lacks the address. */
export async function serveFile(file: ServedFile): Promise<FileListener> {
  const { host, clientAddress, bytes, md5, extension } = file;
  const path = `/${randomId()}${extension}`;

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const isFor = request.url === path && request.socket.remoteAddress === clientAddress;
    if (!isFor || !["GET", "HEAD"].includes(request.method ?? "")) {
      response.writeHead(404, { Connection: "close" }).end();
      return;
    }
    response.writeHead(200, {
      "Content-Type": "application/octet-stream",
      "Content-Length": bytes,
      // The maker's program serves printers with this header.
      Etag: md5,
    });
    if (request.method === "HEAD") {
      response.end();
      return;
    }
    const stream = createReadStream(file.path, { highWaterMark: READ_BYTES });
    let sent = 0;
    stream.on("data", (piece) => file.sent((sent += piece.length)));
    // The printer itself connects again after a connection broke.
    pipeline(stream, response, () => {});
  }

  const server = createServer({ headersTimeout: HEAD_MS, requestTimeout: HEAD_MS }, answer);
  server.setTimeout(STALLED_MS);
  server.maxConnections = 8;
  return {
    port: await listenOn(server, host),
    path,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
