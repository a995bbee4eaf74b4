/** A slider with its name and value, in the panel of the edit of supports. */
export function SupportSlider(props: {
  name: string;
  /** The value in words. */
  text: string;
  title: string;
  range: readonly [number, number];
  step: number;
  value: number;
  onChange: (value: number) => void;
}) {
  const { name, text, title, range, step, value, onChange } = props;
  return (
    <label class="support-slider" title={title}>
      <span>{name}</span>
      <output>{text}</output>
      <input
        type="range"
        aria-label={name}
        aria-valuetext={text}
        min={range[0]}
        max={range[1]}
        step={step}
        value={value}
        onInput={({ currentTarget }) => onChange(Number(currentTarget.value))}
      />
    </label>
  );
}
