/** The pages that search engines are to find. */
export const SITEMAP_PAGES = [
  '/',
  '/calculator',
  '/calculator/ladder',
  '/sources',
  '/terms',
  '/privacy',
  '/api/docs',
] as const;

/** Those, and the doors. */
const PUBLIC_PAGES = [...SITEMAP_PAGES, '/login', '/register', '/forgot-password', '/demo'] as const;

export type PublicPage = (typeof PUBLIC_PAGES)[number];

/** The one address of a public page that was asked for with capitals; null for every other path. */
export function plainPathOf(path: string): PublicPage | null {
  const plain = path.toLowerCase();
  return plain === path ? null : (PUBLIC_PAGES.find((page) => page === plain) ?? null);
}

/** Account pages, calls and single-use links, which have nothing to find. */
const NOT_TO_CRAWL = ['/dashboard', '/admin', '/upgrade', '/api/', '/offline', '/logout'];

/** What crawlers may read. Secret addresses are left out: they carry a header that forbids listing them. @param origin of the site */
export function robotsText(origin: string): string {
  return [
    'User-agent: *',
    ...NOT_TO_CRAWL.map((path) => `Disallow: ${path}`),
    'Allow: /api/docs',
    'Allow: /api/openapi.json',
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n');
}

/** The list of {@link SITEMAP_PAGES} in the format of sitemaps.org. @param origin of the site */
export function sitemap(origin: string): string {
  const urls = SITEMAP_PAGES.map((path) => `  <url><loc>${new URL(path, origin).href}</loc></url>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n');
}

/** How long a `security.txt` may be relied on, in ms: RFC 9116 recommends less than a year. */
const SECURITY_TEXT_MS = 180 * 86_400_000;

/**
 * Where to report a vulnerability, by RFC 9116.
 * @param contact a `mailto:` or `https:` address
 * @param now when it is read; it expires half a year later
 */
export function securityText(origin: string, contact: string, now: Date): string {
  const expires = new Date(now.getTime() + SECURITY_TEXT_MS).toISOString().replace(/\.\d+Z$/, 'Z');
  return [
    `Contact: ${contact}`,
    `Expires: ${expires}`,
    'Preferred-Languages: en',
    `Canonical: ${origin}/.well-known/security.txt`,
    '',
  ].join('\n');
}
