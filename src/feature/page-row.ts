// How the page in a browser shows a feature: the types of `feature/NAME/page.ts`. These files are part of the page's bundle; from the
// server they import only types.

import type { Family } from "../catalog/setting.ts";

/** The part of a feature that the page shows. */
export interface FeaturePage {
  readonly actions?: readonly Action[];
  /** Labels of fields whose names are unclear to users. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Labels of values whose names are unclear to users. */
  readonly choices?: Readonly<Record<string, string>>;
}

/** The step of a job to which an action belongs. */
export type Group = "parts" | "orient" | "support" | "layout" | "pack" | "cage" | "check";

/** How many places on surfaces the user clicks before the action runs. */
export type PlaceNeed = "many" | "one";

/** Values chosen in a form, by field name; unchanged fields are absent. */
export type Values = Readonly<Record<string, unknown>>;

/** Per field: whether it is active for the values of the form. Inactive fields are disabled and not sent. */
export type Conditions = Readonly<Record<string, (values: Values) => boolean>>;

/** An action on the models of a scene. The fields of its form come from the schema of the request. */
export interface Action {
  readonly path: string;
  readonly group: Group;
  /** For the step "parts": name of the tile that opens its form, alone or with others of the same tile. */
  readonly tile?: string;
  /** Text of its button. */
  readonly title: string;
  /** Kind of printer for which it is useful; absent: both. */
  readonly family?: Family;
  /** Initial values of required fields, and defaults that differ from the server's. */
  readonly presets?: Readonly<Record<string, unknown>>;
  /** Fields that are always shown; the others are under "Options". */
  readonly basic?: readonly string[];
  readonly conditions?: Conditions;
  readonly places?: PlaceNeed;
  /** Whether what it would do is shown before it is done, for these values of the form. */
  readonly preview?: (values: Values) => boolean;
  /** A sentence under its name, if people take it for something else. */
  readonly note?: string;
  /** Whether it changes the inside of parts, which a section shows. */
  readonly isInside?: boolean;
  /** Whether it always works on the whole scene, independent of the selection. */
  readonly wholeScene?: boolean;
  /** Present if it only reads the scene: what its reply says. */
  readonly check?: Check;
}

/** How the reply of a check is shown. */
export interface Check {
  /** The findings in a reply, in any order. */
  readonly findings: (reply: never) => readonly ModelFinding[];
  /** Present if the endpoint finds places (`places` of its declaration). */
  readonly places?: PlaceWords;
}

/** Words for the places that an endpoint finds. `size` and `kind` belong to the place. */
export interface PlaceWords {
  readonly label: (size: number, kind: string) => string;
  /** Severity of the finding to which a place belongs, if a check reports several findings per model. */
  readonly severity?: (kind: string) => Severity;
  /** Whether the labels of all places are listed in the text of the finding. */
  readonly isListed?: boolean;
  /** Whether the places are on the lower side of the part. */
  readonly isBelow?: boolean;
}

export type Severity = "info" | "warning" | "error";

/** Something that a check found. */
export interface FindingText {
  readonly severity: Severity;
  readonly text: string;
  /** Places that the reply itself has. */
  readonly places?: readonly LabelledPlace[];
}

/** A finding at one model, or at two that interfere. */
export interface ModelFinding extends FindingText {
  readonly modelIds: readonly string[];
}

/** A ball around a point of the scene, mm. */
export interface LabelledPlace {
  readonly point: readonly [x: number, y: number, z: number];
  readonly radiusMm: number;
  readonly label: string;
}

/** The findings of a reply with results per model (`perModelReply`): `textsOf` returns the findings of one result. */
export const perModel =
  <Result>(textsOf: (result: Result) => readonly (FindingText | false)[]) =>
  ({ per_model_results }: { readonly per_model_results: Readonly<Record<string, Result>> }): ModelFinding[] =>
    Object.entries(per_model_results).flatMap(([id, result]) =>
      textsOf(result)
        .filter((one) => one !== false)
        .map((one) => ({ ...one, modelIds: [id] })),
    );
