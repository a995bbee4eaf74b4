import { useTypedText } from "../widget/typed-text.ts";

interface LayerChoice {
  /** Index of the shown layer; 0 is at the platform. */
  readonly index: number;
  readonly count: number;
  /** Shows another layer, the nearest one that exists, and returns its index. */
  onChange(index: number): number;
}

/** Field with the number of the shown layer, counted from 1. */
export function LayerNumber({ index, count, onChange }: LayerChoice) {
  const number = useTypedText(String(index + 1));
  return (
    <>
      <input
        ref={number.ref}
        type="text"
        inputMode="numeric"
        aria-label="Layer number"
        onChange={({ currentTarget: input }) => {
          // After Enter the field keeps the focus, so that `useTypedText` does not replace the typed text.
          input.value = String(onChange(Number(input.value) - 1) + 1);
        }}
        onBlur={number.show}
      />
      <small>of {count}</small>
    </>
  );
}

/** Slider over layers, the lowest at its lower end. `text` says for screen readers which layer is shown. */
export function LayerSlider({ index, count, text, onChange }: LayerChoice & { text: string }) {
  return (
    <input
      type="range"
      class="layer-slider"
      aria-label="Layer"
      aria-valuetext={text}
      min={1}
      max={count}
      step={1}
      value={index + 1}
      onInput={(event) => onChange(Number(event.currentTarget.value) - 1)}
    />
  );
}
