import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ListedDevice } from "../server/replies.ts";
import { notify } from "../state/notices.ts";
import { printers, refreshPrinters } from "../state/printers.ts";
import { isMeasuring, metadata, scene, summary, fetchedScene } from "../state/project.ts";
import { fetchCatalog, suitsScene } from "../state/catalog.ts";
import { runReading } from "../state/scene-work.ts";
import { callEndpoint } from "../state/tasks.ts";
import { save } from "../state/download.ts";
import { isChecking } from "../state/check-scene.ts";
import { isUnchecked, light, openFindings } from "../state/scene-findings.ts";
import { Dialog } from "../widget/dialog.tsx";
import { counted, duration } from "../../core/quantities.ts";
import { DeviceState } from "./device-state.tsx";
import { JobTime } from "./job.tsx";
import { PrinterList } from "./printer-list.tsx";
import { PrintRemarks } from "./print-remarks.tsx";

/** Dialog that sends the job to a printer, or saves it as a file. */
export function PrintDialog({ onClose }: { onClose: () => void }) {
  const devices = printers.value ?? [];
  const best = devices.find((device) => device.ready_to_print_now && suitsScene(device)) ?? devices.find(suitsScene);
  useEffect(() => void fetchCatalog().catch(() => undefined), []);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const [jobName, setJobName] = useState(defaultName());
  const [now, setNow] = useState(true);
  const [withoutGrey, setWithoutGrey] = useState(false);
  const [byVolume, setByVolume] = useState(false);
  const drawing = {
    ...(withoutGrey && { supports_without_grey: true }),
    ...(byVolume && { anti_aliasing: "VOLUME" }),
  };
  const printer = devices.find(({ id }) => id === chosen) ?? best;
  const starts = now && canStart(printer);
  const [isAgreed, setAgreed] = useState(false);
  const isRed = light.value === "error" && !isRefused();
  const obstacle = obstacleTo({ hasPrinter: printer !== undefined, jobName, isAgreed });
  const submit = (event: Event): void => {
    event.preventDefault();
    if (printer === undefined || obstacle !== undefined) return;
    onClose();
    void print(printer, { job_name: jobName.trim(), print_now: starts, ...drawing });
  };
  const saveJob = (): void => {
    onClose();
    void save("job", drawing);
  };
  return (
    <Dialog title="Print" onClose={onClose} class="print-dialog">
      <form onSubmit={submit}>
        <PrintRemarks onLeave={onClose} />
        <JobName value={jobName} onChange={setJobName} />
        <PrinterChoice devices={devices} chosen={printer} onChange={setChosen} />
        <label class="check-line">
          <input
            type="checkbox"
            checked={starts}
            disabled={!canStart(printer)}
            onChange={(event) => setNow(event.currentTarget.checked)}
          />
          Start immediately (otherwise the job waits at the printer)
        </label>
        {printer && !canStart(printer) && (
          <p class="note">{printer.id} starts no print now: the job waits there for a person.</p>
        )}
        {scene.value?.models.some(({ supports }) => supports !== null) && (
          <label class="check-line">
            <input
              type="checkbox"
              checked={withoutGrey}
              onChange={(event) => setWithoutGrey(event.currentTarget.checked)}
            />
            Supports without grey (for thin tips that break)
          </label>
        )}
        <label class="check-line">
          <input type="checkbox" checked={byVolume} onChange={(event) => setByVolume(event.currentTarget.checked)} />
          Greys by volume (smoother undersides; takes longer)
        </label>
        {isRed && (
          <label class="check-line consent">
            <input type="checkbox" checked={isAgreed} onChange={(event) => setAgreed(event.currentTarget.checked)} />
            Print anyway: I know that this print may fail
          </label>
        )}
        {obstacle !== undefined && <p class="note">{obstacle}</p>}
        <footer>
          <PrintTime />
          <button type="button" class="plain" onClick={() => void refreshPrinters()}>
            Refresh
          </button>
          <button type="button" class="plain" onClick={saveJob}>
            Save job file
          </button>
          <button type="submit" class="primary" disabled={obstacle !== undefined}>
            {submitText(starts)}
          </button>
        </footer>
      </form>
      <Fold title="Printers">
        <PrinterList />
      </Fold>
      <Fold title="Time and material">
        <JobTime />
      </Fold>
    </Dialog>
  );
}

/** Whether the server refuses to print, because something is outside the build volume. */
const isRefused = (): boolean => openFindings.value.some(({ kind }) => kind === "IN_BOUNDS");

