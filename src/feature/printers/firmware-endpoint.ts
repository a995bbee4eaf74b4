import * as v from "valibot";
import { notFound } from "../../core/api-error.ts";
import { servesServer } from "../../api/endpoint.ts";
import { field, strictObject } from "../../api/field.ts";
import { notConnectedMessage, requireFile } from "../../api/preconditions.ts";

const EXTENSIONS = ["formware", "formware2"];

export const uploadFirmware = servesServer(
  {
    method: "POST",
    path: "/v1/device/upload-firmware/",
    summary: "Installs a firmware file on a printer, if printers of its family accept firmware over the network.",
    body: strictObject({
      printer: field(v.string(), "Serial name or address of the printer."),
      file: field(v.string(), "Full path of the firmware file (.formware, .formware2) on the server's machine."),
    }),
    check: ({ file }) => requireFile(file, EXTENSIONS),
    async: true,
  },
  async ({ printers }, { body: { printer: target, file } }, context) => {
    const printer = printers.find(target);
    if (!printer) throw notFound(notConnectedMessage(printers, target, ": list all with device/list"));
    await printer.installFirmware(file, context);
  },
);
