// Converts a page into React elements without components: the baseline for rendering the same page with React alone.
import { createElement } from 'react';

const VOID = new Set(['meta', 'link', 'input', 'br', 'img', 'hr']);
const RAW = new Set(['script', 'style', 'title']);
const NAMES = { class: 'className', for: 'htmlFor', charset: 'charSet', autocomplete: 'autoComplete' };
const BOOLEAN = { checked: 'defaultChecked', selected: null, disabled: 'disabled', open: 'open' };
const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

const decode = (text) => text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name) => ENTITIES[name]);

function propsOf(tag, attributes, key) {
  const props = { key };
  for (const [, name, value] of attributes.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)) {
    const lower = name.toLowerCase();
    if (lower in BOOLEAN) {
      if (BOOLEAN[lower]) props[BOOLEAN[lower]] = true;
    } else if (lower === 'value' && tag === 'input') props.defaultValue = decode(value);
    else props[NAMES[lower] ?? name] = decode(value ?? '');
  }
  return props;
}

/** @param {string} html a whole page */
export function elementsOf(html) {
  const tokens = html.matchAll(
    /<!--[\s\S]*?-->|<!DOCTYPE[^>]*>|<(\/?)([\w-]+)((?:[^">]|"[^"]*")*)>|([^<]+)/gi,
  );
  const stack = [{ tag: null, props: {}, children: [] }];
  const close = () => {
    const { tag, props, children } = stack.pop();
    const isRaw = RAW.has(tag) && tag !== 'title';
    const inner = isRaw ? { dangerouslySetInnerHTML: { __html: children.join('') } } : {};
    stack.at(-1).children.push(createElement(tag, { ...props, ...inner }, ...(isRaw ? [] : children)));
  };
  for (const [, slash, name, attributes = '', text] of tokens) {
    const { children } = stack.at(-1);
    if (text !== undefined) children.push(RAW.has(stack.at(-1).tag) ? text : decode(text));
    else if (name === undefined) continue;
    else if (slash) close();
    else {
      stack.push({ tag: name, props: propsOf(name, attributes, children.length), children: [] });
      if (VOID.has(name) || attributes.endsWith('/')) close();
    }
  }
  return stack[0].children[0];
}
