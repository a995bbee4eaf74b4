/** Ids of the selected models in the order of the list, and the model from which Shift selects a range. */
export interface Selection {
  readonly ids: readonly string[];
  readonly anchor: string | undefined;
}

export const NO_SELECTION: Selection = { ids: [], anchor: undefined };

/** Modifier keys of a click on a model in the list. */
export interface SelectMode {
  /** Shift: selects from the anchor to this model. */
  readonly isRange?: boolean;
  /** Ctrl or Command: adds this model to the selection, or removes it. */
  readonly isToggle?: boolean;
}

/**
 * Returns the selection after a click on a row of the list, which has one or several models (`ids`). `order` holds the ids of all listed
 * models from top to bottom.
 */
export function clicked(
  selection: Selection,
  ids: readonly string[],
  order: readonly string[],
  mode: SelectMode = {},
): Selection {
  const anchor = ids[0];
  if (mode.isRange) {
    const from = selection.anchor ?? anchor;
    const ends = [from, anchor, ids.at(-1)].map((id) => Math.max(0, order.indexOf(id ?? "")));
    const range = order.slice(Math.min(...ends), Math.max(...ends) + 1);
    return { ids: mode.isToggle ? inOrder(order, [...selection.ids, ...range]) : range, anchor: from };
  }
  if (!mode.isToggle) return { ids, anchor };
  const kept = new Set(selection.ids);
  const isAll = ids.every((id) => kept.has(id));
  for (const id of ids) if (isAll) kept.delete(id);
  return { ids: inOrder(order, isAll ? [...kept] : [...kept, ...ids]), anchor };
}

/** Sorts ids in the order of the list. Ids that the list does not show (because of a search) come last. */
function inOrder(order: readonly string[], ids: readonly string[]): readonly string[] {
  const wanted = new Set(ids);
  const shown = order.filter((id) => wanted.has(id));
  const known = new Set(shown);
  return [...shown, ...[...wanted].filter((id) => !known.has(id))];
}

/** Removes deleted models from a selection. Returns the same object if there are none. */
export function withoutGone(selection: Selection, present: ReadonlySet<string>): Selection {
  if (selection.ids.every((id) => present.has(id))) return selection;
  const { anchor } = selection;
  return {
    ids: selection.ids.filter((id) => present.has(id)),
    anchor: anchor !== undefined && present.has(anchor) ? anchor : undefined,
  };
}
