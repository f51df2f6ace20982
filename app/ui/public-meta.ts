import type { MetaFunction } from '@remix-run/react';
import type { Site } from './site.ts';
import type { PublicPage } from '#app/domain/site/public-pages.ts';

/** Shown by messengers beside a link; `scripts/pictures.mjs` takes it. */
const PICTURE = '/pictures/preview.jpg';

/** Title, description, canonical address and preview of a public page. */
export function publicMeta(path: PublicPage, title: string, description: string): MetaFunction {
  return ({ matches }) => {
    const root = matches.find(({ id }) => id === 'root')?.data as { site?: Site | null } | undefined;
    const origin = root?.site?.origin;
    const texts = [{ title }, { name: 'description', content: description }];
    // Without the server's answer nobody knows the site's address, and nobody reads a preview.
    if (origin === undefined) return texts;
    const href = new URL(path, origin).href;
    return [
      ...texts,
      { tagName: 'link', rel: 'canonical', href },
      { property: 'og:type', content: 'website' },
      { property: 'og:url', content: href },
      { property: 'og:title', content: title },
      { property: 'og:description', content: description },
      { property: 'og:image', content: `${origin}${PICTURE}` },
      { property: 'og:image:width', content: '1200' },
      { property: 'og:image:height', content: '630' },
      { name: 'twitter:card', content: 'summary_large_image' },
    ];
  };
}
