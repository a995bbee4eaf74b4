import * as v from "valibot";
import { operationFailed } from "../../core/api-error.ts";
import { lenient, shortText } from "../polled/lenient.ts";
import type { PrintJob } from "../printer.ts";

const number = v.union([v.number(), v.pipe(v.string(), v.regex(/^\d+(\.\d+)?$/), v.transform(Number))]);

/** The reply to `/json/db/profiles.json`. */
export const profilesReply = v.nullable(
  v.array(
    v.object({
      ProfileID: lenient(number),
      Title: lenient(shortText),
      /** Thickness of layers in µm. */
      Depth: lenient(number),
    }),
  ),
);

interface Profile {
  readonly id: number;
  readonly title: string;
  readonly depthUm: number | undefined;
}

/** Most profiles that a message lists. */
const MAX_LISTED = 20;
const UM_PER_MM = 1000;
/** Thicknesses in whole tenths of µm are told apart. */
const SAME_UM = 0.05;

/**
 * The id of the machine's profile for a job: that with the number or the title `wanted`, else the first one whose layers are as thick as
 * those of the job. Throws OPERATION_FAILED, which lists the profiles, where there is none.
 */
export function chooseProfile(
  reply: v.InferOutput<typeof profilesReply>,
  { layerThicknessMm }: Pick<PrintJob, "layerThicknessMm">,
  wanted: string | undefined,
): number {
  const profiles = (reply ?? []).flatMap(({ ProfileID: id, Title: title = "", Depth: depthUm }) =>
    id === undefined ? [] : [{ id, title, depthUm }],
  );
  const isWanted = ({ id, title }: Profile): boolean => String(id) === wanted || title === wanted;
  const fits = ({ depthUm = NaN }: Profile): boolean =>
    typeof layerThicknessMm === "number" && Math.abs(depthUm - layerThicknessMm * UM_PER_MM) < SAME_UM;
  const found = profiles.find(wanted === undefined ? fits : isWanted);
  if (found) return found.id;
  const lacks =
    wanted === undefined
      ? `no profile of the machine has layers of ${thicknessText(layerThicknessMm)}`
      : `the machine has no profile ${JSON.stringify(wanted)}, as the printers file names it`;
  throw operationFailed(
    `${lacks}: give one as "profile" in the printers file, or make one on the machine's page. It has ${listed(profiles)}`,
  );
}

const thicknessText = (thickness: PrintJob["layerThicknessMm"]): string =>
  typeof thickness === "number" ? `${thickness} mm` : "a thickness that varies or is not known";

function listed(profiles: readonly Profile[]): string {
  if (profiles.length === 0) return "none";
  const words = profiles
    .slice(0, MAX_LISTED)
    .map(
      ({ id, title, depthUm }) => `${id} ${JSON.stringify(title)}${depthUm === undefined ? "" : ` (${depthUm} µm)`}`,
    );
  const more = profiles.length > MAX_LISTED ? [`${profiles.length - MAX_LISTED} more`] : [];
  return [...words, ...more].join(", ");
}
