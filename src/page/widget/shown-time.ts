/** As the server writes times in its words: hours from 0 to 23. */
const LOCALE = "en-GB";

/** Time of a moment for people: "11:14" if it was today, otherwise with the day: "28 Nov 11:14". */
export function shownTime(moment: string | Date): string {
  const at = new Date(moment);
  const time = at.toLocaleTimeString(LOCALE, { timeStyle: "short" });
  const isToday = at.toDateString() === new Date().toDateString();
  return isToday ? time : `${at.toLocaleDateString(LOCALE, { day: "numeric", month: "short" })} ${time}`;
}

/** "28 November 2026". */
export const shownDate = (moment: string): string => new Date(moment).toLocaleDateString(LOCALE, { dateStyle: "long" });
