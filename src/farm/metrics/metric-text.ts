import process from "node:process";

type Labels = Readonly<Record<string, string>>;

/** A metric with its values. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  /** `suffix` is that of the parts of a histogram. */
  readonly samples: readonly { readonly suffix?: string; readonly labels?: Labels; readonly value: number }[];
}

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** The text exposition format 0.0.4 of Prometheus. */
export function metricText(families: readonly MetricFamily[]): string {
  return families
    .map(({ name, help, type, samples }) => {
      const head = `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n`;
      const lines = samples.map(
        ({ suffix = "", labels = {}, value }) => `${name}${suffix}${labelText(labels)} ${numberText(value)}\n`,
      );
      return head + lines.join("");
    })
    .join("");
}

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`);
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}

const numberText = (value: number): string => (value === Number.POSITIVE_INFINITY ? "+Inf" : String(value));

/** Counts by labels. */
export class Counter {
  readonly #counts = new Map<string, { readonly labels: Labels; value: number }>();

  add(labels: Labels = {}, amount = 1): void {
    const key = JSON.stringify(labels);
    const old = this.#counts.get(key);
    if (old) old.value += amount;
    else this.#counts.set(key, { labels, value: amount });
  }

  family(name: string, help: string): MetricFamily {
    return { name, help, type: "counter", samples: [...this.#counts.values()] };
  }
}

/** Durations by labels, in buckets of seconds. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, { readonly labels: Labels; readonly counts: number[]; sum: number }>();

  /** `bounds` are the upper ends of the buckets in ascending order; one more has all values. */
  constructor(bounds: readonly number[]) {
    this.#bounds = [...bounds, Number.POSITIVE_INFINITY];
  }

  observe(seconds: number, labels: Labels): void {
    const key = JSON.stringify(labels);
    const series = this.#series.get(key) ?? { labels, counts: this.#bounds.map(() => 0), sum: 0 };
    this.#series.set(key, series);
    // Each bucket has all values up to its bound.
    for (const [i, bound] of this.#bounds.entries())
      if (seconds <= bound) series.counts[i] = (series.counts[i] ?? 0) + 1;
    series.sum += seconds;
  }

  family(name: string, help: string): MetricFamily {
    const samples = [...this.#series.values()].flatMap(({ labels, counts, sum }) => [
      ...counts.map((value, i) => ({
        suffix: "_bucket",
        labels: { ...labels, le: numberText(this.#bounds[i] ?? 0) },
        value,
      })),
      { suffix: "_sum", labels, value: sum },
      { suffix: "_count", labels, value: counts.at(-1) ?? 0 },
    ]);
    return { name, help, type: "histogram", samples };
  }
}

/** A metric that rises and falls, with one value or one for each set of labels. */
export const gauge = (name: string, help: string, value: number | MetricFamily["samples"]): MetricFamily => ({
  name,
  help,
  type: "gauge",
  samples: typeof value === "number" ? [{ value }] : value,
});

const MICROSECONDS = 1e6;

/** What Prometheus knows of every process, under the names of its client libraries. */
export function processFamilies(): MetricFamily[] {
  const { user, system } = process.cpuUsage();
  return [
    {
      name: "process_cpu_seconds_total",
      help: "Total user and system CPU time spent in seconds.",
      type: "counter",
      samples: [{ value: (user + system) / MICROSECONDS }],
    },
    gauge("process_resident_memory_bytes", "Resident memory size in bytes.", process.memoryUsage().rss),
    gauge(
      "process_start_time_seconds",
      "Start time of the process since unix epoch in seconds.",
      Math.round(Date.now() / 1000 - process.uptime()),
    ),
  ];
}
