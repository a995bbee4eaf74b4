import type { Random } from "../../fixture/mutated.ts";
import type { Reply } from "../../fixture/client.ts";
import type { TestServer } from "../../fixture/test-server.ts";

/** A lane sends inputs to the server, one after the other. Several lanes run at once. */
export interface Lane {
  readonly name: string;
  readonly random: Random;
  readonly server: TestServer;
  /** Remembers the input that is sent next, so that it can be stored if it causes a fault. */
  note(input: Uint8Array | string): void;
  /** A request on a connection that stays open. */
  call(method: string, path: string, body?: unknown, raw?: string | Uint8Array): Promise<Reply>;
}

/** The status of the answer to one input; 0 if the connection was closed without one. */
export type SendInput = () => Promise<number>;

/** A family of hostile inputs. */
export interface Family {
  readonly name: string;
  /** The part of the time for this family, relative to the others. */
  readonly share: number;
  readonly lanes: number;
  /** Prepares a lane. The returned function sends one input and throws if the server is at fault. */
  open(lane: Lane): Promise<SendInput>;
}

/** One of the choices, each with its weight. */
export function pickWeighted<T>(choices: readonly T[], weightOf: (choice: T) => number, random: Random): T {
  let left = random() * choices.reduce((sum, choice) => sum + weightOf(choice), 0);
  return choices.find((choice) => (left -= weightOf(choice)) < 0) ?? choices[choices.length - 1];
}

export const pick = <T>(choices: readonly T[], random: Random): T => choices[Math.floor(random() * choices.length)];
