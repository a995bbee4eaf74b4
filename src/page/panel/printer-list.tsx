import { type Signal, useSignal } from "@preact/signals";
import { useState } from "preact/hooks";
import { upload } from "../server/call.ts";
import type { ListedDevice, UnusableDevice } from "../server/replies.ts";
import { chooseFile } from "../state/import-files.ts";
import { notify } from "../state/notices.ts";
import { pageState } from "../state/project.ts";
import { discover, logIn, logOut, printers, queues, unusablePrinters } from "../state/printers.ts";
import { callEndpoint, runTask } from "../state/tasks.ts";
import { Dialog } from "../widget/dialog.tsx";
import { duration } from "../../core/quantities.ts";
import { DeviceState } from "./device-state.tsx";
import { QueueJobs } from "./queue-jobs.tsx";

/** Connected printers and queues with their states, the search for printers, and the login. */
export function PrinterList() {
  const devices = printers.value;
  return (
    <div class="action">
      <ul class="printers" aria-label="Printers">
        {(devices ?? []).map((device) => (
          <Printer key={device.id} device={device} />
        ))}
      </ul>
      {devices?.length === 0 && <p class="note">No printer is connected.</p>}
      <UnusablePrinters />
      <PrinterSearch />
      <Account />
    </div>
  );
}

/** Printers that answered or were named at the start, with the reasons why they cannot be used. */
function UnusablePrinters() {
  const connected = new Set((printers.value ?? []).map(({ id }) => id));
  const others = unusablePrinters.value.filter(({ id }) => !connected.has(id));
  if (others.length === 0) return null;
  return (
    <ul class="printers" aria-label="Printers that cannot be used">
      {others.map((device, i) => (
        <Unusable key={i} device={device} />
      ))}
    </ul>
  );
}

function Unusable({ device: { id, product_name, ip_address, reason } }: { device: UnusableDevice }) {
  return (
    <li>
      <span>
        <b>{id}</b> {product_name}
        <small>{[`Cannot be used: ${reason}`, ip_address].filter((fact) => fact !== undefined).join(" · ")}</small>
      </span>
    </li>
  );
}

function PrinterSearch() {
  const [address, setAddress] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void discover(address.trim());
      }}
    >
      <div class="field">
        <label for="printer-address">Address or name</label>
        <input
          id="printer-address"
          type="text"
          placeholder="any"
          value={address}
          onInput={(event) => setAddress(event.currentTarget.value)}
        />
      </div>
      <div class="submit">
        <button type="submit">Search for printers</button>
      </div>
    </form>
  );
}

/** Login and logout. */
function Account() {
  const [isLoggingIn, setLoggingIn] = useState(false);
  const user = pageState.value?.user;
  return (
    <>
      <div class="submit">
        {user ? (
          <>
            <small>Logged in as {user}</small>
            <button type="button" class="plain" onClick={() => void logOut()}>
              Log out
            </button>
          </>
        ) : (
          <>
            <button type="button" class="plain" onClick={() => setLoggingIn(true)}>
              Log in…
            </button>
            <small>for queues and printers of an account</small>
          </>
        )}
      </div>
      {isLoggingIn && <LoginDialog onClose={() => setLoggingIn(false)} />}
    </>
  );
}

function Printer({ device }: { device: ListedDevice }) {
  const { id, product_name, status, ip_address, firmware_version, estimated_print_time_remaining_ms = 0 } = device;
  const facts = [
    status,
    estimated_print_time_remaining_ms > 0 && `${duration(estimated_print_time_remaining_ms / 1000)} left`,
    device.tank_material_code ?? device.material_code,
    device.bed_temperature_c !== undefined && `${Math.round(device.bed_temperature_c)} °C`,
    device.powder_level,
    device.printers && device.printers.map((printer) => printer.id).join(", "),
    ip_address,
    firmware_version && `firmware ${firmware_version}`,
    unusablePrinters.value.find((one) => one.id === id)?.reason,
  ].filter((fact) => typeof fact === "string" && fact !== "");
  const queue = queues.value.find((one) => one.id === id);
  return (
    <li>
      <span>
        <b>{id}</b> {product_name}
        <small>{facts.join(" · ")}</small>
      </span>
      <DeviceState device={device} />
      {!device.printers && (
        <button
          type="button"
          class="link"
          onClick={() => chooseFirmware(id)}
          aria-label={`Update the firmware of ${id}`}
        >
          Firmware…
        </button>
      )}
      {queue && <QueueJobs queue={queue} />}
    </li>
  );
}

const chooseFirmware = (printer: string): void =>
  chooseFile([".formware", ".formware2"], (file) => void sendFirmware(printer, file));

async function sendFirmware(printer: string, file: File): Promise<void> {
  const outcome = await runTask(`Firmware of ${printer}`, async (context) =>
    callEndpoint("/v1/device/upload-firmware/", { printer, file: (await upload(file)).file }, context),
  );
  if (outcome) notify({ severity: "success", text: `${printer} installs ${file.name}.` });
}

function LoginDialog({ onClose }: { onClose: () => void }) {
  const username = useSignal("");
  const password = useSignal("");
  const token = useSignal("");
  const isComplete = token.value !== "" || (username.value !== "" && password.value !== "");
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const byName = { username: username.value, password: password.value };
    if (await logIn(token.value === "" ? byName : { access_token: token.value })) onClose();
  };
  return (
    <Dialog title="Log in" onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <p class="note">An account in the printers file, or at the manufacturer's service if the file has none.</p>
        <Credential id="username" label="Name" autocomplete="username" value={username} />
        <Credential id="password" label="Password" isSecret autocomplete="current-password" value={password} />
        <details class="options">
          <summary>Use a token instead</summary>
          <Credential id="token" label="Access token" isSecret autocomplete="off" value={token} />
        </details>
        <footer>
          <button type="submit" class="primary" disabled={!isComplete}>
            Log in
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function Credential(props: {
  id: string;
  label: string;
  isSecret?: boolean;
  autocomplete: "username" | "current-password" | "off";
  value: Signal<string>;
}) {
  const { id, label, isSecret = false, autocomplete, value } = props;
  const onInput = (event: { currentTarget: HTMLInputElement }): void => {
    value.value = event.currentTarget.value;
  };
  const input = { id, autocomplete, value: value.value, onInput } as const;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {isSecret ? <input type="password" {...input} /> : <input {...input} />}
    </div>
  );
}
