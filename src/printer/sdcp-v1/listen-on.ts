import type { AddressInfo, Server } from "node:net";
import { operationFailed } from "../../core/api-error.ts";

/** Listens on a free port of an address of this machine and returns the port. Throws OPERATION_FAILED where that fails. */
export async function listenOn(server: Server, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) =>
      reject(
        operationFailed(
          `The printer would fetch the job from ${host}, where this server cannot listen (${error.message}): start it with the ` +
            "--sdcp-v1-host of a network interface of this machine. Nothing was sent.",
        ),
      ),
    );
    server.listen(0, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}
