import { type IncomingMessage, type Server, STATUS_CODES, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { ApiError, type ErrorCode, excerpt, toEnvelope } from "../core/api-error.ts";

/** A request and its answer. */
interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/**
 * How long a connection stays open after its last answer: a client that is still sending would lose the answer if the connection closed at
 * once.
 */
const LINGER_MS = 1000;

/**
 * Answers malformed requests with the error envelope: requests that the HTTP parser refuses, of which at most the head is known, and
 * requests that node:http would answer itself. Then closes the connection, since the start of the next request is unknown.
 */
export function answerMalformed(server: Server): void {
  const last = new WeakMap<Duplex, Exchange>();
  server.on("request", (incoming, outgoing) => last.set(incoming.socket, { incoming, outgoing }));
  server.on("clientError", (failure: NodeJS.ErrnoException, socket) => {
    if (failure.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    const error = errorOf(failure);
    const exchange = last.get(socket);
    if (!exchange || exchange.outgoing.writableFinished) return endWith(error, socket);
    // Otherwise a client would read the error as the answer to its earlier request, which is still running.
    if (exchange.incoming.complete) return void exchange.outgoing.on("close", () => endWith(error, socket));
    if (exchange.outgoing.headersSent) return void socket.destroy();
    endWith(error, socket);
  });
  server.on("checkExpectation", ({ headers }, outgoing) => {
    const error = new ApiError(
      "EXPECTATION_FAILED",
      `The server does not support the expectation "${excerpt(headers.expect ?? "")}": omit the header Expect.`,
    );
    const body = Buffer.from(JSON.stringify(toEnvelope(error)));
    outgoing
      .writeHead(error.status, {
        "Content-Type": "application/json",
        "Content-Length": body.length,
        Connection: "close",
      })
      .end(body);
  });
  server.on("connect", ({ url = "" }, socket) =>
    endWith(new ApiError("NOT_FOUND", `CONNECT ${excerpt(url)}: this server is not a proxy.`), socket),
  );
}

const CONTENT_LENGTH = "Its Content-Length is not one whole number, or comes with a Transfer-Encoding";

/** Error codes of the parser that have a meaning other than a wrong byte. */
const CODES: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: [
    "HEADERS_TOO_LARGE",
    "The path and the headers hold more than 16 KiB: send fewer or shorter ones",
  ],
  HPE_INVALID_METHOD: [
    "MALFORMED_REQUEST",
    "It does not begin with a method of HTTP, as GET or POST: use http, not https",
  ],
  // The parser reads text after a blank in the path as the version.
  HPE_INVALID_VERSION: [
    "MALFORMED_REQUEST",
    "Its version of HTTP is not known here, or its path has a blank: use HTTP/1.1, and %20 for a blank",
  ],
  HPE_PAUSED_H2_UPGRADE: ["MALFORMED_REQUEST", "HTTP/2 is not known here: use HTTP/1.1"],
  HPE_INVALID_CONTENT_LENGTH: ["MALFORMED_REQUEST", CONTENT_LENGTH],
  HPE_UNEXPECTED_CONTENT_LENGTH: ["MALFORMED_REQUEST", CONTENT_LENGTH],
  HPE_INVALID_CHUNK_SIZE: ["MALFORMED_REQUEST", "The size of a chunk of the body is no hexadecimal number"],
  ERR_HTTP_REQUEST_TIMEOUT: ["REQUEST_TIMEOUT", "The head of the request did not come in time: send the request again"],
};

function errorOf({ code = "", message }: NodeJS.ErrnoException): ApiError {
  const known = CODES[code];
  if (known) return new ApiError(known[0], `${known[1]}.`);
  const reason = message.replace(/^Parse Error:? ?/, "");
  return new ApiError(
    "MALFORMED_REQUEST",
    `The request is not HTTP/1.1${reason === "" ? "" : `: ${excerpt(reason)}`}.`,
  );
}

function endWith(error: ApiError, socket: Duplex): void {
  if (!socket.writable) return;
  const body = JSON.stringify(toEnvelope(error));
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
