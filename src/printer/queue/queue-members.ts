import { printableMachineTypes } from "../../catalog/catalog.ts";
import type { Printer } from "../printer.ts";
import type { QueueContext } from "./queue-context.ts";

type MembersContext = Pick<QueueContext, "connected" | "machineTypeOf" | "receiving">;

/** The printers of a queue, by their names. */
export class QueueMembers {
  readonly names: readonly string[];
  readonly #context: MembersContext;
  /**
   * The machine types that each printer prints, also for printers that were connected before, since jobs for them wait. Printers whose type was
   * neither given nor seen are absent.
   */
  readonly #types: Map<string, readonly string[]>;
  /** The printers, also those that were connected before, whose jobs are all started by a person. */
  readonly #startNoPrints = new Set<string>();
  #submissions = 0;
  /** Number of the last submission of a job that waits at its printer. */
  readonly #lastSubmission = new Map<string, number>();

  constructor(names: readonly string[], context: MembersContext) {
    this.names = names;
    this.#context = context;
    this.#types = new Map(
      names.flatMap((name) => {
        const machineType = context.machineTypeOf(name);
        return machineType === undefined ? [] : [[name, printableMachineTypes(machineType)] as const];
      }),
    );
  }

  /** The connected printers, whose machine types are noted. */
  connected(): Printer[] {
    const byName = this.#context.connected();
    const found = this.names.flatMap((name) => byName.get(name) ?? []);
    for (const { id, machineTypes, startsNoPrints = false } of found) {
      this.#types.set(id, machineTypes);
      if (startsNoPrints) this.#startNoPrints.add(id);
    }
    return found;
  }

  /** The machine types of each printer whose type is known by now. */
  knownTypes(): ReadonlyMap<string, readonly string[]> {
    this.connected();
    return this.#types;
  }

  machineTypes(): string[] {
    return [...new Set([...this.knownTypes().values()].flat())];
  }

  /** Whether a printer may be able to print scenes for a machine type: it counts as able while its own type is unknown. */
  mayPrint(name: string, machineType: string): boolean {
    return this.#types.get(name)?.includes(machineType) ?? true;
  }

  /** Whether a printer may start prints: it counts as able while it has never been connected. */
  mayStart(name: string): boolean {
    return !this.#startNoPrints.has(name);
  }

  /**
   * Whether a printer can take a job, with `printNow` also start it, and no queue is submitting one to it. A job without `printNow` goes to an
   * idle printer, too, unless no printer of its kind starts prints.
   */
  isFree(printer: Printer, printNow: boolean): boolean {
    const isIdle = !printNow && printer.startsNoPrints === true ? printer.acceptsJobs?.() === true : printer.isReady();
    return isIdle && !this.#context.receiving.has(printer.id);
  }

  free(printNow: boolean): Printer[] {
    return this.connected().filter((printer) => this.isFree(printer, printNow));
  }

  noteSubmission(name: string): void {
    this.#lastSubmission.set(name, ++this.#submissions);
  }

  /** The printers in the order of their last submissions, oldest first, so that jobs that wait at printers are spread over them. */
  leastRecentFirst(printers: readonly Printer[]): Printer[] {
    const last = ({ id }: Printer): number => this.#lastSubmission.get(id) ?? 0;
    return printers.toSorted((a, b) => last(a) - last(b));
  }
}
