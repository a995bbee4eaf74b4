import type { Page } from "puppeteer-core";

/** What a screen reader gets of a control. */
export interface Accessible {
  readonly role: string;
  readonly name: string;
  readonly isDisabled: boolean;
  /** Undefined for a control that does not open anything. */
  readonly isExpanded: boolean | undefined;
}

/** The elements of the page with a role, in its order, as the browser's own accessibility tree has them: roles and names by the rules of ARIA. */
export async function accessible(page: Page, role: string): Promise<Accessible[]> {
  return (await allAccessible(page)).filter((one) => one.role === role);
}

/** Names of the elements with a role. */
export async function namesOf(page: Page, role: string): Promise<string[]> {
  return (await accessible(page, role)).map(({ name }) => name);
}

/** All elements of the page that a screen reader gets. Those behind an open dialog are not among them. */
export async function allAccessible(page: Page): Promise<Accessible[]> {
  const session = await page.createCDPSession();
  try {
    const { nodes } = await session.send("Accessibility.getFullAXTree");
    return nodes.flatMap((node) => {
      if (node.ignored) return [];
      const property = (name: string) => node.properties?.find((one) => one.name === name)?.value.value;
      const isExpanded: boolean | undefined = property("expanded");
      return [
        {
          role: String(node.role?.value),
          name: String(node.name?.value ?? "").trim(),
          isDisabled: property("disabled") === true,
          isExpanded,
        },
      ];
    });
  } finally {
    await session.detach();
  }
}
