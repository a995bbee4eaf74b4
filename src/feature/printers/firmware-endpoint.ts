import * as v from "valibot";
import { notFound } from "../../core/api-error.ts";
import { servesServer } from "../../api/endpoint.ts";
import { notConnectedMessage, requireFile } from "../../api/preconditions.ts";

const EXTENSIONS = ["formware", "formware2"];

export const uploadFirmware = servesServer(
  {
    method: "POST",
    path: "/v1/device/upload-firmware/",
    summary: "Installs a firmware file on a printer, where its family takes firmware over the network.",
    body: v.strictObject({ printer: v.string(), file: v.string() }),
    check: ({ file }) => requireFile(file, EXTENSIONS),
    async: true,
  },
  async ({ printers }, { body: { printer: target, file } }, context) => {
    const printer = printers.find(target);
    if (!printer) throw notFound(notConnectedMessage(printers, target, ": list all with device/list"));
    await printer.installFirmware(file, context);
  },
);
