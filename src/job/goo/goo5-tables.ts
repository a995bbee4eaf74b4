// The tables of `.goo` files of version 5, which follow the head. No description by the maker is public: the layout is that of one program,
// whose source knows it from files of the maker's slicer. Each table begins with a byte of its own.

/** Number of panels, places of the tables, and bits of a pixel. */
export const PREAMBLE_BYTES = 15;
export const TABLE_MARKS = { layers: 0xa1, blocks: 0xa2, end: 0xa3 } as const;
/** Address and size of what an entry names. */
export const ENTRY_BYTES = 8;
/** A picture consists of the columns of the left half, and of those of the right half. */
export const PANELS = 2;
/** The record behind the pictures, which repeats the name of the print setting. */
export const FOOTER_BYTES = 142;
/** The MD5 of the file, in hexadecimal digits. */
export const MD5_DIGITS = 32;

/** Number of columns of each half. */
export const panelWidths = (columns: number): readonly [left: number, right: number] => [
  Math.ceil(columns / 2),
  Math.floor(columns / 2),
];
