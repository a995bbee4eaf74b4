import { Buffer } from "node:buffer";
import * as v from "valibot";
import { CancelledError } from "../../core/progress.ts";
import { type HttpReply, httpCall, jsonOf } from "../http-client.ts";
import { HttpFailure } from "../http-failure.ts";
import { lenient } from "../polled/lenient.ts";
import { MachineRefusal, POLL_TIMING, type PollTiming } from "../polled/machine.ts";
import { pause } from "../waiting.ts";

/** Intervals and deadlines, ms. Tests use shorter ones. */
export interface MakerTiming extends PollTiming {
  /** For one import or print, with its slicing. */
  readonly operationMs: number;
}

/** The values that differ from those for machines are our choice. */
export const MAKER_TIMING: MakerTiming = { ...POLL_TIMING, operationMs: 3_600_000 };

/** Between two questions for an operation: short at first, since most imports take less than a second. */
const OPERATION_WAIT_MS = { first: 5, most: 1000 };

/** Limit for the descriptions of scenes of thousands of models, which are not parsed. */
const SCENE_BYTES = 64 * 2 ** 20;
/** Limit for what is parsed: descriptions of single models, and lists of printers. */
const PARSED_BYTES = 2 ** 20;

/** 0.9 servers answer with `operationId`, newer ones with the second name. */
const startedReply = v.union([v.object({ operationId: v.string() }), v.object({ operation_id: v.string() })]);

const errorReply = v.object({ error: v.object({ message: v.string() }) });

const operationReply = v.object({
  status: v.string(),
  progress: lenient(v.number()),
  result: v.optional(v.unknown()),
});

/**
 * Calls to a server of the maker in the 0.9 interface. All throw {@link HttpFailure}, {@link MachineRefusal} with the message of the server,
 * and `CancelledError`.
 */
export class MakerCalls {
  /** The root of the interface. */
  readonly base: URL;
  readonly #timing: MakerTiming;

  constructor(base: URL, timing: MakerTiming) {
    this.base = base;
    this.#timing = timing;
  }

  /** The reply to a GET. */
  async read<Reply>(
    path: string,
    schema: v.GenericSchema<unknown, Reply>,
    signal: AbortSignal | undefined,
  ): Promise<Reply> {
    const reply = await this.#send({ method: "GET", path, signal, replyBytes: PARSED_BYTES });
    return this.#checked(path, schema, jsonOf(reply, this.base));
  }

  /** The reply to a POST. */
  async post<Reply>(
    path: string,
    body: object,
    schema: v.GenericSchema<unknown, Reply>,
    signal: AbortSignal | undefined,
  ): Promise<Reply> {
    const reply = await this.#send({ method: "POST", path, body, signal, replyBytes: PARSED_BYTES });
    return this.#checked(path, schema, jsonOf(reply, this.base));
  }

  /** A call whose reply does not matter, apart from its status. */
  async order(method: string, path: string, signal: AbortSignal | undefined, body?: object): Promise<void> {
    await this.#send({ method, path, body, signal, replyBytes: SCENE_BYTES });
  }

