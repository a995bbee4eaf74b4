import { Buffer } from "node:buffer";
import { isIPv4 } from "node:net";
import { type Answer, decode } from "dns-packet";
import type { Announcement } from "../polled/polled-protocol.ts";

/** The services under which the machines announce themselves. */
export const SERVICES = ["_octoprint._tcp.local", "_http._tcp.local", "_prusalink._tcp.local"] as const;

/** Every device with a web page has it: there only those count that call themselves by the maker. */
const NOISY = "_http._tcp.local";
const MAKER = /prusa|sl1/i;

/** The largest message of multicast DNS (RFC 6762, 17), and more services in one than a machine has. */
const MAX_MESSAGE_BYTES = 9000;
const MAX_INSTANCES = 16;
/** Characters; DNS permits 255 for a whole name. */
const MAX_NAME = 255;
/** Of the SL1's web server. */
const PORT = 80;

/** What a datagram from `sender` announces; nothing where it is malformed. */
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
    // Names may hold dots and quotes, so that only their known end is cut off.
    const described = { model: model ?? instance.slice(0, -service.length - 1), port: srv?.port || PORT };
    if (service === NOISY && !MAKER.test(`${instance} ${model}`)) return [];
    const hostname = (srv?.target ?? "").replace(/\.local\.?$/i, "").slice(0, MAX_NAME);
    const address = records.find((record) => record.type === "A" && record.name === srv?.target);
    const host = address?.type === "A" ? address.data : sender;
    return mayBe(host, sender) ? [{ ...described, host, hostname }] : [];
  });
}

/** Whether a machine of the network may have the address: loopback would be this one, unless it is asked there. */
function mayBe(host: string, sender: string): boolean {
  if (!isIPv4(host)) return false;
  const [first] = host.split(".").map(Number);
  return first === 127 ? sender.startsWith("127.") : first > 0 && first < 224;
}
