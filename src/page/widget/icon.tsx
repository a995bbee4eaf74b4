/** SVG paths of the icons, in a square of 20 × 20. */
const PATHS = {
  add: "M10 4v12M4 10h12",
  undo: "M7 5 3.5 8.5 7 12M4 8.5h7.5a4 4 0 0 1 0 8H8",
  redo: "m13 5 3.5 3.5L13 12M16 8.5H8.5a4 4 0 0 0 0 8H12",
  save: "M10 3v9M6.5 8.5 10 12l3.5-3.5M4 13.5v3h12v-3",
  open: "M3 15.5v-11h5l1.5 2H16v2M3 15.5l2.2-7H18l-2.2 7z",
  help: "M7.4 7.6a2.7 2.7 0 1 1 4 2.4c-.9.5-1.4 1-1.4 2M10 14.6v.2M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15",
  sun: "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M10 2v1.6M10 16.4V18M2 10h1.6M16.4 10H18M4.3 4.3l1.2 1.2M14.5 14.5l1.2 1.2M4.3 15.7l1.2-1.2M14.5 5.5l1.2-1.2",
  moon: "M16 12.2A6.8 6.8 0 0 1 7.8 4a6.6 6.6 0 1 0 8.2 8.2",
  system: "M3 4h14v9.5H3zM7.5 16.5h5M10 13.5v3",
  select: "m5 3 10.5 6.4-4.6 1.1-2.2 4.4z",
  move: "M10 2.5v15M2.5 10h15M7.8 4.7 10 2.5l2.2 2.2M7.8 15.3l2.2 2.2 2.2-2.2M4.7 7.8 2.5 10l2.2 2.2M15.3 7.8l2.2 2.2-2.2 2.2",
  rotate: "M15.8 7A6.5 6.5 0 1 0 16.5 10.5M16.3 3v4.2h-4.2",
  scale: "M3 11v6h6v-6zM6.5 8V3H17v10.5h-5M9.5 10.5 14 6M10.8 6H14v3.2",
  "face-down": "M3 17h14M6.5 14 4 11.5 12.5 4l3.5 5zM4 11.5 7.5 10",
  measure: "m2.8 13 10.2-10.2 4.2 4.2L7 17.2zM5.6 10.2l1.9 1.9M8.3 7.5l2.6 2.6M11 4.8l1.9 1.9",
  section: "M4 4h12v12H4zM4 11l7-7M4 16 16 4M9 16l7-7",
  pick: "M10 3v4M10 13v4M3 10h4M13 10h4M10 9.9v.2",
  frame: "M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4M7 7.5h6v5H7z",
  home: "M10 2.8 16.5 6.4v7.2L10 17.2l-6.5-3.6V6.4zM3.7 6.6 10 10l6.3-3.4M10 10v7",
  list: "M7 5h10M7 10h10M7 15h10M3 5h.2M3 10h.2M3 15h.2",
  layers: "m10 3 7 3.5-7 3.5-7-3.5zM3 10l7 3.5 7-3.5M3 13.5 10 17l7-3.5",
  eye: "M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5M10 7.7a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6",
  eyeOff:
    "M3 3l14 14M8 5.2A8.5 8.5 0 0 1 10 5c5 0 8 5 8 5a14 14 0 0 1-2.7 3M5.2 6.7A13 13 0 0 0 2 10s3 5 8 5c1.3 0 2.5-.3 3.5-.9",
  lock: "M5 9h10v8H5zM7 9V6.5a3 3 0 0 1 6 0V9",
  trash: "M4 5.5h12M8 5.5v-2h4v2M5.5 5.5l.7 11.5h7.6l.7-11.5M8.5 8.5v5.5M11.5 8.5v5.5",
  copy: "M7 7h9.5v9.5H7zM13 7V3.5H3.5V13H7",
  swap: "M4 7h11M12 3.8 15.2 7 12 10.2M16 13H5M8 9.8 4.8 13 8 16.2",
  close: "m5 5 10 10M15 5 5 15",
  check: "m4 10.5 4 4 8-9",
  warning: "M10 3 18 16.5H2zM10 8v4M10 14.2v.2",
  error: "M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15M10 6v5M10 13.6v.2",
  info: "M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15M10 9v5M10 6v.2",
  chevron: "m7 4.5 5.5 5.5L7 15.5",
  back: "m13 4.5-5.5 5.5 5.5 5.5",
  printer: "M5.5 7.5V3h9v4.5M5.5 14H3V7.5h14V14h-2.5M5.5 11.5h9V17h-9z",
  clock: "M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15M10 6v4.3l2.8 1.9",
  picture: "M3 4h14v12H3zM3 13.5l4-4 3.5 3.5 2.5-2.5 4 4M13 7.4v.2",
  wand: "m3.5 16.5 8-8M13 2.8v3M11.5 4.3h3M16 7.5v2.4M14.8 8.7h2.4M8 3.5v2M7 4.5h2",
  repair: "M12.8 3.2a4 4 0 0 0-4.6 5.4L3 13.8 6.2 17l5.2-5.2a4 4 0 0 0 5.4-4.6L14.4 9.6 11.3 8.7 10.4 5.6z",
  shape: "M4 6.5 10 3l6 3.5v7L10 17l-6-3.5zM7.5 10a2.5 2.5 0 1 0 5 0 2.5 2.5 0 0 0-5 0",
  cut: "M3 10h2M9 10h2M15 10h2M5 5l10 10M15 5 5 15",
  mirror: "M10 3v14M7.5 6v8H3zM12.5 6v8H17z",
  vent: "M4 4v9a3 3 0 0 0 3 3h6a3 3 0 0 0 3-3V4M10 2.5v9M7.5 5 10 2.5 12.5 5",
  drain: "M10 3c3.2 3.8 5 6.4 5 8.8a5 5 0 0 1-10 0C5 9.4 6.8 6.8 10 3M8 12.2a2 2 0 0 0 2 2",
  split: "M3.5 5.5h5v9h-5zM11.5 5.5h5v9h-5z",
  label: "M5 15.5 9.5 4.5h1L15 15.5M6.7 11.5h6.6",
  dental:
    "M6.5 3.5c1.5 0 2 .8 3.5.8s2-.8 3.5-.8c2 0 3 1.5 3 3.7 0 3.3-1.6 9.3-3.3 9.3-1.7 0-1.2-4.3-3.2-4.3s-1.5 4.3-3.2 4.3c-1.7 0-3.3-6-3.3-9.3 0-2.2 1-3.7 3-3.7",
  orient: "M3 16.5h14M6 13.5 12.5 4l3.5 2.4-6.5 9.5",
  support: "M2.5 17h15M5.5 17v-6M10 17V8.5M14.5 17v-6M4 11l6-6 6 6z",
  arrange: "M3 3h6v6H3zM11 3h6v4h-6zM11 9h6v8h-6zM3 11h6v6H3z",
  bell: "M10 3a4.5 4.5 0 0 1 4.5 4.5c0 4 1.5 5 1.5 6H4c0-1 1.5-2 1.5-6A4.5 4.5 0 0 1 10 3M8.5 16.2a1.6 1.6 0 0 0 3 0",
  more: "M4 10a.9.9 0 1 0 1.8 0 .9.9 0 0 0-1.8 0M9.1 10a.9.9 0 1 0 1.8 0 .9.9 0 0 0-1.8 0M14.2 10a.9.9 0 1 0 1.8 0 .9.9 0 0 0-1.8 0",
} as const;

export type IconName = keyof typeof PATHS;

/** An icon next to a text or on a named button. Screen readers ignore it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** A button with only an icon. Its name is shown as a tooltip and announced by screen readers. */
export function IconButton(props: {
  icon: IconName;
  name: string;
  onClick: () => void;
  shortcut?: string;
  disabled?: boolean;
  pressed?: boolean;
  class?: string;
}) {
  const { icon, name, onClick, shortcut, disabled, pressed } = props;
  return (
    <button
      type="button"
      class={`icon-button ${props.class ?? ""}`}
      aria-label={name}
      title={shortcut === undefined ? name : `${name} (${shortcut})`}
      disabled={disabled ?? false}
      {...(pressed !== undefined && { "aria-pressed": pressed })}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
