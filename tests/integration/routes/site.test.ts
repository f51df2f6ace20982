import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { elements } from '#tests/support/html.ts';
import { useWeb } from './web.ts';

/** What crawlers, messengers and password managers look for. */
const web = useWeb();

const addressesIn = (xml: string) =>
  [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => address);

/** The value of a `<meta>` of a page. */
const metaOf = (html: string, name: string) =>
  elements(html, `meta[property="${name}"], meta[name="${name}"]`).map((meta) =>
    meta.getAttribute('content'),
  );

const canonicalOf = (html: string) =>
  elements(html, 'link[rel="canonical"]').map((link) => link.getAttribute('href'));

describe('crawlers', () => {
  it('find the list of public pages through robots.txt, and each of them answers', async () => {
    const robots = await web.visitor().get('/robots.txt');
    expect(robots.headers['content-type']).toBe('text/plain; charset=utf-8');
    const [, list = ''] = /^Sitemap: (.+)$/m.exec(robots.body) ?? [];
    const { pathname, origin } = new URL(list);
    const sitemap = await web.visitor().get(pathname);
    expect(sitemap.headers['content-type']).toBe('application/xml; charset=utf-8');
    const addresses = addressesIn(sitemap.body);
    expect(addresses).toContain(`${origin}/calculator`);
    for (const address of addresses) {
      const page = await web.visitor().get(new URL(address).pathname);
      expect([page.status, canonicalOf(page.body)], address).toEqual([200, [address]]);
    }
  });

  it('are kept out of accounts', async () => {
    const { body } = await web.visitor().get('/robots.txt');
    for (const path of ['/dashboard', '/admin', '/api/'])
      expect(body.split('\n')).toContain(`Disallow: ${path}`);
  });

  it.each([
    ['/Calculator?peptideAmount=5', '/calculator?peptideAmount=5'],
    ['/CALCULATOR/Ladder', '/calculator/ladder'],
    ['/Api/Docs', '/api/docs'],
    ['/Privacy', '/privacy'],
    ['/Login', '/login'],
  ])('are led from %s to %s', async (from, to) => {
    const { status, location } = await web.visitor().get(from);
    expect([status, location]).toEqual([301, to]);
  });
});

describe('a link to a public page', () => {
  it.each(['/', '/calculator', '/register', '/demo'])(
    'has a title, a text and a picture: %s',
    async (path) => {
      const { body } = await web.visitor().get(`${path}?utm_source=x`);
      const [address = ''] = canonicalOf(body);
      expect(new URL(address ?? '').pathname).toBe(path);
      expect(metaOf(body, 'og:url')).toEqual([address]);
      expect(metaOf(body, 'og:title')).toEqual([elements(body, 'title')[0]?.textContent]);
      expect(metaOf(body, 'og:description')).toEqual(metaOf(body, 'description'));
      const [picture] = metaOf(body, 'og:image');
      const shown = await fetch(`${web.url}${new URL(picture ?? '').pathname}`);
      expect(shown.headers.get('content-type')).toBe('image/jpeg');
      const { width, height } = await sharp(Buffer.from(await shown.arrayBuffer())).metadata();
      expect([metaOf(body, 'og:image:width'), metaOf(body, 'og:image:height')]).toEqual([
        [String(width)],
        [String(height)],
      ]);
    },
  );

  it('is none to a page of an account', async () => {
    const { body } = await (await web.user()).get('/dashboard/vials');
    expect([...canonicalOf(body), ...metaOf(body, 'og:image')]).toEqual([]);
  });
});

it('whoever finds a vulnerability learns whom to tell, from a file that has not expired', async () => {
  const { body, headers } = await web.visitor().get('/.well-known/security.txt');
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(body).toMatch(/^Contact: (mailto:|https?:\/\/)\S+$/m);
  const days = (Date.parse(/^Expires: (\S+Z)$/m.exec(body)?.[1] ?? '') - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(30);
  expect(days).toBeLessThan(365);
});

it('an icon says what it is', async () => {
  expect((await web.visitor().get('/favicon.ico')).headers['content-type']).toBe('image/x-icon');
});
