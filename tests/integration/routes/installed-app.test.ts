import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { useWeb } from './web.ts';

const web = useWeb();

interface Picture {
  src: string;
  sizes: string;
  type: string;
  purpose?: string;
}

interface Manifest {
  start_url: string;
  icons: Picture[];
  screenshots: Picture[];
  shortcuts: { name: string; url: string; icons: Picture[] }[];
}

async function manifest(): Promise<Manifest> {
  const { body, headers } = await web.visitor().get('/manifest.webmanifest');
  expect(headers['content-type']).toContain('application/manifest+json');
  return JSON.parse(body) as Manifest;
}

describe('the manifest', () => {
  it('is linked from every page', async () => {
    for (const path of ['/', '/calculator', '/login', '/offline']) {
      const { body } = await web.visitor().get(path);
      expect(body).toContain('<link rel="manifest" href="/manifest.webmanifest"/>');
      expect(body).toContain('<link rel="apple-touch-icon" href="/icons/apple-touch-icon.png"/>');
    }
  });

  it('lists existing icons in the stated sizes, including maskable ones', async () => {
    const { icons, screenshots, shortcuts } = await manifest();
    const pictures = [...icons, ...screenshots, ...shortcuts.flatMap((shortcut) => shortcut.icons)];
    for (const { src, sizes, type } of pictures) {
      const answer = await fetch(new URL(src, web.url));
      expect([src, answer.status, answer.headers.get('content-type')]).toEqual([src, 200, type]);
      const { width, height } = await sharp(await answer.arrayBuffer()).metadata();
      if (sizes !== 'any') expect([src, `${width}x${height}`]).toEqual([src, sizes]);
    }
    expect(icons.filter(({ purpose }) => purpose === 'maskable').map(({ sizes }) => sizes)).toEqual([
      '192x192',
      '512x512',
    ]);
  });

  it('lists addresses of this site', async () => {
    const { start_url, shortcuts } = await manifest();
    const user = await web.user({ trial: true });
    for (const address of [start_url, ...shortcuts.map(({ url }) => url)])
      expect([address, (await user.get(address)).status]).toEqual([address, 200]);
  });
});

describe('the service worker', () => {
  it('is revalidated each time and caches existing files', async () => {
    const { body, headers } = await web.visitor().get('/sw.js');
    expect(headers['cache-control']).toBe('no-cache');
    const files = [...body.matchAll(/url:"([^"]+)",revision:/g)].map(([, url = '']) => url);
    expect(files).toContain('/offline');
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) expect([file, (await web.visitor().get(file)).status]).toEqual([file, 200]);
    expect(files.some((file) => file.startsWith('/dashboard'))).toBe(false);
  });
});

describe('the offline page', () => {
  it('is the same for everyone, and does not consume pending messages', async () => {
    const user = await web.user({ trial: true });
    const { body } = await user.get('/offline');
    expect(body).not.toContain(user.email);
    expect(body).not.toContain('Sign out');
  });

  it('calculates without scripts too', async () => {
    const { body, status } = await web
      .visitor()
      .get('/offline?peptideAmount=5&waterVolume=2&desiredDose=0.25');
    expect(status).toBe(200);
    expect(body).toContain('0.100 ml');
    expect((await web.visitor().get('/offline?peptideAmount=x')).status).toBe(400);
  });
});
