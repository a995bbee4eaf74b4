import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { EventLog, LogDetails } from "../../src/core/event-log.ts";
import { odysseyProtocol } from "../../src/printer/odyssey/odyssey-protocol.ts";
import type { Protocol } from "../../src/printer/printer.ts";
import { prusaLinkProtocol } from "../../src/printer/prusalink/prusalink-protocol.ts";
import { sdcpProtocol } from "../../src/printer/sdcp/sdcp-protocol.ts";
import { TIMING } from "../../src/printer/sdcp/timing.ts";
import { FAST } from "../fixture/polled.ts";
import { until } from "../fixture/until.ts";

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

interface Written extends LogDetails {
  readonly event: string;
}

const timing = { ...TIMING, probeMs: 30, probesMs: [0], backoffMs: [5, 5] as const };

const WAYS = {
  odyssey: (known, log) => odysseyProtocol({ known, log, timing: FAST }),
  prusalink: (known, log) => prusaLinkProtocol({ known, log, timing: FAST, discoveryAddresses: [] }),
  sdcp: (known, log) => sdcpProtocol({ known, log, timing, discoveryAddresses: [] }),
} satisfies Record<string, (known: Parameters<typeof odysseyProtocol>[0]["known"], log: EventLog) => Protocol>;

const REASONS = {
  odyssey: /refuses connections: check/,
  prusalink: /refuses connections: check/,
  sdcp: /does not answer.*: check/,
};

for (const name of ["odyssey", "prusalink", "sdcp"] as const) {
  test(`${name}: a printer that is named at the start and off is logged once with the reason, and listed as missing`, async () => {
    const lines: Written[] = [];
    const log: EventLog = { write: (event, details) => void lines.push({ ...details, event }), close() {} };
    const known = { protocol: name, host: "127.0.0.1", port: await closedPort(), name: "Off" };
    const protocol = WAYS[name]([known], log);
    try {
      await until("it is logged", () => lines.length > 0);
      await sleep(150);
      assert.deepEqual(
        lines.map(({ event, printer }) => [event, printer]),
        [["printer not reached", "Off"]],
      );
      assert.match(String(lines[0].reason), REASONS[name]);
      const [missing, ...more] = protocol.missing!();
      assert.deepEqual(more, []);
      assert.match(missing.why, REASONS[name]);
      for (const one of ["Off", "127.0.0.1", `127.0.0.1:${known.port}`]) assert.ok(missing.names.includes(one), one);
    } finally {
      await protocol.close();
    }
    assert.equal(lines.length, 1, "closing is logged as a failure");
  });
}
