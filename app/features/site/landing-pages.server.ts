import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { isSwitchedOn } from '#app/platform/flags/flags.server.ts';
import type { PageArgs } from '#app/platform/http/route-handlers.server.ts';
import { LandingSections } from './landing-sections.tsx';

/** The same for everybody: drawn once. */
let drawn: string | undefined;

/** What the home page shows. */
export async function openLanding({ ctx, url }: PageArgs) {
  drawn ??= renderToStaticMarkup(createElement(LandingSections));
  return {
    demo: url.searchParams.get('demo') === '1',
    hasDemo: await isSwitchedOn(ctx, 'demo'),
    sections: drawn,
  };
}
