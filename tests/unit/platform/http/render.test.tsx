import { lazy, Suspense, useId } from 'react';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { renderDocument } from '#app/platform/http/render.server.ts';
import { setCurrentLog } from '#app/platform/log/log.server.ts';

setCurrentLog(pino({ enabled: false }));

const answer = (page: React.ReactElement) =>
  renderDocument(page, {
    request: new Request('http://localhost/'),
    status: 200,
    headers: new Headers(),
    nonce: 'n1',
    requestId: 'r1',
    timeoutMs: 60_000,
  });

const Page = ({ children }: { children?: React.ReactNode }) => (
  <html lang="en">
    <body>
      <main id={useId()}>{children}</main>
    </body>
  </html>
);

function Failing(): never {
  throw new Error('broken');
}

describe('a page that is rendered', () => {
  it('is complete', async () => {
    const response = await answer(<Page>Vials &amp; doses</Page>);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(
      '<!DOCTYPE html><html lang="en"><body><main id=":R0:">Vials &amp; doses</main></body></html>',
    );
  });

  it('has every letter once, whatever its length in bytes', async () => {
    const values = Array.from({ length: 500 }, (_, at) => `${'x'.repeat(at % 7)}‹é‹💉`);
    const page = (
      <Page>
        {values.map((value, at) => (
          <input key={at} value={value} readOnly />
        ))}
      </Page>
    );
    const html = await (await answer(page)).text();
    expect(html).not.toContain('\0');
    expect([...html.matchAll(/value="(.*?)"/g)].map(([, value]) => value)).toEqual(values);
  });

  it('waits for lazily loaded code, and renders it immediately the next time', async () => {
    let loaded = 0;
    const Later = lazy(() => {
      loaded += 1;
      return Promise.resolve({ default: () => <b>here</b> });
    });
    const page = (
      <Page>
        <Suspense fallback="later">
          <Later />
        </Suspense>
      </Page>
    );
    const first = await (await answer(page)).text();
    expect(first).toContain('<b>here</b>');
    expect(first).not.toContain('later');
    expect(await (await answer(page)).text()).toBe(first);
    expect(loaded).toBe(1);
  });

  it('returns 500 if a part fails, and throws if everything does', async () => {
    const part = await answer(
      <Page>
        <Suspense fallback="later">
          <Failing />
        </Suspense>
      </Page>,
    );
    expect(part.status).toBe(500);
    await expect(
      answer(
        <Page>
          <Failing />
        </Page>,
      ),
    ).rejects.toThrow('broken');
  });
});
