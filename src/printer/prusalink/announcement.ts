import { Buffer } from "node:buffer";
import { isIPv4 } from "node:net";
import { type Answer, decode } from "dns-packet";
import type { Announcement } from "../polled/polled-protocol.ts";

/** The services under which the machines announce themselves. */
export const SERVICES = ["_octoprint._tcp.local", "_http._tcp.local", "_prusalink._tcp.local"] as const;

/** Every device with a web page announces this service, so only those count whose name contains the maker or model. */
const NOISY = "_http._tcp.local";
const MAKER = /prusa|sl1/i;

/** The largest message of multicast DNS (RFC 6762, 17), and more services in one message than a machine has. */
const MAX_MESSAGE_BYTES = 9000;
const MAX_INSTANCES = 16;
/** Most characters of a whole name in DNS. */
const MAX_NAME = 255;
/** Port of the SL1's web server. */
const PORT = 80;

/** The announcements in a datagram from `sender`; none where it is malformed. */
export function parseAnnouncements(datagram: Uint8Array, sender: string): readonly Announcement[] {
  if (datagram.length > MAX_MESSAGE_BYTES) return [];
  try {
    const { type, answers = [], additionals = [] } = decode(Buffer.from(datagram));
    return type === "response" ? announcementsOf([...answers, ...additionals], sender) : [];
  } catch {
    return [];
  }
}

function announcementsOf(records: readonly Answer[], sender: string): Announcement[] {
  const instances = records.flatMap((record) => {
    const service = SERVICES.find((one) => one === record.name.toLowerCase());
    if (record.type !== "PTR" || !service || record.data.length > MAX_NAME) return [];
    return [{ service, instance: record.data }];
  });
  return instances.slice(0, MAX_INSTANCES).flatMap(({ service, instance }) => {
    const own = records.filter(({ name }) => name === instance);
    const srv = own.find((record) => record.type === "SRV")?.data;
    const txt = own.flatMap((record) => (record.type === "TXT" ? [record.data].flat() : []));
    const model = txt
      .map(String)
      .find((text) => /^model=/i.test(text))
      ?.slice("model=".length);
    // Names may contain dots and quotes, so only their known ending is cut off.
    const described = { model: model ?? instance.slice(0, -service.length - 1), port: srv?.port || PORT };
    if (service === NOISY && !MAKER.test(`${instance} ${model}`)) return [];
    const hostname = (srv?.target ?? "").replace(/\.local\.?$/i, "").slice(0, MAX_NAME);
    const address = records.find((record) => record.type === "A" && record.name === srv?.target);
    const host = address?.type === "A" ? address.data : sender;
    return isPossibleAddress(host, sender) ? [{ ...described, host, hostname }] : [];
  });
}

/**
 * Whether a machine of the network may have the address. A loopback address would be this machine, so it counts only where the sender has
 * one too.
 */
function isPossibleAddress(host: string, sender: string): boolean {
  if (!isIPv4(host)) return false;
  const first = Number.parseInt(host, 10);
  return first === 127 ? sender.startsWith("127.") : first > 0 && first < 224;
}
