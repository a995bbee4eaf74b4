/** What a client can do about a surface that a label does not fit. */
export const WAY_OUT = "choose another place, a smaller font_size_mm or a shorter label.";
