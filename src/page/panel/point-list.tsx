import { useRef, useState } from "preact/hooks";
import { pointInWords } from "../action/support-edits.ts";
import { supportStruts } from "../state/support-draft.ts";
import { type SupportMode, deletePoints, selectedPoints, supportDraft } from "../state/support-mode.ts";
import { showPoint } from "../state/show-point.ts";

/** Options that are in the document at a time: lists of thousands of points stay quick. */
const SHOWN = 60;
/** Height of an option: fingers need more. */
const OPTION_PX = matchMedia("(pointer: coarse)").matches ? 44 : 26;

/** The points as a list, for people who do not use a pointer. */
export function PointList({ mode }: { mode: SupportMode }) {
  const points = supportDraft.value?.points ?? [];
  const { value: chosen } = selectedPoints;
  const unreached = supportStruts.value?.unreached;
  const [cursor, setCursor] = useState(0);
  const [scrollPx, setScrollPx] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const at = Math.min(cursor, Math.max(0, points.length - 1));
  const first = Math.max(0, Math.min(points.length - SHOWN, Math.floor(scrollPx / OPTION_PX) - 20));
  const choose = (index: number, isMore: boolean): void => {
    const point = points[index];
    if (!point) return;
    setCursor(index);
    const others = isMore ? [...chosen].filter((key) => key !== point.key) : [];
    selectedPoints.value = new Set(isMore && chosen.has(point.key) ? others : [...others, point.key]);
    showPoint(point);
    const { current } = list;
    const [top, bottom] = [index * OPTION_PX, (index + 1) * OPTION_PX];
    if (current && top < current.scrollTop) current.scrollTop = top;
    else if (current && bottom > current.scrollTop + current.clientHeight)
      current.scrollTop = bottom - current.clientHeight;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: points.length - 1,
      PageDown: at + 8,
      PageUp: at - 8,
    }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (to !== undefined) choose(Math.max(0, Math.min(points.length - 1, to)), event.shiftKey);
    else if (event.key === " ") choose(at, true);
    else if (event.key === "Delete") deletePoints();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <details class="options point-list">
      <summary>List of points</summary>
      <div
        ref={list}
        role="listbox"
        aria-label="Support points"
        aria-multiselectable="true"
        aria-activedescendant={points[at] && `point-${points[at].key}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onScroll={({ currentTarget }) => setScrollPx(currentTarget.scrollTop)}
      >
        <div style={{ height: `${points.length * OPTION_PX}px`, paddingTop: `${first * OPTION_PX}px` }}>
          {points.slice(first, first + SHOWN).map((point, i) => (
            <div
              key={point.key}
              id={`point-${point.key}`}
              role="option"
              aria-selected={chosen.has(point.key)}
              aria-posinset={first + i + 1}
              aria-setsize={points.length}
              data-cursor={first + i === at}
              style={{ height: `${OPTION_PX}px`, lineHeight: `${OPTION_PX}px` }}
              onClick={(event) => choose(first + i, event.shiftKey || event.ctrlKey)}
            >
              {pointInWords(point, first + i + 1, !unreached?.has(point.key), mode.usualMm)}
            </div>
          ))}
        </div>
      </div>
    </details>
  );
}
