/**
 * Runs in the page: returns texts whose contrast to their background is below 4.5 (WCAG 2.1, 1.4.3). Transparent colours are blended.
 * Disabled controls are exempt.
 */
export function lowContrasts(): string[] {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!;
  type Colour = readonly [red: number, green: number, blue: number, opacity: number];
  const parse = (css: string): Colour => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = css;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue, opacity] = context.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, opacity / 255];
  };
  const over = ([r, g, b, o]: Colour, [x, y, z]: Colour): Colour => [
    r * o + x * (1 - o),
    g * o + y * (1 - o),
    b * o + z * (1 - o),
    1,
  ];
  const ancestors = (element: Element): Element[] => {
    const chain: Element[] = [];
    for (let at: Element | null = element; at; at = at.parentElement) chain.unshift(at);
    return chain;
  };
  const luminance = (colour: Colour): number => {
    const [r, g, b] = colour.map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = [...document.body.querySelectorAll<HTMLElement>("*")]
    .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .filter((element) => !element.closest(".hidden, :disabled, [aria-disabled=true], [data-disabled=true]"))
    .filter(
      (element) =>
        (element instanceof HTMLInputElement && element.value !== "") ||
        [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim() !== ""),
    )
    .flatMap((element) => {
      const chain = ancestors(element);
      const white: Colour = [255, 255, 255, 1];
      const ground = chain.reduce((below, one) => over(parse(getComputedStyle(one).backgroundColor), below), white);
      const opacity = chain.reduce((product, one) => product * Number(getComputedStyle(one).opacity), 1);
      const [r, g, b, o] = parse(getComputedStyle(element).color);
      const pair = [luminance(over([r, g, b, o * opacity], ground)), luminance(ground)];
      const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
      return ratio >= 4.5 ? [] : [`${ratio.toFixed(2)} “${element.textContent.trim().slice(0, 40)}”`];
    });
  return [...new Set(found)];
}
