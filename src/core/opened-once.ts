/** What is opened at its first use, and shared by all further ones. */
export interface OpenedOnce<T> {
  /** Rejects as the opening does; then the next call opens again. */
  open(): Promise<T>;
  /** Closes it if it is open. */
  close(): Promise<void>;
}

export function openedOnce<T extends { close(): Promise<void> }>(open: () => Promise<T>): OpenedOnce<T> {
  let opening: Promise<T> | undefined;
  return {
    async open() {
      const mine = (opening ??= open());
      try {
        return await mine;
      } catch (thrown) {
        if (opening === mine) opening = undefined;
        throw thrown;
      }
    },
    async close() {
      const last = opening;
      opening = undefined;
      await (await last?.catch(() => undefined))?.close();
    },
  };
}