  /** The result of a POST that takes long: an operation there, whose progress is reported. */
  async run<Reply>(
    path: string,
    body: object,
    schema: v.GenericSchema<unknown, Reply>,
    signal: AbortSignal | undefined,
    report: (progress: number) => void = () => {},
  ): Promise<Reply> {
    const reply = await this.#send({
      method: "POST",
      path: `${path}?async=true`,
      body,
      signal,
      replyBytes: PARSED_BYTES,
    });
    const answer = reply.body.length === 0 ? undefined : jsonOf(reply, this.base);
    const started = v.safeParse(startedReply, answer);
    // The request may be done already.
    if (!started.success) return this.#checked(path, schema, answer);
    const id = "operationId" in started.output ? started.output.operationId : started.output.operation_id;
    return this.#checked(path, schema, await this.#resultOf(id, signal, report));
  }

  /** Waits for the end of an operation, which continues while questions for it fail. */
  async #resultOf(id: string, signal: AbortSignal | undefined, report: (progress: number) => void): Promise<unknown> {
    const { lostMs, operationMs } = this.#timing;
    const startedMs = performance.now();
    let answeredMs = startedMs;
    for (let waitMs = OPERATION_WAIT_MS.first; ; waitMs = Math.min(2 * waitMs, OPERATION_WAIT_MS.most)) {
      await pause(waitMs, signal);
      if (signal?.aborted) throw new CancelledError();
      if (performance.now() - startedMs > operationMs)
        throw this.#lost(`has not finished within ${operationMs / 1000} s`);
      const answer = await this.#askOperation(id, signal);
      if (answer instanceof HttpFailure) {
        // A server that slices may have no time for questions.
        if (!answer.isLate && performance.now() - answeredMs > lostMs)
          throw this.#lost(`does not answer: ${answer.what}`);
        continue;
      }
      answeredMs = performance.now();
      const { status, progress, result } = answer;
      if (status === "SUCCEEDED") return result;
      if (status === "FAILED") throw new MachineRefusal("final", wordsOf(result) ?? "it failed, without a reason");
      if (progress !== undefined) report(Math.min(1, Math.max(0, progress)));
    }
  }

  /** The state of an operation, or the failure of a question that can be repeated. */
  async #askOperation(
    id: string,
    signal: AbortSignal | undefined,
  ): Promise<v.InferOutput<typeof operationReply> | HttpFailure> {
    try {
      return await this.read(`/operations/${encodeURIComponent(id)}/`, operationReply, signal);
    } catch (thrown) {
      if (thrown instanceof CancelledError) throw thrown;
      if (thrown instanceof HttpFailure && thrown.kind !== "unusable") return thrown;
      throw this.#lost("does not know any more what it was doing");
    }
  }

  /** A failure after which it is unknown what the server did. */
  #lost(what: string): HttpFailure {
    return new HttpFailure("broken", this.base, what, "look there what it does");
  }

  async #send(call: {
    readonly method: string;
    readonly path: string;
    readonly body?: object | undefined;
    readonly signal: AbortSignal | undefined;
    readonly replyBytes: number;
  }): Promise<HttpReply> {
    const { method, path, body, signal, replyBytes } = call;
    const { replyMs, uploadReplyMs } = this.#timing;
    const reply = await httpCall({
      url: new URL(path, this.base),
      method,
      headers: { Accept: "application/json", ...(body && { "Content-Type": "application/json" }) },
      body: body ? [Buffer.from(JSON.stringify(body))] : [],
      signal,
      limits: { connectMs: replyMs, replyMs: method === "GET" ? replyMs : uploadReplyMs, replyBytes },
    });
    if (reply.status < 300) return reply;
    throw new MachineRefusal("final", this.#reasonOf(reply));
  }

  #reasonOf(reply: HttpReply): string {
    let words: string | undefined;
    try {
      words = wordsOf(jsonOf(reply, this.base));
    } catch {
      // The reply has no reason that can be read.
    }
    return words ?? `it answers with status ${reply.status}: look at that program`;
  }

  #checked<Reply>(path: string, schema: v.GenericSchema<unknown, Reply>, value: unknown): Reply {
    const checked = v.safeParse(schema, value);
    if (checked.success) return checked.output;
    throw new HttpFailure(
      "unusable",
      this.base,
      `sent an unexpected reply to ${path}`,
      "check that it is the maker's server with its 0.9 interface",
    );
  }
}

/** Most characters of a message of the server that are repeated. */
const MAX_WORDS = 300;

/** The reason in an error of the server. */
function wordsOf(value: unknown): string | undefined {
  const checked = v.safeParse(errorReply, value);
  if (!checked.success) return undefined;
  const words = checked.output.error.message.replace(/[\p{C}\s]+/gu, " ").trim();
  return `it says: ${JSON.stringify(words.slice(0, MAX_WORDS))}`;
}
