import { resolve } from "node:path";
import * as v from "valibot";
import { type ErrorFactory, inputError } from "../../core/api-error.ts";
import { parseJson } from "../../core/json.ts";
import { matchSchema } from "../../core/match-schema.ts";
import { readWholeFile } from "../../core/read-file.ts";
import { type MqttConfig, mqttConfig, mqttSchema } from "../mqtt/mqtt-config.ts";
import type { WebhookEndpoint } from "../webhooks/webhook-backlog.ts";
import { webhookEndpoints, webhooksSchema } from "../webhooks/webhooks-config.ts";

const MAX_BYTES = 2 ** 20;
const MAX_DEPTH = 8;

const schema = v.strictObject({ webhooks: v.optional(webhooksSchema, []), mqtt: v.optional(mqttSchema) });

/** Where the events of a queue are sent: the file of `printwright events`. */
export interface EventsConfig {
  readonly webhooks: readonly WebhookEndpoint[];
  readonly mqtt: MqttConfig | undefined;
}

/** Throws INPUT_ERROR with the field as a JSON pointer, and OPERATION_FAILED for a file that cannot be read. */
export function readEventsConfig(path: string): EventsConfig {
  const refuse: ErrorFactory = (why) => inputError(`${JSON.stringify(path)}: ${why}`);
  const content = matchSchema(schema, parse(readWholeFile(path, MAX_BYTES), refuse), refuse);
  const { webhooks, mqtt } = content;
  if (webhooks.length === 0 && !mqtt)
    throw refuse('it names no receiver: give "webhooks" a name, a url and secret_files, or "mqtt" the url of a broker');
  return {
    webhooks: webhookEndpoints(webhooks, resolve(path), refuse),
    mqtt: mqtt && mqttConfig(mqtt, resolve(path), refuse),
  };
}

function parse(bytes: Uint8Array, refuse: ErrorFactory): unknown {
  try {
    return parseJson(bytes, MAX_DEPTH);
  } catch (thrown) {
    throw refuse(`it is not JSON: ${(thrown as Error).message}`);
  }
}
