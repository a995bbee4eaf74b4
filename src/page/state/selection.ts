/** The models that are selected, in the order of the list, and the one from which a range is selected. */
export interface Selection {
  readonly ids: readonly string[];
  readonly anchor: string | undefined;
}

export const NOTHING: Selection = { ids: [], anchor: undefined };

/** What keys are held when a model of the list is clicked. */
export interface SelectMode {
  /** Shift: from the anchor to here. */
  readonly isRange?: boolean;
  /** Ctrl or Command: this one as well, or this one no more. */
  readonly isToggle?: boolean;
}

/** The selection after a click on a model. `order` holds the ids of the list from top to bottom, as they are shown. */
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

/** Those of the list first, in its order; those that the list does not show stay selected. */
function inOrder(order: readonly string[], ids: readonly string[]): readonly string[] {
  const wanted = new Set(ids);
  const shown = order.filter((id) => wanted.has(id));
  const known = new Set(shown);
  return [...shown, ...[...wanted].filter((id) => !known.has(id))];
}

/** The selection without the models that are gone; the same value where none is. */
export function withoutGone(selection: Selection, present: ReadonlySet<string>): Selection {
  if (selection.ids.every((id) => present.has(id))) return selection;
  const { anchor } = selection;
  return {
    ids: selection.ids.filter((id) => present.has(id)),
    anchor: anchor !== undefined && present.has(anchor) ? anchor : undefined,
  };
}
