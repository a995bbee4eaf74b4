import { getUser, login, logout } from "../feature/account/endpoint.ts";
import { discoverDevices, listDevices } from "../feature/printers/endpoint.ts";
import { uploadFirmware } from "../feature/printers/firmware-endpoint.ts";
import { getOperation, listOperations } from "../feature/operations/endpoint.ts";
import { listPrintSettings } from "../feature/print-settings/endpoint.ts";
import { ApiError } from "../core/api-error.ts";
import { type DevicesAnswer, deviceAnswer, devicesAnswer } from "./answers.ts";
import { type Body, entry, pick, rounded } from "./body.ts";
import type { Calls } from "./calls.ts";
import type { Row } from "./row.ts";
import { must } from "../core/must.ts";

interface User {
  readonly username: string;
  readonly id?: number;
  readonly email?: string;
  readonly first_name?: string;
  readonly last_name?: string;
}

/** Clients of 0.9 accept only texts; the id of an account of the printers file is its name. */
const userAnswer = ({ username, id, email = "", first_name = "", last_name = "" }: User) => ({
  username,
  first_name,
  last_name,
  email,
  persistent_id: String(id ?? username),
});

/**
 * Whether a device accepts jobs, for `can_print`. Unlike in `/v1/`, queues and printers that are printing do, too: the dialogs of 0.9 offer
 * both, and show by `ready_to_print_now` whether the job would start.
 */
function acceptsJobsOf({ server }: Calls): (device: DevicesAnswer["devices"][number]) => boolean {
  const ids = new Set(server.printers.list().flatMap(({ id, refusesAllJobs }) => (refusesAllJobs ? [] : [id])));
  return ({ id }) => ids.has(id);
}

/** The fields that 0.9 has. */
const operationAnswer = (operation: Body): Body => pick(operation, "id", "status", "progress", "result");

const discoveryBody = (body: Body): Body => ({
  ...entry("timeout_seconds", rounded(body.timeout_seconds)),
  ...entry("printer", body.ip_address === "" ? undefined : body.ip_address),
});

/** Rows for the server itself, its account, its operations and its printers. */
export const SERVER_ROWS: readonly Row[] = [
  { method: "GET", path: "/", run: ({ server: { version } }) => ({ version }) },
  {
    method: "POST",
    path: "/login/",
    holdsSecrets: true,
    run: (calls, { body }) =>
      calls.call(
        login,
        body.access_token === undefined ? pick(body, "username", "password") : pick(body, "access_token"),
      ),
  },
  { method: "POST", path: "/logout/", run: (calls) => calls.call(logout) },
  {
    method: "GET",
    path: "/user/",
    has404: true,
    run: async (calls) => userAnswer(await calls.call<User>(getUser)),
  },
  { method: "GET", path: "/list-materials/", run: (calls) => calls.call(listPrintSettings) },
  {
    method: "GET",
    path: "/operations/",
    has404: true,
    async run(calls) {
      const { count, operations } = await calls.call<{ count: number; operations: Body[] }>(listOperations);
      return { count, operations: operations.map(operationAnswer) };
    },
  },
  {
    method: "GET",
    path: "/operations/:id/",
    has404: true,
    run: async (calls, { id }) =>
      operationAnswer(await calls.call<Body>(getOperation, {}, { operation_id: id, mode: "persistent" })),
  },
  {
    method: "GET",
    path: "/devices/",
    async run(calls, { query }) {
      const { devices } = await calls.call<DevicesAnswer>(listDevices, {}, { can_print: "false" });
      const asked = query.can_print?.toLowerCase() === "true" ? devices.filter(acceptsJobsOf(calls)) : devices;
      return devicesAnswer({ count: asked.length, devices: asked });
    },
  },
  {
    method: "GET",
    path: "/devices/:id/",
    idHasSlashes: true,
    async run(calls, { id }) {
      const { devices } = await calls.call<DevicesAnswer>(listDevices, { devices: [id] }, { can_print: "false" });
      return deviceAnswer(must(devices[0], "the printer"));
    },
  },
  {
    method: "POST",
    path: "/discover-devices/",
    async: true,
    compatFields: { printer: "ip_address" },
    first: ({ body }) => [discoverDevices, discoveryBody(body)],
    async run(calls, { body }) {
      try {
        return devicesAnswer(await calls.call<DevicesAnswer>(discoverDevices, discoveryBody(body)));
      } catch (thrown) {
        // The dialogs of 0.9 end their search at an empty list, not at an error.
        if (!(thrown instanceof ApiError) || thrown.code !== "OPERATION_FAILED") throw thrown;
        return devicesAnswer({ count: 0, devices: [] });
      }
    },
  },
  {
    method: "POST",
    path: "/upload-firmware/",
    async: true,
    compatFields: { file: "file_path" },
    first: ({ body }) => [uploadFirmware, { ...pick(body, "printer"), ...entry("file", body.file_path) }],
    async run(calls, { body }) {
      await calls.call(uploadFirmware, { ...pick(body, "printer"), ...entry("file", body.file_path) });
      return devicesAnswer(await calls.call<DevicesAnswer>(listDevices, {}, { can_print: "false" }));
    },
  },
];
