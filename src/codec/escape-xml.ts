const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A text as the value of an attribute. Characters that XML 1.0 cannot express (section 2.2) and line ends become spaces. */
export const escapeXml = (value: string): string =>
  value
    .toWellFormed()
    .replaceAll(/[\p{Cc}￾￿]/gu, " ")
    .replaceAll(/[&<>"]/g, (character) => ESCAPES[character]);
