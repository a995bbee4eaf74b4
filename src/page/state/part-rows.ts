import type { PageModel, PageScene } from "../../ui/replies.ts";

type Family = PageScene["volume"]["family"];

/** A row in the list of parts: a part, or a fold of equal copies, which is one row until it is opened. */
export interface PartRow {
  /** Identifies the row, also after changes of other parts. */
  readonly key: string;
  readonly name: string;
  /** The part, or the first of the copies. */
  readonly model: PageModel;
  /** Ids of the part, or of all copies of the fold. */
  readonly ids: readonly string[];
  /** Whether the fold shows its copies below; undefined: the row is no fold. */
  readonly isOpen: boolean | undefined;
  /** Whether the part is a copy in an open fold. */
  readonly isInFold: boolean;
}

/** Copies are folded from this number on. */
const LEAST_FOLDED = 3;

/** A name without the number of a copy: "axle" for "axle (2)". */
const withoutNumber = (name: string): string => name.replace(/ \(\d+\)$/, "");

/** The name of a copy when its fold gets another one; copies keep their numbers. */
export const renamedCopy = (copyName: string, foldName: string): string =>
  foldName + copyName.slice(withoutNumber(copyName).length);

/**
 * What equal copies have in common: mesh, scale, supports and name, and in resin which side is up. Turns about z do not count, since a
 * layout makes them; in powder no turn counts.
 */
function copyKey({ mesh, matrix, supports, name, kind }: PageModel, family: Family): string {
  const up = [matrix[2], matrix[6], matrix[10]];
  const side = family === "resin" ? up : [Math.hypot(matrix[0], matrix[1], matrix[2])];
  return [kind, mesh, supports?.mesh ?? "", withoutNumber(name), ...side.map((entry) => entry.toFixed(4))].join(" ");
}

/** A part, or at least three equal ones, in the order of the first one. */
export interface PartFold {
  readonly key: string;
  readonly name: string;
  readonly models: readonly PageModel[];
}

/** Puts equal copies together where there are at least three. */
export function foldCopies(models: readonly PageModel[], family: Family): readonly PartFold[] {
  const alike = Map.groupBy(models, (model) => copyKey(model, family));
  const folds = new Map<string, PartFold>();
  for (const model of models) {
    const key = copyKey(model, family);
    const copies = alike.get(key) ?? [];
    const isFold = copies.length >= LEAST_FOLDED;
    const ownKey = isFold ? key : model.id;
    if (folds.has(ownKey)) continue;
    folds.set(ownKey, {
      key: ownKey,
      name: isFold ? withoutNumber(model.name) : model.name,
      models: isFold ? copies : [model],
    });
  }
  return [...folds.values()];
}

/** The rows of the list: folds whose key is in `open` also show their copies. A search keeps folds; it looks at all names in them. */
export function partRows(folds: readonly PartFold[], open: ReadonlySet<string>, search: string): readonly PartRow[] {
  const words = search.toLowerCase().trim();
  const isFound = ({ models }: PartFold): boolean => models.some(({ name }) => name.toLowerCase().includes(words));
  const found = words === "" ? folds : folds.filter(isFound);
  return found.flatMap(({ key, name, models }) => {
    const [model, ...others] = models;
    if (!model) return [];
    const isFold = others.length > 0;
    const head: PartRow = {
      key,
      name,
      model,
      ids: models.map(({ id }) => id),
      isOpen: isFold ? open.has(key) : undefined,
      isInFold: false,
    };
    return head.isOpen ? [head, ...models.map(memberRow)] : [head];
  });
}

const memberRow = (model: PageModel): PartRow => ({
  key: model.id,
  name: model.name,
  model,
  ids: [model.id],
  isOpen: undefined,
  isInFold: true,
});

/** Ids of all parts in the order of the rows; those of an open fold once. */
export const orderOf = (rows: readonly PartRow[]): readonly string[] =>
  rows.flatMap(({ ids, isInFold }) => (isInFold ? [] : ids));
