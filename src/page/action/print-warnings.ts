import type { ModelDetails } from "../server/replies.ts";
import type { Marker } from "../view/view.ts";
import { counted } from "../../core/quantities.ts";

/** A reason not to print the scene in its present state. */
export interface PrintWarning {
  readonly severity: Marker["severity"];
  readonly text: string;
}

interface PrintedScene {
  readonly models: readonly Pick<ModelDetails, "id" | "name" | "in_bounds" | "is_group" | "has_supports">[];
  readonly family: "resin" | "powder";
  /** Pairs of ids of overlapping models; undefined until they are known. */
  readonly overlaps: readonly (readonly [string, string])[] | undefined;
}

/** Maximum number of models or pairs that a warning names; if there are more, it only gives their number. */
const MAX_NAMES = 3;

export function printWarnings({ models, family, overlaps = [] }: PrintedScene): readonly PrintWarning[] {
  const parts = models.filter(({ is_group }) => !is_group);
  const nameOf = new Map(parts.map(({ id, name }) => [id, name]));
  const pairs = overlaps.map((pair) => pair.map((id) => nameOf.get(id) ?? "a model").join(" and "));
  const outside = parts.filter(({ in_bounds }) => !in_bounds).map(({ name }) => name);
  const bare = family === "resin" ? parts.filter(({ has_supports }) => !has_supports).map(({ name }) => name) : [];
  return [
    ...warning("error", outside, (who, isOne) => `${who} ${isOne ? "is" : "are"} not inside the build volume.`),
    ...(pairs.length === 0
      ? []
      : [
          {
            severity: "warning" as const,
            text: `${pairs.length <= MAX_NAMES ? pairs.join(", ") : counted(pairs.length, "pair of models", "pairs of models")} overlap, and would be printed as one piece.`,
          },
        ]),
    ...warning(
      "warning",
      bare,
      (who, isOne) => `${who} ${isOne ? "has" : "have"} no supports, and may come off the platform.`,
    ),
  ];
}

function warning(
  severity: PrintWarning["severity"],
  names: readonly string[],
  sentence: (who: string, isOne: boolean) => string,
): readonly PrintWarning[] {
  if (names.length === 0) return [];
  const who = names.length <= MAX_NAMES ? names.join(", ") : counted(names.length, "model");
  return [{ severity, text: sentence(who, names.length === 1) }];
}
