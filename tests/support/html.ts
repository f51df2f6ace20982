import { within, type BoundFunctions, type queries } from '@testing-library/dom';
import { Window } from 'happy-dom';

const { DOMParser } = new Window();

/** The page that was read last: most tests look at one several times. */
let last: { html: string; document: Document } | undefined;

/** A page as a browser without scripts reads it. Its contents are not to be changed. */
export function documentOf(html: string): Document {
  if (last?.html !== html) {
    const document = new DOMParser().parseFromString(html, 'text/html') as unknown as Document;
    last = { html, document };
  }
  return last.document;
}

/** Finds what is on a page by its role and name. */
export const screenOf = (html: string): BoundFunctions<typeof queries> => within(documentOf(html).body);

/** The elements of a page that match a selector. */
export const elements = <E extends Element = HTMLElement>(html: string, selector: string): E[] => [
  ...documentOf(html).querySelectorAll<E>(selector),
];

/** Elements that nobody sees. */
const UNSEEN = new Set(['SCRIPT', 'STYLE', 'TEMPLATE']);
/** Elements that do not separate words. */
const INLINE = new Set(['SPAN', 'A', 'B', 'STRONG', 'EM', 'I', 'TIME', 'ABBR', 'SMALL', 'WBR']);

type Reader = (element: Element) => 'left out' | 'inline' | 'apart';

const asWritten: Reader = ({ nodeName }) => {
  if (UNSEEN.has(nodeName)) return 'left out';
  return INLINE.has(nodeName) ? 'inline' : 'apart';
};

/** Most elements of a component stand apart by their style. */
const asStyled: Reader = (element) => {
  if (UNSEEN.has(element.nodeName) || element.matches('select, svg')) return 'left out';
  return element.matches('span.unbroken') ? 'inline' : 'apart';
};

function words(node: Node, reader: Reader): string {
  if (node.nodeType === node.TEXT_NODE) return node.textContent ?? '';
  if (node.nodeType !== node.ELEMENT_NODE) return '';
  const how = reader(node as Element);
  if (how === 'left out') return ' ';
  const inner = [...node.childNodes].map((child) => words(child, reader)).join('');
  return how === 'inline' ? inner : ` ${inner} `;
}

const read = (element: Element, reader: Reader): string => words(element, reader).replace(/\s+/g, ' ').trim();

/** An element's text, with collapsed whitespace. */
export const textOf = (element: Element): string => read(element, asWritten);

/** A page's visible text, with collapsed whitespace. */
export const visibleText = (html: string): string => textOf(documentOf(html).documentElement);

/** The text of a component without choices and drawings, each element apart from the next. */
export const componentText = (html: string): string => read(documentOf(html).documentElement, asStyled);

/** The same without blanks. */
export const compactText = (html: string): string => visibleText(html).replace(/\s+/g, '');

/** An element's attributes. */
export const attributesOf = (element: Element): Readonly<Record<string, string>> =>
  Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]));

/** The first control with this name. */
const controlNamed = (html: string, name: string): Element | undefined =>
  elements(html, 'input, select, textarea').find((control) => control.getAttribute('name') === name);

/** The attributes of the first control with this name. */
export function control(html: string, name: string): Readonly<Record<string, string>> | null {
  const found = controlNamed(html, name);
  return found ? attributesOf(found) : null;
}

/** The form with most of some controls: its address, and what a browser sends of it when nothing is changed, by control. */
export function formWith(
  html: string,
  names: readonly string[],
): { action: string | null; fields: Record<string, string[]> } {
  const has = (form: Element) =>
    names.filter((name) => form.querySelector(`[name="${name}"]`) !== null).length;
  const [form] = elements(html, 'form').sort((a, b) => has(b) - has(a));
  if (!form || has(form) === 0) throw new Error(`no form with the controls ${names.join(', ')}`);
  const fields: Record<string, string[]> = {};
  for (const control of form.querySelectorAll('input, select, textarea, button[name]')) {
    const values = (fields[control.getAttribute('name') ?? ''] ??= []);
    const isOff =
      /^(?:checkbox|radio)$/.test(control.getAttribute('type') ?? '') && !control.hasAttribute('checked');
    if (control.nodeName === 'BUTTON') continue;
    if (!isOff) values.push(sentBy(control));
  }
  return { action: form.getAttribute('action'), fields };
}

/** What a browser sends of a control that nobody changed. */
function sentBy(control: Element): string {
  if (control.nodeName === 'TEXTAREA') return control.textContent;
  const chosen =
    control.nodeName === 'SELECT'
      ? (control.querySelector('option[selected]') ?? control.querySelector('option'))
      : control;
  return chosen?.getAttribute('value') ?? '';
}

/** The value of a field, for a choice that of the chosen option; null when it is absent. */
export function fieldValue(html: string, name: string): string | null {
  const found = controlNamed(html, name);
  if (!found) return null;
  return found.nodeName === 'INPUT' ? found.getAttribute('value') : sentBy(found);
}

/** The message tied to a field by `aria-describedby`; null when there is none. */
export function fieldError(html: string, name: string): string | null {
  const field = controlNamed(html, name);
  if (field?.getAttribute('aria-invalid') !== 'true') return null;
  const described = field.getAttribute('aria-describedby')?.split(' ') ?? [];
  const id = described.find((candidate) => candidate.endsWith('-error'));
  const message = id === undefined ? null : documentOf(html).getElementById(id);
  return message === null ? null : textOf(message);
}

/** The messages about the form as a whole. */
export const alerts = (html: string): string[] => elements(html, 'div[role="alert"]').map(textOf);

/** The attributes of all elements of a kind. */
export const tags = (html: string, name: string): Readonly<Record<string, string>>[] =>
  elements(html, name).map(attributesOf);

/** The attributes of the only element of a kind with this value of an attribute. */
export function tagWith(
  html: string,
  name: string,
  key: string,
  value: string,
): Readonly<Record<string, string>> {
  const found = tags(html, name).filter((tag) => tag[key] === value);
  const [first] = found;
  if (!first || found.length > 1) throw new Error(`${found.length} <${name}> with ${key}="${value}"`);
  return first;
}

/** Types of controls with limits that browsers apply. */
const WITH_LIMITS = /^(?:number|range|date|datetime-local|month|week|time)$/;

/** What checkers of HTML object to and our own components could do: `npm run bench -- html` asks one about everything. */
export function htmlFaults(html: string): string[] {
  const ids = elements(html, '[id]').map(({ id }) => id);
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
  const controls = elements(html, 'input, select, textarea');
  const limited = elements(html, 'input[min], input[max], input[step]').filter(
    (input) => !WITH_LIMITS.test(input.getAttribute('type') ?? 'text'),
  );
  const shown = (element: Element) => element.outerHTML.split('>', 1)[0] ?? '';
  return [
    ...ids.filter((id) => !/^\S+$/.test(id)).map((id) => `id "${id}"`),
    ...repeated.map((id) => `id "${id}" twice`),
    ...elements(html, 'label[aria-hidden]').map((label) => `hidden label: ${shown(label)}`),
    ...limited.map((input) => `limits of a text: ${shown(input)}`),
    ...controls.filter((control) => !control.getAttribute('name')).map((one) => `no name: ${shown(one)}`),
  ];
}
