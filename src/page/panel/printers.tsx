import { useState } from "preact/hooks";
import { upload } from "../server/call.ts";
import type { Device } from "../server/replies.ts";
import { chooseFiles } from "../state/import-files.ts";
import { notify } from "../state/notices.ts";
import { pageState } from "../state/project.ts";
import { discover, login, logout, printers, queues } from "../state/printers.ts";
import { callEndpoint, runTask } from "../state/tasks.ts";
import { Dialog } from "../widget/dialog.tsx";
import { duration } from "../widget/quantities.ts";
import { State } from "./print-dialog.tsx";
import { QueueJobs } from "./queue-jobs.tsx";

/** The printers and queues that are connected, with their states; looking for more, and the login. */
export function Printers() {
  const [address, setAddress] = useState("");
  const [isLoggingIn, setLoggingIn] = useState(false);
  const devices = printers.value;
  const user = pageState.value?.user;
  return (
    <div class="action">
      <ul class="printers" aria-label="Printers">
        {(devices ?? []).map((device) => (
          <Printer key={device.id} device={device} />
        ))}
      </ul>
      {devices?.length === 0 && <p class="note">No printer is connected.</p>}
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
          <button type="submit">Look for printers</button>
        </div>
      </form>
      <div class="submit">
        {user ? (
          <>
            <small>Logged in as {user}</small>
            <button type="button" class="plain" onClick={() => void logout()}>
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
    </div>
  );
}

function Printer({ device }: { device: Device }) {
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
  ].filter((fact) => typeof fact === "string" && fact !== "");
  const queue = queues.value.find((one) => one.id === id);
  return (
    <li>
      <span>
        <b>{id}</b> {product_name}
        <small>{facts.join(" · ")}</small>
      </span>
      <State device={device} />
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
  chooseFiles([".formware", ".formware2"], ([file]) => void sendFirmware(printer, file), false);

async function sendFirmware(printer: string, file: File): Promise<void> {
  const outcome = await runTask(`Firmware of ${printer}`, async (context) =>
    callEndpoint("/v1/device/upload-firmware/", { printer, file: (await upload(file)).file }, context),
  );
  if (outcome) notify({ severity: "success", text: `${printer} installs ${file.name}.` });
}

function LoginDialog({ onClose }: { onClose: () => void }) {
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [token, setToken] = useState("");
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (await login(token === "" ? { username, password } : { access_token: token })) onClose();
  };
  return (
    <Dialog title="Log in" onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <p class="note">An account of the printers file, or of the maker's service where it has none.</p>
        <div class="field">
          <label for="username">Name</label>
          <input
            id="username"
            autocomplete="username"
            value={username}
            onInput={(event) => setUsername(event.currentTarget.value)}
          />
        </div>
        <div class="field">
          <label for="password">Password</label>
          <input
            id="password"
            type="password"
            autocomplete="current-password"
            value={password}
            onInput={(event) => setPassword(event.currentTarget.value)}
          />
        </div>
        <details class="options">
          <summary>With a token instead</summary>
          <div class="field">
            <label for="token">Access token</label>
            <input
              id="token"
              type="password"
              autocomplete="off"
              value={token}
              onInput={(event) => setToken(event.currentTarget.value)}
            />
          </div>
        </details>
        <footer>
          <button type="submit" class="primary" disabled={token === "" && (username === "" || password === "")}>
            Log in
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
