/**
 * The value of an element that exists by construction, such as the first of a list that was made with one. Throws where it is missing:
 * that is a defect of the program, which a request answers as UNKNOWN_FAILURE with this text. Input of users is checked with coded errors.
 */
export function must<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`${what} is missing.`);
  return value;
}
