import { createElement, Fragment, type ElementType, type ReactElement, type ComponentProps } from 'react';
import type { Link } from '@remix-run/react';

/** React's symbol for elements. */
const ELEMENT = Symbol.for('react.element');

type Props = Record<string, unknown>;

/**
 * Replaces `react/jsx-runtime` in the server build. The compiler creates a new props object for each element, so it is used
 * directly. React's own version copies it property by property, which took a tenth of a page's rendering time.
 */
export function jsx(type: ElementType, props: Props, key?: unknown): ReactElement {
  const { defaultProps } = type as { defaultProps?: Props };
  if (defaultProps !== undefined || 'ref' in props || 'key' in props)
    return createElement(type, key === undefined ? props : { key, ...props });
  const name = key === undefined ? null : String(key);
  return { $$typeof: ELEMENT, type, key: name, ref: null, props, _owner: null } as ReactElement;
}

export { Fragment, jsx as jsxs };

/** Whether a target is a normalized absolute path, which means the same on every page. */
function isPlain(to: string): boolean {
  const [path = ''] = to.split(/[?#]/, 1);
  const isNormalized = path.startsWith('/') && !path.includes('//') && !/\/\.\.?(?:\/|$)/.test(path);
  return isNormalized && !/\?(?:#|$)|#$/.test(to);
}

/** Link props that only scripts need, or that {@link serverLink} writes itself. */
const NO_ATTRIBUTES = new Set([
  ...['discover', 'prefetch', 'preventScrollReset', 'relative', 'reloadDocument', 'replace', 'state'],
  ...['target', 'to', 'viewTransition'],
]);

/**
 * A link for server rendering. Remix's link resolves its target four times and creates click handlers, which took a sixth of
 * a page's rendering time; for absolute paths neither affects the HTML. All other links use Remix's own.
 * @param link Remix's `Link`
 */
export function serverLink(link: typeof Link): typeof Link {
  function ServerLink(props: ComponentProps<typeof Link>) {
    const { to, target, reloadDocument, discover = 'render' } = props;
    if (typeof to !== 'string' || !isPlain(to)) return createElement(link, props);
    const attributes: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(props)) if (!NO_ATTRIBUTES.has(name)) attributes[name] = value;
    attributes['data-discover'] = discover === 'render' && !reloadDocument ? 'true' : undefined;
    attributes.href = to;
    attributes.target = target;
    // Two children, as in the browser, where the second is for prefetching, because React counts them for its ids.
    return createElement(Fragment, null, createElement('a', attributes), null);
  }
  return ServerLink as unknown as typeof Link;
}
