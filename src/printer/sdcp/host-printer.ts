import { printableMachineTypes } from "../../catalog/catalog.ts";
import type { PrinterType } from "../../catalog/setting.ts";
import { operationFailed } from "../../core/api-error.ts";
import type { GenericDevice } from "../device.ts";
import type { PrintJob, Printer } from "../printer.ts";
import { type StartWatch, newStartWatch } from "../start-watch.ts";
import type { HostView } from "./host-view.ts";
import { isIdle } from "./status.ts";
import type { Timing } from "./timing.ts";

/** The facts that a printer object needs about its printer. */
export interface HostPrinterOptions {
  readonly host: HostView;
  readonly printerType: PrinterType;
  readonly timing: Timing;
  /** Its id and its other names, which depend on the other printers. */
  names(): { readonly id: string; readonly others: readonly string[] };
}

/** The parts that printers of all protocol versions share: names, type, and the check of starts that were ordered. */
export abstract class HostPrinter<Options extends HostPrinterOptions = HostPrinterOptions> implements Printer {
  readonly machineTypes: readonly string[];
  protected readonly options: Options;
  protected readonly startWatch: StartWatch;

  constructor(options: Options) {
    this.options = options;
    this.machineTypes = printableMachineTypes(options.printerType.machineType);
    this.startWatch = newStartWatch(options.timing.busyPollMs);
    options.host.onStatus((status) => this.startWatch.saw(isIdle(status)));
  }

  get id(): string {
    return this.options.names().id;
  }

  get otherNames(): readonly string[] {
    return this.options.names().others;
  }

  get label(): string {
    return this.printerType.label;
  }

  get printerType(): PrinterType {
    return this.options.printerType;
  }

  abstract describe(): GenericDevice;
  abstract isReady(): boolean;
  abstract submit(job: PrintJob): Promise<void>;

  /** Throws OPERATION_FAILED: no version of the protocol has a command for firmware. */
  async installFirmware(): Promise<never> {
    throw operationFailed(
      `The printer "${this.id}" takes no firmware over the network: copy the maker's file to a USB stick and update it on its screen.`,
    );
  }
}
