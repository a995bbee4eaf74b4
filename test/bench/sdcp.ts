import { linkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { connectTo, gooFile, gooJob } from "../fixture/sdcp-bench.ts";
import { until } from "../fixture/until.ts";
import { startSdcpFakes } from "../fixture/sdcp-fake.ts";
import { TOTALS } from "../fixture/some-job.ts";
import { type Row, mib, ms, processorMs, quantile, timed, withFolder, withServer } from "./measure.ts";

const BYTES = 100_000_000;
const SENDINGS = 5;

/** Sending a job of 100 MB to a printer in another process on this machine: the check sum, 96 parts, the list afterwards. */
const benchSending = (): Promise<Row[]> =>
  withFolder(async (folder) => {
    const fakes = await startSdcpFakes({});
    const { printer, protocol } = await connectTo(fakes.printers[0]);
    const file = join(folder, "job.goo");
    writeFileSync(file, gooFile());
    truncateSync(file, BYTES);
    const job = () =>
      gooJob({
        printNow: false,
        writeTo: async (path) => {
          linkSync(file, path);
          return TOTALS;
        },
      });
    const times = [];
    const cpu = process.cpuUsage();
    const rest = process.memoryUsage.rss();
    let peak = rest;
    const watching = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
    for (let i = 0; i < SENDINGS; i++) times.push(await timed(() => printer.submit(job())));
    clearInterval(watching);
    const { user, system } = process.cpuUsage(cpu);
    await protocol.close();
    await fakes.stop();
    const best = Math.min(...times);
    return [
      {
        what: "a job of 100 MB sent to an SDCP printer over loopback",
        ours: `${Math.round(BYTES / 1000 / best)} MB/s (${ms(best)})`,
        beside: `${ms((user + system) / 1000 / SENDINGS)} of processor time, ${mib(peak - rest)} above rest`,
        aim: "≥ 100 MB/s, ≤ 64 MiB",
      },
    ];
  });

const PRINTERS = 50;
const WATCHED_MS = 20_000;
const LISTS = 200;

/** The processor time for watching many printers, and for listing them. */
async function benchWatching(): Promise<Row[]> {
  const fakes = await startSdcpFakes(
    ...Array.from({ length: PRINTERS }, (_, i) => ({ mainboardId: `b${i}`, name: `Saturn ${i}` })),
  );
  const args = fakes.printers.flatMap(({ port }) => ["--printer", `sdcp://127.0.0.1:${port}`]);
  const rows = await withServer(async ({ pid, call }) => {
    const list = () => call("GET", "/v1/device/list/");
    await until("all printers are connected", async () => (await list()).body.count === PRINTERS);
    const shareOf = async (): Promise<string> => {
      const before = processorMs(pid);
      await sleep(WATCHED_MS);
      return `${((100 * (processorMs(pid) - before)) / WATCHED_MS).toFixed(2)} % of a core`;
    };
    const idle = await shareOf();
    for (const fake of fakes.printers) await fake.act("print");
    await until("all print", async () => (await list()).body.devices.every((one: any) => !one.ready_to_print_now));
    const printing = await shareOf();
    const times = [];
    for (let i = 0; i < LISTS; i++) times.push(await timed(list));
    return [
      { what: `${PRINTERS} idle printers watched`, ours: idle, aim: "< 2 %" },
      { what: `${PRINTERS} printing printers watched`, ours: printing, aim: "< 2 %" },
      {
        what: `device/list of ${PRINTERS} printers`,
        ours: `p50 ${ms(quantile(times, 0.5))}, p99 ${ms(quantile(times, 0.99))}`,
        aim: "≤ 10 ms",
      },
    ];
  }, args);
  await fakes.stop();
  return rows;
}

export const benchSdcp = async (): Promise<Row[]> => [...(await benchSending()), ...(await benchWatching())];
