import { createElement, Fragment, type ElementType, type ReactElement } from 'react';

/** What React calls an element. */
const ELEMENT = Symbol.for('react.element');

type Props = Record<string, unknown>;

/**
 * Stands for `react/jsx-runtime` in the server build: the properties that the compiler has just written out, for this element
 * alone, become the element's as they are. React's own copies them one by one, for callers of which there are none here:
 * a tenth of what rendering a page takes.
 */
export function jsx(type: ElementType, props: Props, key?: unknown): ReactElement {
  const { defaultProps } = type as { defaultProps?: Props };
  if (defaultProps !== undefined || 'ref' in props || 'key' in props)
    return createElement(type, key === undefined ? props : { key, ...props });
  const name = key === undefined ? null : String(key);
  return { $$typeof: ELEMENT, type, key: name, ref: null, props, _owner: null } as ReactElement;
}

export { Fragment, jsx as jsxs };
