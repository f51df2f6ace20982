import { createElement, Fragment, type ElementType, type ReactElement, type ComponentProps } from 'react';
import type { Link } from '@remix-run/react';

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

/** An address from the root of the site in its shortest form, which means the same wherever it stands. */
const PLAIN = /^(?=\/)(?:\/(?!\.\.?(?:[/?#]|$))[^/?#]+)*\/?(?:\?[^#]+)?(?:#.+)?$/;

/** What only scripts need to know of a link, and what {@link serverLink} writes itself. */
const NO_ATTRIBUTES = new Set([
  ...['discover', 'prefetch', 'preventScrollReset', 'relative', 'reloadDocument', 'replace', 'state'],
  ...['target', 'to', 'viewTransition'],
]);

/**
 * A link as the server writes it. Remix's works out four times where it leads from the page that it is on, and makes what
 * happens when it is clicked; of an address from the root neither changes what is written: a sixth of what rendering a page
 * takes. Any other is left to Remix's own.
 * @param link Remix's
 */
export function serverLink(link: typeof Link): typeof Link {
  function ServerLink(props: ComponentProps<typeof Link>) {
    const { to, target, reloadDocument, discover = 'render' } = props;
    if (typeof to !== 'string' || !PLAIN.test(to)) return createElement(link, props);
    const attributes: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(props)) if (!NO_ATTRIBUTES.has(name)) attributes[name] = value;
    attributes['data-discover'] = discover === 'render' && !reloadDocument ? 'true' : undefined;
    attributes.href = to;
    attributes.target = target;
    // Two children, as in the browser, where the second is what a link loads beforehand: React counts them in its ids.
    return createElement(Fragment, null, createElement('a', attributes), null);
  }
  return ServerLink as unknown as typeof Link;
}
