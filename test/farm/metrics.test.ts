import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { test } from "node:test";
import type { JobQueue } from "../../src/farm/queue/job-queue.ts";
import { Counter, Histogram, METRICS_TYPE, metricText } from "../../src/farm/metrics/metric-text.ts";
import { measuredFiles } from "../../src/farm/metrics/measured-files.ts";
import { parseMetricsAddress } from "../../src/farm/metrics/metrics-address.ts";
import { workerMetrics } from "../../src/farm/metrics/worker-metrics.ts";
import { openSqliteQueue } from "../../src/farm/queue/sqlite-queue.ts";
import { openFileCache } from "../../src/farm/store/file-cache.ts";
import { openFolderStore } from "../../src/farm/store/folder-store.ts";
import { startServer } from "../../src/server.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const write = temporaryFiles();

interface Parsed {
  readonly type: string;
  /** Values by their names and labels as written. */
  readonly values: Record<string, number>;
}

/** Reads the text format 0.0.4 by its grammar, and asserts that each metric has its HELP and TYPE first, once, with its samples together. */
function parse(text: string): Record<string, Parsed> {
  const found: Record<string, Parsed> = {};
  assert.ok(text.endsWith("\n"));
  let name = "";
  for (const line of text.slice(0, -1).split("\n")) {
    const [, keyword, of = "", rest = ""] = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.*)$/.exec(line) ?? [];
    if (keyword === "HELP") {
      assert.ok(!(of in found), line);
      name = of;
    } else if (keyword === "TYPE") {
      assert.equal(of, name);
      assert.match(rest, /^(counter|gauge|histogram)$/);
      found[name] = { type: rest, values: {} };
    } else {
      const sample = /^([a-zA-Z_:][\w:]*)(\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\n"])*",?)*\})? (-?[\d.e+-]+|\+Inf)$/.exec(
        line,
      );
      assert.ok(sample, line);
      const [, of = "", labels = "", value = ""] = sample;
      const family = found[name];
      assert.ok(family);
      const suffix = of.slice(name.length);
      assert.ok(
        of.startsWith(name) && (family.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""]).includes(suffix),
        line,
      );
      assert.ok(!(of + labels in family.values), line);
      family.values[of + labels] = value === "+Inf" ? Infinity : Number(value);
    }
  }
  return found;
}

test("names, labels and values are written as the format says", () => {
  const count = new Counter();
  count.add({ why: 'a "b" \\ c\nd' }, 2);
  count.add({ why: 'a "b" \\ c\nd' });
  const text = metricText([count.family("x_total", "one\ntwo \\")]);
  assert.equal(text, '# HELP x_total one\\ntwo \\\\\n# TYPE x_total counter\nx_total{why="a \\"b\\" \\\\ c\\nd"} 3\n');
  parse(text);
});

test("buckets of a histogram have all values up to their bounds", () => {
  const histogram = new Histogram([1, 5]);
  for (const seconds of [0.5, 1, 3, 9]) histogram.observe(seconds, { lane: "plate" });
  const { values } = parse(metricText([histogram.family("h", "H")]))["h"] ?? assert.fail();
  assert.deepEqual(values, {
    'h_bucket{lane="plate",le="1"}': 2,
    'h_bucket{lane="plate",le="5"}': 3,
    'h_bucket{lane="plate",le="+Inf"}': 4,
    'h_sum{lane="plate"}': 13.5,
    'h_count{lane="plate"}': 4,
  });
});

test("an address is a port of this machine, or names its interface", () => {
  assert.deepEqual(parseMetricsAddress("9464"), { host: "127.0.0.1", port: 9464 });
  assert.deepEqual(parseMetricsAddress("0.0.0.0:0"), { host: "0.0.0.0", port: 0 });
  assert.deepEqual(parseMetricsAddress("[::]:9464"), { host: "::", port: 9464 });
  for (const text of ["", "x", "70000", "host:9464", ":9464"])
    assert.throws(() => parseMetricsAddress(text), { code: "INPUT_ERROR" }, text);
});

