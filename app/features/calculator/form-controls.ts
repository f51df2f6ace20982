export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** The fields of the calculator that are filled in. */
export function controls(form: HTMLFormElement): Control[] {
  return Array.from(form.elements).filter((element): element is Control =>
    element.matches('input:not([type=hidden]), select, textarea'),
  );
}

/** The name of a control among the values: rows of components share a name and have an `id` each. */
export const keyOf = ({ name, id }: Control) => (name.startsWith('component') ? id : name);

/** A number with letters after it. */
export const AMOUNT_WITH_UNIT = /^\s*[\d.,]+\s*\p{L}+\s*$/u;
