import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import process from "node:process";
import { describe, test } from "node:test";
import { ApiError } from "../../src/core/api-error.ts";
import { readPostgresUrl } from "../../src/farm/queue/postgres-address.ts";
import { openPostgresQueue } from "../../src/farm/queue/postgres-queue.ts";
import { HAS_POSTGRES, startPostgres } from "../fixture/postgres.ts";

// A server that ends says so to each connection, at any time: right after an answer, while nothing is asked, or twice. Between this server and its clients lies a relay that breaks one of
// their connections after the n-th piece that it passes on, for each n.

/** The message of a server that is stopped, in the protocol of PostgreSQL 3.0 ("ErrorResponse"). */
function shutdownMessage(): Buffer {
  const fields = ["SFATAL", "VFATAL", "C57P01", "Mterminating connection due to administrator command"];
  const body = Buffer.from(`${fields.join("\0")}\0\0`);
  const head = Buffer.alloc(5, "E");
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** How a connection breaks after a piece that it got. */
const BREAKS: Readonly<Record<string, (client: Socket, piece: Buffer) => void>> = {
  "with the answer": (client, piece) => void client.end(Buffer.concat([piece, shutdownMessage()])),
  "after the answer, twice": (client, piece) => {
    client.write(piece);
    setTimeout(() => client.end(Buffer.concat([shutdownMessage(), shutdownMessage()])), 2);
  },
  "with a reset": (client, piece) => {
    client.write(Buffer.concat([piece, shutdownMessage()]));
    setTimeout(() => client.resetAndDestroy(), 1);
  },
};

describe("broken connections", { skip: HAS_POSTGRES ? false : "no PostgreSQL is installed" }, () => {
  for (const [how, breakOff] of Object.entries(BREAKS)) {
    test(`a connection that ends ${how} fails no call and ends no process`, async () => {
      const server = await startPostgres();
      const port = Number(new URL(server.url).port);
      let [pieces, breakAfter] = [0, Number.NaN];
      const relay = createServer((client) => {
        const upstream = connect(port, "127.0.0.1");
        client.on("error", () => upstream.destroy()).pipe(upstream);
        upstream.on("error", () => client.destroy()).on("close", () => client.end());
        upstream.on("data", (piece: Buffer) => {
          if (pieces++ !== breakAfter) return void client.write(piece);
          upstream.destroy();
          breakOff(client, piece);
        });
      }).listen(0, "127.0.0.1");
      await once(relay, "listening");
      const address = readPostgresUrl(
        `postgres://printwright@127.0.0.1:${(relay.address() as AddressInfo).port}/postgres`,
      );
      const unheard: Error[] = [];
      const hear = (error: Error): void => void unheard.push(error);
      process.on("uncaughtException", hear).on("unhandledRejection", hear);
      let keys = 0;
      const work = async (): Promise<void> => {
        const queue = await openPostgresQueue(address);
        const changed = queue.watch();
        await changed(10);
        const jobs = Array.from({ length: 4 }, () => ({ key: `key ${keys++}`, lane: "plate" as const, payload: 1 }));
        // More transactions than connections are open.
        const submitted = await Promise.all(jobs.map((job) => queue.submit([job])));
        const claimed = await queue.claim("w", { plate: 100 });
        await Promise.all(claimed.map((job) => queue.finish(job, 1)));
        const ids = submitted.flat().map(({ id }) => id);
        for (const id of ids) assert.ok(await queue.get(id));
        await queue.close();
      };
      try {
        await work();
        pieces = 0;
        await work();
        const all = pieces;
        assert.ok(all > 30);
        for (breakAfter = 0; breakAfter < all + 3; breakAfter++) {
          pieces = 0;
          await work();
          assert.deepEqual(unheard, [], `after piece ${breakAfter}`);
        }
      } finally {
        process.off("uncaughtException", hear).off("unhandledRejection", hear);
        relay.close();
        await server.stop();
      }
    });
  }

  test("an address at which nobody answers is told at once, with the way out", async () => {
    const refused = openPostgresQueue(readPostgresUrl("postgres://u:s3cret@127.0.0.1:1/d"));
    await assert.rejects(refused, (thrown) => {
      assert.ok(thrown instanceof ApiError && thrown.code === "OPERATION_FAILED");
      assert.match(thrown.message, /Nobody answers at .*u:\*\*\*@127\.0\.0\.1:1\/d: .*ECONNREFUSED.* Start its server/);
      return true;
    });
  });
});
