import * as v from "valibot";
import { type HttpCall, type HttpReply, jsonOf } from "../http-client.ts";
import { HttpFailure } from "../http-failure.ts";
import { requireAccepted } from "./refusal.ts";

export type MachineCall = Omit<HttpCall, "url"> & {
  /** The path with its query, percent-escaped. */
  readonly path: string;
};

/** Calls to one machine. All throw what `httpCall` throws, and `MachineRefusal` for a status that is no success. */
export interface MachineCalls {
  /** The reply to a GET, checked against a schema. Throws {@link HttpFailure} where it does not match, or has more than `replyBytes`. */
  json<Reply>(
    path: string,
    schema: v.GenericSchema<unknown, Reply>,
    signal: AbortSignal,
    replyBytes?: number,
  ): Promise<Reply>;
  order(call: MachineCall): Promise<void>;
  /** An order with a file, to which the machine may take long to reply. */
  upload(call: MachineCall): Promise<void>;
  /** An order to remove a file that may be missing. */
  remove(call: MachineCall): Promise<void>;
  /** The status of the reply only. */
  status(call: MachineCall): Promise<number>;
}

/** Replies with states and names have some kilobytes; they are parsed on the answering thread every few seconds. */
const REPLY_BYTES = 128 * 2 ** 10;
/** Limit for lists of files, which grow over the years. */
export const LIST_BYTES = 4 * 2 ** 20;

/** How calls are sent to a machine. */
export interface Sender {
  /** The root of the machine's interface. */
  readonly base: URL;
  send(call: MachineCall): Promise<HttpReply>;
  /** Ensures that the next call, with a large body, is not refused because a proof of identity has expired. */
  prepare(signal?: AbortSignal): Promise<void>;
}

export function newMachineCalls(sender: Sender, uploadReplyMs: number): MachineCalls {
  const { base } = sender;
  return {
    async upload(one) {
      await sender.prepare(one.signal);
      requireAccepted(base, await sender.send({ ...one, limits: { replyMs: uploadReplyMs } }));
    },
    async json(path, schema, signal, replyBytes = REPLY_BYTES) {
      const reply = await sender.send({ path, signal, limits: { replyBytes } });
      requireAccepted(base, reply);
      const checked = v.safeParse(schema, jsonOf(reply, base));
      if (checked.success) return checked.output;
      throw new HttpFailure("unusable", base, `sent an unexpected reply to ${path}: update its firmware`);
    },
    async order(one) {
      requireAccepted(base, await sender.send(one));
    },
    async remove(one) {
      const reply = await sender.send(one);
      if (reply.status !== 404) requireAccepted(base, reply);
    },
    status: async (one) => (await sender.send(one)).status,
  };
}
