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

/** Returns the selection after a click on a model. `order` holds the ids of the shown list from top to bottom. */
export function clicked(selection: Selection, id: string, order: readonly string[], mode: SelectMode = {}): Selection {
  const kept = new Set(selection.ids);
  if (mode.isRange) {
    const to = order.indexOf(id);
    const anchor = selection.anchor ?? id;
    const from = Math.max(0, order.indexOf(anchor));
    const range = order.slice(Math.min(from, to), Math.max(from, to) + 1);
    return { ids: mode.isToggle ? inOrder(order, [...kept, ...range]) : range, anchor };
  }
  if (!mode.isToggle) return { ids: [id], anchor: id };
  if (!kept.delete(id)) kept.add(id);
  return { ids: inOrder(order, [...kept]), anchor: id };
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
