import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { StaticHandlerContext } from 'react-router-dom/server';
import { createStaticRouter, StaticRouterProvider } from 'react-router-dom/server';

/** The HTML that a browser without scripts gets for a component at an address. */
export function renderPage(element: ReactElement, address = '/calculator'): string {
  const { pathname, search } = new URL(address, 'http://localhost');
  const route = { id: 'page', path: '*', element };
  const context: StaticHandlerContext = {
    basename: '/',
    location: { pathname, search, hash: '', state: null, key: 'test' },
    matches: [{ params: {}, pathname, pathnameBase: '/', route }],
    loaderData: {},
    actionData: null,
    errors: null,
    statusCode: 200,
    loaderHeaders: {},
    actionHeaders: {},
    activeDeferreds: null,
  };
  const router = createStaticRouter([route], context);
  return renderToStaticMarkup(<StaticRouterProvider router={router} context={context} hydrate={false} />);
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};

/** The visible text: without tags, with decoded entities and collapsed spaces. */
export function textOf(html: string): string {
  return html
    .replace(/<(select|svg)\b.*?<\/\1>/gs, ' ')
    .replace(/<span class="unbroken">(.*?)<\/span>/g, '$1')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();
}

/** The opening tags of an element, as attribute maps. */
export function tags(html: string, name: string): Record<string, string>[] {
  return [...html.matchAll(new RegExp(`<${name}\\b([^>]*)>`, 'g'))].map(([, attributes = '']) =>
    Object.fromEntries(
      [...attributes.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, key = '', value = '']) => [key, value]),
    ),
  );
}

/** The only tag with this attribute value. */
export function tagWith(html: string, name: string, key: string, value: string): Record<string, string> {
  const found = tags(html, name).filter((tag) => tag[key] === value);
  const [first] = found;
  if (!first || found.length > 1) throw new Error(`${found.length} <${name}> with ${key}="${value}"`);
  return first;
}