/** Why the job cannot be sent; undefined if it can. */
function obstacleTo(job: { hasPrinter: boolean; jobName: string; isAgreed: boolean }): string | undefined {
  if ((scene.value?.models.length ?? 0) === 0) return "There is nothing to print yet.";
  if (isRefused()) return "Parts outside the build volume cannot be printed. Move them inside first.";
  if (!job.hasPrinter) return "Connect a printer, or save the job as a file.";
  if (job.jobName.trim() === "") return "The job needs a name.";
  if (light.value === "error" && !job.isAgreed) return "Solve what is red, or agree to print anyway.";
  return isChecking(scene.value?.id) ? "The check is running." : undefined;
}

/** Text of the button that sends the job: it says with how many remarks. */
function submitText(starts: boolean): string {
  const count = openFindings.value.length;
  if (count > 0) return `${starts ? "Print" : "Send"} with ${counted(count, "remark")}`;
  if (isUnchecked.value && !isChecking(scene.value?.id)) return starts ? "Print unchecked" : "Send unchecked";
  return starts ? "Print now" : "Send";
}

/** A part of the dialog that is folded until it is opened. */
function Fold({ title, children }: { title: string; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="options dialog-fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  );
}

/** Whether a print can be sent: a queue holds it until a printer is ready. Folders, from which a person starts each job, are never ready. */
const canStart = (printer: ListedDevice | undefined): boolean =>
  printer?.printers !== undefined || printer?.ready_to_print_now !== false;

const JobName = ({ value, onChange }: { value: string; onChange: (name: string) => void }) => (
  <div class="field">
    <label for="job-name">Job name</label>
    <input id="job-name" type="text" value={value} onInput={(event) => onChange(event.currentTarget.value)} />
  </div>
);

function PrinterChoice(props: {
  devices: readonly ListedDevice[];
  chosen: ListedDevice | undefined;
  onChange: (id: string) => void;
}) {
  const { devices, chosen, onChange } = props;
  return (
    <fieldset class="printer-choice">
      <legend>Printer</legend>
      {devices.map((device) => (
        <label key={device.id} class="printer-row">
          <input type="radio" name="printer" checked={device.id === chosen?.id} onChange={() => onChange(device.id)} />
          <span>
            <b>{device.id}</b> {device.product_name}
            <small>
              {device.status}
              {!suitsScene(device) && ` · not the ${summary.value?.setting.printer_label} of this scene`}
            </small>
          </span>
          <DeviceState device={device} />
        </label>
      ))}
      {devices.length === 0 && <p class="note">{noPrinterNote()}</p>}
    </fieldset>
  );
}

const noPrinterNote = (): string =>
  summary.value?.setting.needs_makers_program
    ? "No printer is connected. Form and Fuse printers accept jobs only from the manufacturer's program: save the parts with their supports as 3MF or STL for that program."
    : "No printer is connected. Search for one under “Printers”, or save the job as a file for a USB stick.";

const PrintTime = () => (
  <span class="note">
    {metadata.value ? duration(metadata.value.estimated_print_time_s) : isMeasuring.value && "Computing the time…"}
  </span>
);

function defaultName(): string {
  const name = scene.value?.name;
  if (name !== undefined) return name;
  const [first, ...others] = scene.value?.models ?? [];
  if (!first) return "Job";
  return others.length === 0 ? first.name : `${first.name} and ${others.length} more`;
}

/** Message after a job was accepted. A queue holds a job until one of its printers is ready. */
function sentTo({ id, printers: members }: ListedDevice, jobName: string, printNow: boolean): string {
  if (members) return `“${jobName}” was sent to the queue. Jobs that it holds are listed under “Printers”.`;
  return printNow ? `${id} prints “${jobName}”.` : `“${jobName}” waits at ${id}.`;
}

/** Fields of the request that sends a job, besides the scene and the printer. */
interface SentJob {
  readonly job_name: string;
  readonly print_now: boolean;
  readonly supports_without_grey?: boolean;
  readonly anti_aliasing?: string;
}

async function print(printer: ListedDevice, job: SentJob): Promise<void> {
  const body = { scene_id: fetchedScene().id, printer: printer.id, ...job };
  const outcome = await runReading(
    `Print ${job.job_name}`,
    (context) => callEndpoint<{ warnings?: readonly string[] }>("/v1/scene/print/", body, context),
    "job",
  );
  if (!outcome) return;
  notify({
    severity: "success",
    text: sentTo(printer, job.job_name, job.print_now),
    details: outcome.result.warnings ?? [],
  });
  void refreshPrinters();
}
