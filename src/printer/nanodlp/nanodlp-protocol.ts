import { printableMachineTypes, printerTypes } from "../../catalog/catalog.ts";
import { operationFailed } from "../../core/api-error.ts";
import { noLog } from "../../core/event-log.ts";
import { must } from "../../core/must.ts";
import { httpCall } from "../http-client.ts";
import { USUAL_PORTS } from "../known-printers.ts";
import type { Sender } from "../polled/machine-calls.ts";
import { type Machine, POLL_TIMING, type PollTiming } from "../polled/machine.ts";
import { type PolledHost, type PolledOptions, polledProtocol } from "../polled/polled-protocol.ts";
import type { Protocol } from "../printer.ts";
import { nanoDlpApi } from "./nanodlp-api.ts";

/** NanoDLP takes a plate apart before it answers: its documentation allows ten minutes for an upload. */
const TIMING: PollTiming = { ...POLL_TIMING, uploadReplyMs: 600_000 };

/** The protocol of machines with NanoDLP, which do not announce themselves and do not report their type. */
export function nanoDlpProtocol({ known, log = noLog, timing = TIMING }: PolledOptions): Protocol {
  return polledProtocol({ protocol: "nanodlp", known, port: USUAL_PORTS.nanodlp, identify, timing, log });
}

/** Identifies a machine with NanoDLP. Throws OPERATION_FAILED where it wants a token that is missing or wrong. */
async function identify(host: PolledHost, timing: PollTiming, signal: AbortSignal): Promise<Machine> {
  const { known } = host;
  const api = nanoDlpApi(newSender(host, timing), known.profile, timing);
  await api.status(signal);
  const machineType = must(known.machineType, "the machine type of a printer with NanoDLP");
  return {
    id: known.name ?? known.host,
    otherNames: [known.host],
    printerType: must(
      printerTypes().find((type) => type.machineType === machineType),
      "the printer type",
    ),
    machineTypes: printableMachineTypes(machineType),
    firmwareVersion: "",
    firmwareWay: "update NanoDLP as its own page says",
    api,
  };
}

function newSender({ base, known: { credentials } }: PolledHost, { replyMs }: PollTiming): Sender {
  const authorization = credentials && { Authorization: `Bearer ${credentials.key}` };
  return {
    base,
    async send({ path, headers, limits, ...rest }) {
      const reply = await httpCall({
        ...rest,
        url: new URL(path, base),
        headers: { ...headers, ...authorization },
        limits: { replyMs, connectMs: replyMs, ...limits },
        // An order is answered by a redirect to a page.
        takesRedirects: true,
      });
      const isRedirect = reply.status >= 300 && reply.status < 400;
      const wantsLogin = isRedirect && /login|signin/i.test(reply.headers.location ?? "");
      if (reply.status === 401 || wantsLogin) throw tokenProblem(base, credentials !== undefined);
      return reply;
    },
    prepare: async () => {},
  };
}

const tokenProblem = ({ host }: URL, isGiven: boolean) =>
  operationFailed(
    isGiven
      ? `${host} refuses the token of the printers file: compare it with the one on its own page, and start the server again once it is right`
      : `${host} wants a token: put it as api_key into the printers file (--printers)`,
  );
