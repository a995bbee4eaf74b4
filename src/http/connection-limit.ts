import type { IncomingMessage, Server } from "node:http";
import { ApiError } from "../core/api-error.ts";

/** Bounds how many clients are served at once, on all addresses together. */
export interface ConnectionLimit {
  watch(server: Server): void;
  /** Why the connection of a request is not served; undefined where it is. */
  refusalOf(incoming: IncomingMessage): ApiError | undefined;
}

/** Far more than a shop has programs and pages; each takes a file descriptor, of which systems give 1024 at least. */
export const MAX_CONNECTIONS = 500;
/** Those beyond get an answer up to this multiple; still more are cut off. Those that ask nothing are closed after a while. */
const CUT_OFF_AT = 4;

export function newConnectionLimit(most: number): ConnectionLimit {
  let open = 0;
  const refused = new WeakSet<object>();
  return {
    watch(server) {
      server.maxConnections = Math.ceil(most * CUT_OFF_AT);
      server.on("connection", (socket) => {
        if (++open > most) refused.add(socket);
        socket.once("close", () => open--);
      });
    },
    refusalOf: ({ socket }) =>
      refused.has(socket)
        ? new ApiError(
            "TOO_MANY_CONNECTIONS",
            `${most} connections are open, more are not served: close those that are not used, or make one request after the other over one.`,
          )
        : undefined,
  };
}
