import * as v from "valibot";
import { servesServer } from "../../api/endpoint.ts";
import { field, object } from "../../api/field.ts";
import { integer } from "../../api/schema.ts";

/** Printers that answered and cannot be used. It is an addition to the interface, whose lists of devices have only usable ones. */
export const listUnusable = servesServer(
  {
    method: "GET",
    path: "/v1/device/unusable/",
    summary:
      "Lists the printers that were found in the network and cannot be used, with the reason, and those that were named at the start and do not answer. A printer that only needs its key is also in device/list.",
    reply: object({
      count: field(integer, "Number of devices."),
      devices: field(
        v.array(
          object({
            id: field(v.string(), "Name that was given at the start, else the name of the printer, else its address."),
            product_name: field(v.string(), "Model as the printer reports it; empty if it reports none."),
            ip_address: field(v.optional(v.string()), "Address of the printer in the network."),
            reason: field(v.string(), "Why the printer cannot be used, and what helps, as text for people."),
          }),
        ),
        "Printers that cannot be used.",
      ),
    }),
  },
  ({ printers }) => {
    const devices = printers.unusable().map(({ id, productName, ipAddress, reason }) => ({
      id,
      product_name: productName,
      ...(ipAddress !== undefined && { ip_address: ipAddress }),
      reason,
    }));
    return { count: devices.length, devices };
  },
);
