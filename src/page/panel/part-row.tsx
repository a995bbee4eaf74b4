import { counted, millilitres } from "../../core/quantities.ts";
import type { PageModel } from "../../ui/replies.ts";
import { choiceLabel } from "../action/form-field.ts";
import { setVisible } from "../state/edit.ts";
import { renamedRow, startRename } from "../state/listed-parts.ts";
import { type PartMark, shownMarkOf } from "../state/part-marks.ts";
import { partMenuAt } from "../state/part-menu.ts";
import type { PartRow } from "../state/part-rows.ts";
import { selection } from "../state/project.ts";
import { thumbnailOf } from "../state/thumbnails.ts";
import { Icon } from "../widget/icon.tsx";
import { RenameInput } from "../widget/rename-input.tsx";
import { type ListState, selectRow, toggleFold, toggleRow } from "./list-keys.ts";

/** Height of a row; enough for fingers. */
export const ROW_PX = 52;

interface RowProps {
  readonly row: PartRow;
  /** Index of the row in the list. */
  readonly index: number;
  readonly isSelected: boolean;
  readonly list: ListState;
  /** `byKey`: the name was confirmed or cancelled by a key. */
  readonly onRenamed: (row: PartRow, name: string, byKey: boolean) => void;
}

/** A part in the list, or a fold of copies: "axle × 4". */
export function PartListRow({ row, index, isSelected, list, onRenamed }: RowProps) {
  const { key, name, model, ids, isOpen, isInFold } = row;
  const facts = factsOf(row);
  const mark = shownMarkOf(ids);
  const states = [...statesOf(model), ...(mark ? [markText(mark)] : [])];
  const title = isOpen === undefined ? name : `${name} × ${ids.length}`;
  return (
    <div
      id={rowId(key)}
      class="row"
      role="option"
      aria-selected={isSelected}
      {...(isOpen !== undefined && { "aria-expanded": isOpen })}
      aria-label={[title, facts, ...states].join(", ")}
      aria-posinset={index + 1}
      aria-setsize={list.rows.length}
      data-cursor={key === list.cursor}
      data-hidden={!model.visible}
      data-in-fold={isInFold}
      style={{ transform: `translateY(${index * ROW_PX}px)`, height: `${ROW_PX}px` }}
      title={[title, ...states].join(" · ")}
      onClick={(event) => selectRow(row, event, list)}
      onDblClick={() => startRename(ids)}
      onContextMenu={(event) => {
        event.preventDefault();
        openMenu(row, isSelected, event, list);
      }}
    >
      <span
        class="mark mark-choose"
        onClick={(event) => {
          event.stopPropagation();
          toggleRow(row, list);
        }}
      >
        <span class="tick">{isSelected && <Icon name="check" />}</span>
      </span>
      <Thumbnail model={model} />
      <div class="row-text">
        {key === renamedRow.value ? (
          <RenameInput label="Name of the part" name={name} onDone={(text, byKey) => onRenamed(row, text, byKey)} />
        ) : (
          <span class="row-name">
            <span class="name">{name}</span>
            {isOpen !== undefined && <span class="times">× {ids.length}</span>}
          </span>
        )}
        <small>{facts}</small>
      </div>
      <StateMarks row={row} />
      {mark && <CheckMark mark={mark} />}
      {isOpen !== undefined && (
        <span
          class="mark mark-fold"
          data-open={isOpen}
          onClick={(event) => {
            event.stopPropagation();
            toggleFold(row, list);
          }}
        >
          <Icon name="chevron" />
        </span>
      )}
    </div>
  );
}

/** Opens the menu of the selection; the row is selected first, unless it is part of it. A long press of a finger is such an event as well. */
function openMenu(row: PartRow, isSelected: boolean, { clientX, clientY }: MouseEvent, list: ListState): void {
  if (!isSelected) {
    list.setCursor(row.key);
    selection.value = { ids: row.ids, anchor: row.ids[0] };
  }
  partMenuAt.value = { x: clientX, y: clientY };
}

/** Id of the element of a row. */
export const rowId = (key: string): string => `part-${key.replaceAll(" ", "_")}`;

/** "4.5 ml · 33 points"; of a fold the values of one copy. */
function factsOf({ model, isOpen }: PartRow): string {
  const { volume_ml, supports, support_points, lost_supports, kind } = model;
  const volume = `${millilitres(volume_ml)}${isOpen === undefined ? "" : " each"}`;
  if (kind === "lattice") return `${volume} · cage`;
  if (supports) return `${volume} · ${counted(support_points, "point")}`;
  return lost_supports ? `${volume} · lost its supports` : volume;
}

/** States of a part that differ from the usual ones. */
const statesOf = ({ in_bounds, visible, lock, supports, lost_supports, kind, cage_id }: PageModel): string[] =>
  [
    !in_bounds && "out of bounds",
    !visible && "hidden",
    lock !== "FREE" && `lock: ${choiceLabel(lock)}`,
    supports && "supported",
    lost_supports && "lost its supports",
    kind !== "lattice" && cage_id !== null && "in a cage",
  ].filter((one) => typeof one === "string");

const markText = (mark: PartMark): string =>
  mark.state === "PASSED" ? "passed its checks" : counted(mark.count, "finding");

/** How many things the checks found, or a tick. */
function CheckMark({ mark }: { mark: PartMark }) {
  if (mark.state === "PASSED")
    return (
      <span class="mark mark-passed">
        <Icon name="check" />
      </span>
    );
  return (
    <span class={`pill pill-${mark.state.toLowerCase()}`}>
      <Icon name="warning" />
      {mark.count}
    </span>
  );
}

/** The picture of the part; an icon until it is drawn. */
function Thumbnail({ model }: { model: PageModel }) {
  const picture = thumbnailOf(model).value;
  return <span class="thumbnail">{picture ? <img src={picture} alt="" /> : <Icon name="home" />}</span>;
}

/** Icons for the states of a part; the eye hides and shows it, or all copies of a fold. */
function StateMarks({ row: { ids, model } }: { row: PartRow }) {
  const { in_bounds, lock, visible } = model;
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
      <span
        class="mark mark-eye"
        onClick={(event) => {
          event.stopPropagation();
          void setVisible(ids, !visible);
        }}
      >
        <Icon name={visible ? "eye" : "eyeOff"} />
      </span>
    </>
  );
}
