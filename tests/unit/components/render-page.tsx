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
