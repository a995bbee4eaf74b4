const CUBE = "M10 4l5 3v6l-5 3-5-3V7zM5 7l5 3 5-3M10 10v6";

/** The icon of the page in the tab of the browser, drawn here so that nothing more is asked for. */
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><rect width="20" height="20" rx="4" fill="#0b57c2"/>' +
  `<path d="${CUBE}" fill="none" stroke="#fff" stroke-width="1.3" stroke-linejoin="round"/></svg>`;

/** Shows the icon in the tab of the browser. */
export function showPageIcon(): void {
  const link = document.createElement("link");
  link.rel = "icon";
  link.href = `data:image/svg+xml,${encodeURIComponent(SVG)}`;
  document.head.append(link);
}
