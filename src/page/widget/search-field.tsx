/** A field that narrows a list as the user types; `noun` names what it finds: "Printer" by "Search printers". */
export function SearchField(props: { id: string; noun: string; value: string; onInput: (value: string) => void }) {
  const { id, noun, value, onInput } = props;
  return (
    <div class="field">
      <label for={id}>{noun}</label>
      <input
        id={id}
        type="search"
        placeholder={`Search ${noun.toLowerCase()}s`}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}
