import { statSync } from "node:fs";
import { resolve } from "node:path";
import { inputError, toApiError } from "../core/api-error.ts";
import { writeFileAtomically } from "../core/write-file.ts";
import type { EventsConfig } from "../farm/events/events-config.ts";
import { type MetricsAddress, parseMetricsAddress } from "../farm/metrics/metrics-address.ts";
import type { JobQueue } from "../farm/queue/job-queue.ts";
import type { CommandModule } from "./command-module.ts";
import { parseWords } from "./parse-words.ts";
import { catchInterrupts } from "./perform.ts";

const USAGE = `Usage: printwright events FILE [--queue ADDRESS] [--metrics PORT]
       printwright events --new-secret SECRETFILE

Sends the events of a queue, such as jobs that are done, to the webhooks and the MQTT broker of a JSON file, until it is stopped. Each
event is sent at least once, also after kills and while receivers are away; docs/events.md has the file and the events.

  {"webhooks": [{"name": "shop", "url": "https://shop.example/hooks", "secret_files": ["shop.secret"], "types": ["job.done"]}],
   "mqtt": {"url": "mqtt://broker"}}

  --queue ADDRESS     the queue: a SQLite file, or postgres://USER@HOST/DATABASE (default: a file of this user); a password only
                      in PRINTWRIGHT_QUEUE, PRINTWRIGHT_QUEUE_FILE or PGPASSFILE
  --metrics PORT      serve /metrics for Prometheus, /health/live and /health/ready on this port of this machine alone, or on
                      ADDRESS:PORT
  --new-secret SECRETFILE
                      make a file with a new secret that only you can read, and print the secret, for the receiver

Exit status: 0 a secret was made, 1 the queue does not answer, 2 the words or the file are wrong, 130 interrupted by Ctrl-C and 143 by
SIGTERM.`;

const OPTIONS = {
  queue: { type: "string" },
  metrics: { type: "string" },
  "new-secret": { type: "string" },
} as const;
const FAILED = 1;
const OWNER_ONLY = 0o600;

/** `printwright events`: sends the events of a queue. */
export const eventsCommand: CommandModule = {
  usage: USAGE,
  options: OPTIONS,
  async run(argv, _open, output) {
    const { values, positionals } = parseWords(argv, OPTIONS);
    const [file, ...others] = positionals;
    const secretFile = values["new-secret"];
    if (secretFile !== undefined && file === undefined) {
      output.line(await makeSecret(secretFile));
      return 0;
    }
    if (file === undefined || others.length > 0 || secretFile !== undefined)
      throw inputError("name one file with webhooks or a broker; printwright events --help shows one");
    const metricsAddress = values.metrics === undefined ? undefined : parseMetricsAddress(values.metrics);
    const [{ readEventsConfig }, { openEventLog }, { openQueue }, { sendEvents }] = await Promise.all([
      import("../farm/events/events-config.ts"),
      import("../farm/events/open-event-log.ts"),
      import("../farm/queue/open-queue.ts"),
      import("../farm/events/send-events.ts"),
    ]);
    const config = readEventsConfig(file);
    const source = { queue: values.queue };
    const log = await openEventLog(source);
    const metrics = metricsAddress && (await startMetrics(metricsAddress, () => openQueue(source), config));
    const interrupt = catchInterrupts();
    try {
      await sendEvents({ log, queue: () => openQueue(source) }, config, interrupt.signal, {
        report: (text) => console.error(`printwright: ${text}`),
        counts: metrics?.counts,
      });
      return interrupt.status() ?? 0;
    } catch (thrown) {
      console.error(`printwright: ${toApiError(thrown).message}`);
      return FAILED;
    } finally {
      await metrics?.close();
      await log.close();
    }
  },
};

async function startMetrics(address: MetricsAddress, open: () => Promise<JobQueue>, { webhooks }: EventsConfig) {
  const { eventsMetrics, newEventCounts } = await import("../farm/metrics/events-metrics.ts");
  const counts = newEventCounts(webhooks.map(({ name }) => name));
  const queue = await open();
  const { port, close } = await eventsMetrics(address, queue, counts);
  console.error(`printwright: metrics on port ${port}`);
  return {
    counts,
    async close() {
      close();
      await queue.close();
    },
  };
}

async function makeSecret(file: string): Promise<string> {
  const { newWebhookSecret } = await import("../farm/webhooks/sign-webhook.ts");
  const path = resolve(file);
  if (statSync(path, { throwIfNoEntry: false }))
    throw inputError(`${file} exists: name a new file, or add a line with a secret to it while you replace one`);
  const secret = newWebhookSecret();
  writeFileAtomically(path, [Buffer.from(`${secret}\n`)], undefined, OWNER_ONLY);
  return secret;
}
