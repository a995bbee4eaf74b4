/** The first bytes of a `.svgx` file, padded with zeros. */
export const SVGX_MARK = "DLP-II 1.1\n";
export const SVGX_MARK_BYTES = 16;
