import * as v from "valibot";
import { type HttpReply, jsonOf } from "../http-client.ts";
import { lenient } from "./lenient.ts";
import { MachineRefusal } from "./machine.ts";

/** The bodies of error replies: an OctoPrint-like object, a title with a message, or plain text. */
const problem = v.object({
  code: lenient(v.union([v.string(), v.number()])),
  title: lenient(v.string()),
  message: lenient(v.string()),
  text: lenient(v.string()),
});

/** The codes of Prusa's resin printers for an existing file (source: their firmware). */
const EXISTS = /10520/;

/** Statuses with a definite meaning: the cause, and what to do. */
const MEANINGS: Readonly<Record<number, string>> = {
  401: "it refuses the key: compare that of the printers file with the one in its menu",
  403: "it does not permit that: look at its settings",
  404: "it does not know the file or the order: update its firmware",
  413: "the job is larger than the machine takes: split the plate",
  415: "it does not take this kind of file: choose the scene's machine type after the machine",
  507: "its storage is full: delete files on it",
};

/** Throws {@link MachineRefusal} for a status that is no success. */
export function requireAccepted(url: URL, reply: HttpReply): void {
  const { status } = reply;
  if (status < 300) return;
  const { code, text } = problemOf(url, reply);
  const said = text === "" ? "" : ` It says: ${JSON.stringify(text)}.`;
  if (status === 409 || status === 503) {
    if (EXISTS.test(code) || /exist/i.test(text)) {
      throw new MachineRefusal("name taken", `it has another file of that name: delete it there.${said}`);
    }
    throw new MachineRefusal("busy", `it is busy or not ready for that: look at its screen.${said}`);
  }
  throw new MachineRefusal(
    "final",
    `${MEANINGS[status] ?? `it answers with status ${status}: look at its screen`}.${said}`,
  );
}

/** Most characters of a machine's own message that are repeated. */
const MAX_SAID = 200;

function problemOf(url: URL, reply: HttpReply): { readonly code: string; readonly text: string } {
  let said: string;
  let code = "";
  try {
    const { title, message, text, ...rest } = v.parse(problem, jsonOf(reply, url));
    code = String(rest.code ?? "");
    said = [title, message ?? text].filter((part) => part !== undefined).join(": ");
  } catch {
    said = new TextDecoder().decode(reply.body.subarray(0, MAX_SAID));
    if (said.includes("<")) said = "";
  }
  return {
    code,
    text: said
      .replace(/[\p{C}\s]+/gu, " ")
      .trim()
      .slice(0, MAX_SAID),
  };
}
