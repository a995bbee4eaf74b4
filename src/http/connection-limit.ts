import type { IncomingMessage, Server } from "node:http";
import { ApiError } from "../core/api-error.ts";

/** Limits the number of connected clients, on all addresses together. */
export interface ConnectionLimit {
  watch(server: Server): void;
  /** Reason why a request is not served; undefined if it is served. */
  refusalOf(incoming: IncomingMessage): ApiError | undefined;
}

/** Far more than the programs and pages of a shop; each connection takes a file descriptor, of which systems provide at least 1024. */
export const MAX_CONNECTIONS = 500;
/**
 * Up to this multiple of the limit, connections above the limit get an answer; further ones are closed. Idle ones are closed after a while.
 */
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
            `${most} connections are open, and the server accepts no more: close unused connections, or send requests one after the other over one connection.`,
          )
        : undefined,
  };
}
