/** The first minute that is told apart, and how many there are after it: 40 years. */
const FIRST_MINUTE = Date.UTC(2026, 0, 1) / 60_000;
const MINUTES = 40 * 366 * 24 * 60;
/** The numbers of one priority: those of the minutes, that of jobs without a due date, and one more for tries again. 100.5 times it is below 2³¹. */
const RANGE = MINUTES + 2;

/**
 * Priority and due date of a job as one number of 32 bits, higher first: pg-boss sorts by such a number alone. Each priority has a range of its own, and the
 * due date is the place in it, to the minute. Dates before 2026 and after 2065 count as those; jobs without a due date come last in their range. `isAgain`: the job
 * was begun before, and comes before others of its minute, as it did.
 */
export function ticketPriority(priority: number, due: Date | undefined, isAgain = false): number {
  const minute = due === undefined ? MINUTES : Math.floor(due.getTime() / 60_000) - FIRST_MINUTE;
  const place = Math.min(Math.max(minute, 0), MINUTES);
  return priority * RANGE - place + (MINUTES >> 1) + (isAgain ? 1 : 0);
}
