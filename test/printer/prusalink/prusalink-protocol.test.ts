import { after } from "node:test";
import type { KnownPrinter } from "../../../src/printer/known-printers.ts";
import { prusaLinkProtocol } from "../../../src/printer/prusalink/prusalink-protocol.ts";
import type { FakeSl1Options } from "../../fixture/fake/sl1.ts";
import { startFake } from "../../fixture/fake/start-fake.ts";
import { FAST, closedLater, connectedPrinter, until } from "../../fixture/polled.ts";
import { printerSuite } from "../../fixture/printer-suite.ts";

const KEY = "Secret12";

const knownAt = (port: number, key: string | undefined = KEY): KnownPrinter => ({
  protocol: "prusalink",
  host: "127.0.0.1",
  port,
  credentials: key === undefined ? undefined : { username: undefined, key },
});

const KINDS: readonly (readonly [what: string, options: FakeSl1Options])[] = [
  ["an SL1 of older firmware", { api: "legacy", auth: "digest", key: KEY, model: "SL1" }],
  ["an SL1S that takes PUT", { api: "v1", auth: "digest", key: KEY, model: "SL1S" }],
  ["an SL1S without PUT, behind a plain key", { api: "v1 without PUT", auth: "key", key: KEY, model: "SL1S" }],
];

for (const [what, options] of KINDS) {
  const fake = await startFake("sl1.ts", options);
  after(() => fake.stop());
  printerSuite(what, async () => {
    const idle = options.api === "legacy" ? "Ready" : "FINISHED";
    await fake.change({ files: {}, started: [], requests: [], state: idle });
    const protocol = closedLater(prusaLinkProtocol({ known: [knownAt(fake.port)], pace: FAST }));
    const printer = await connectedPrinter(protocol);
    const job = {
      extension: options.model === "SL1" ? ".sl1" : ".sl1s",
      machineType: `PRUSA-${options.model}`,
    };
    const finishPrint = async (): Promise<void> => {
      await fake.change({ state: idle });
      await until("ready again", () => printer.isReady());
    };
    return { printer, job, finishPrint };
  });
}
