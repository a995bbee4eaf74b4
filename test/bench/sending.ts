import { closeSync, openSync, writeSync } from "node:fs";
import process from "node:process";
import { prusaLinkProtocol } from "../../src/printer/prusalink/prusalink-protocol.ts";
import { type RunningFake, startFake } from "../fixture/fake/start-fake.ts";
import { connectedPrinter } from "../fixture/until.ts";
import { TOTALS, someJob, someTask } from "../fixture/some-job.ts";
import { type Row, median, mib } from "./measure.ts";

const BYTES = 100_000_000;
const RUNS = 5;
const KEY = "Secret12";

/** Sends jobs of 100 MB over loopback to fake printers, which are separate processes: the rate, and the memory of the server. */
export async function benchSending(): Promise<Row[]> {
  const fake = await startFake("sl1.ts", { api: "v1", auth: "digest", key: KEY, model: "SL1S" });
  try {
    return [await benchPrusaLink(fake)];
  } finally {
    await fake.stop();
  }
}

async function benchPrusaLink({ port }: RunningFake): Promise<Row> {
  const known = {
    protocol: "prusalink",
    host: "127.0.0.1",
    port,
    credentials: { username: undefined, key: KEY },
  } as const;
  const protocol = prusaLinkProtocol({ known: [known], discoveryAddresses: [] });
  const printer = await connectedPrinter(protocol);
  let [writtenMs, peak] = [0, 0];
  const job = {
    extension: ".sl1s",
    machineType: "PRUSA-SL1S",
    printNow: false,
    async writeTo(path: string) {
      writeZeros(path);
      writtenMs = performance.now();
      return TOTALS;
    },
    task: { ...someTask(), report: () => void (peak = Math.max(peak, process.memoryUsage.rss())) },
  };
  const rates: number[] = [];
  // The first job is a warm-up.
  await printer.submit(someJob(job));
  const rest = process.memoryUsage.rss();
  for (let run = 0; run < RUNS; run++) {
    await printer.submit(someJob(job));
    rates.push(BYTES / 1e6 / ((performance.now() - writtenMs) / 1000));
  }
  await protocol.close();
  return {
    what: "sending of a job of 100 MB to an SL1S, looked for afterwards",
    ours: `${Math.round(median(rates))} MB/s, ${mib(Math.max(0, peak - rest))} above rest`,
    aim: "≥ 200 MB/s, below 64 MiB",
  };
}

function writeZeros(path: string): void {
  const piece = new Uint8Array(1_000_000);
  const fd = openSync(path, "w");
  for (let bytes = 0; bytes < BYTES; bytes += piece.length) writeSync(fd, piece);
  closeSync(fd);
}
