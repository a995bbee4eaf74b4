import { render } from "preact";

render(<main>Printwright</main>, document.querySelector("#page")!);
