import type { PageModel } from "../../ui/replies.ts";
import { choiceLabel } from "../action/form-field.ts";
import { setVisible } from "../state/edit.ts";
import { Icon } from "../widget/icon.tsx";
import { RenameInput } from "../widget/rename-input.tsx";
import { type ListState, selectRow, toggleRow } from "./list-keys.ts";

/** Height of a row; larger for fingers. */
export const ROW_PX = matchMedia("(pointer: coarse)").matches ? 44 : 28;

interface RowProps {
  readonly model: PageModel;
  /** Index of the row in the list. */
  readonly index: number;
  readonly isSelected: boolean;
  readonly list: ListState;
  /** `byKey`: the name was confirmed or cancelled by a key. */
  readonly onRenamed: (model: PageModel, name: string, byKey: boolean) => void;
}

/** A model in the list of models. */
export function ModelRow({ model, index, isSelected, list, onRenamed }: RowProps) {
  const { id, name, visible } = model;
  const states = statesOf(model);
  return (
    <div
      id={`model-${id}`}
      class="row"
      role="option"
      aria-selected={isSelected}
      aria-label={[name, ...states].join(", ")}
      aria-posinset={index + 1}
      aria-setsize={list.order.length}
      data-cursor={id === list.cursor}
      data-hidden={!visible}
      style={{ transform: `translateY(${index * ROW_PX}px)`, height: `${ROW_PX}px` }}
      title={[name, ...states].join(" · ")}
      onClick={(event) => selectRow(id, event, list)}
      onDblClick={() => list.setRenamed(id)}
    >
      <span
        class="mark mark-choose"
        onClick={(event) => {
          event.stopPropagation();
          toggleRow(id, list);
        }}
      >
        <span class="tick">{isSelected && <Icon name="check" />}</span>
      </span>
      {id === list.renamed ? (
        <RenameInput label="Name of the part" name={name} onDone={(text, byKey) => onRenamed(model, text, byKey)} />
      ) : (
        <span class="name">{name}</span>
      )}
      <StateMarks model={model} />
    </div>
  );
}

/** States of a model that differ from the usual ones. */
const statesOf = ({ in_bounds, visible, lock, supports, kind, cage_id }: PageModel): string[] =>
  [
    !in_bounds && "out of bounds",
    !visible && "hidden",
    lock !== "FREE" && `lock: ${choiceLabel(lock)}`,
    supports && "supported",
    kind === "lattice" ? "cage" : cage_id !== null && "in a cage",
  ].filter((one) => typeof one === "string");

/** Icons for the states of a model; the eye hides and shows it. */
function StateMarks({ model: { id, in_bounds, lock, supports, visible } }: { model: PageModel }) {
  return (
    <>
      {!in_bounds && (
        <span class="mark mark-error">
          <Icon name="warning" />
        </span>
      )}
      {lock !== "FREE" && (
        <span class="mark">
          <Icon name="lock" />
        </span>
      )}
      {supports && (
        <span class="mark">
          <Icon name="support" />
        </span>
      )}
      <span
        class="mark mark-eye"
        onClick={(event) => {
          event.stopPropagation();
          void setVisible([id], !visible);
        }}
      >
        <Icon name={visible ? "eye" : "eyeOff"} />
      </span>
    </>
  );
}