test("a worker tells of the queue and of what it did, without names of anybody", async () => {
  const queue = await openSqliteQueue(write("queue.sqlite", ""));
  let isDraining = false;
  const metrics = await workerMetrics({ host: "127.0.0.1", port: 0 }, queue, { quote: 2, plate: 1 }, () => isDraining);
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${metrics.port}${path}`);
    return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
  };
  const keys = ["done", "retried", "failed", "waits"];
  await queue.submit(keys.map((key) => ({ key, lane: "plate", payload: 1, group: "customer 7" })));
  const [done, retried, failed] = await metrics.queue.claim("w", { plate: 3 });
  assert.ok(done && retried && failed);
  await metrics.queue.finish(done, 1);
  const error = { code: "OPERATION_FAILED", message: "m" };
  await metrics.queue.fail(retried, { kind: "retry", error });
  await queue.fail(failed, { kind: "failed", error });
  assert.equal(await metrics.queue.finish(failed, 1), false);
  const { status, type, text } = await get("/metrics");
  assert.deepEqual([status, type], [200, METRICS_TYPE]);
  const found = parse(text);
  const valuesOf = (name: string) => found[name]?.values ?? assert.fail(name);
  const jobs = Object.entries(valuesOf("printwright_jobs")).filter(([, value]) => value > 0);
  assert.deepEqual(Object.fromEntries(jobs), {
    'printwright_jobs{lane="plate",state="ready"}': 2,
    'printwright_jobs{lane="plate",state="done"}': 1,
    'printwright_jobs{lane="plate",state="failed"}': 1,
  });
  assert.deepEqual(valuesOf("printwright_attempts_total"), {
    'printwright_attempts_total{lane="plate",status="done"}': 1,
    'printwright_attempts_total{lane="plate",status="retry"}': 1,
  });
  assert.deepEqual(valuesOf("printwright_lease_lost_total"), { printwright_lease_lost_total: 1 });
  assert.equal(valuesOf("printwright_job_wait_seconds")['printwright_job_wait_seconds_count{lane="plate"}'], 3);
  assert.equal(
    valuesOf("printwright_job_run_seconds")['printwright_job_run_seconds_count{lane="plate",outcome="done"}'],
    1,
  );
  assert.equal(valuesOf("printwright_worker_slots")['printwright_worker_slots{lane="quote"}'], 2);
  assert.equal(valuesOf("printwright_queue_up")["printwright_queue_up"], 1);
  assert.ok((valuesOf("process_resident_memory_bytes")["process_resident_memory_bytes"] ?? 0) > 1e6);
  assert.ok(!text.includes("customer"));
  assert.equal((await get("/health/live")).status, 200);
  assert.equal((await get("/health/ready")).status, 200);
  assert.equal((await get("/elsewhere")).status, 404);
  isDraining = true;
  assert.deepEqual(await get("/health/ready"), { status: 503, type: "text/plain", text: "draining\n" });
  metrics.close();
  await queue.close();
});

test("a queue that does not answer is told, and makes the worker not ready", async () => {
  const away = new Proxy({} as JobQueue, { get: () => async () => Promise.reject(new Error("away")) });
  const metrics = await workerMetrics({ host: "127.0.0.1", port: 0 }, away, { quote: 0, plate: 1 }, () => false);
  const ready = await fetch(`http://127.0.0.1:${metrics.port}/health/ready`);
  assert.deepEqual([ready.status, await ready.text()], [503, "the queue does not answer\n"]);
  const found = parse(await (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text());
  assert.equal(found["printwright_queue_up"]?.values["printwright_queue_up"], 0);
  assert.ok(!("printwright_jobs" in found));
  const second = workerMetrics({ host: "127.0.0.1", port: metrics.port }, away, { quote: 0, plate: 1 }, () => false);
  await assert.rejects(second, { code: "OPERATION_FAILED" });
  metrics.close();
});

test("a server tells of its scenes and printers on a port of its own", async () => {
  const metrics = { host: "127.0.0.1", port: 0 };
  const server = await startServer({ port: 0, allowedHosts: [], maxScenes: 10, maxMemoryBytes: 2 ** 32, metrics });
  const get = (path: string) => fetch(`http://127.0.0.1:${server.metricsPort}${path}`);
  try {
    const found = parse(await (await get("/metrics")).text());
    const valueOf = (name: string): unknown => found[name]?.values[name];
    assert.equal(valueOf("printwright_scenes"), 1);
    assert.equal(valueOf("printwright_requests_unanswered"), 0);
    assert.equal(valueOf("printwright_prints"), 0);
    assert.ok(Number(valueOf("process_resident_memory_bytes")) > 1e6);
    assert.deepEqual([(await get("/health/live")).status, (await get("/health/ready")).status], [200, 200]);
    assert.equal((await fetch(`http://127.0.0.1:${server.port}/metrics`)).status, 404);
  } finally {
    await server.stop();
  }
  await assert.rejects(get("/metrics"));
});

test("the bytes of files and the hits of the cache are counted, from 0 on", async () => {
  const folder = dirname(write("part.stl", "0123456789"));
  const measured = measuredFiles(openFolderStore(join(folder, "store")));
  const values = (): unknown[] => measured.families().flatMap(({ samples }) => samples.map(({ value }) => value));
  assert.deepEqual(values(), [0, 0, 0]);
  const { hash } = await measured.store.put(join(folder, "part.stl"));
  const cache = await openFileCache(measured.store, join(folder, "cache"), 1000, measured.countHit);
  for (const name of ["a", "b", "c"]) await cache.place(hash, join(folder, name));
  assert.deepEqual(values(), [10, 10, 2], "stored, fetched once, and found twice");
});
