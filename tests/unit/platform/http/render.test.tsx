import { lazy, Suspense, useId } from 'react';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { loaderDataScripts, renderDocument } from '#app/platform/http/render.server.ts';
import { setCurrentLog } from '#app/platform/log/log.server.ts';

setCurrentLog(pino({ enabled: false }));

const answer = (page: React.ReactElement, after = '') =>
  renderDocument(page, () => Promise.resolve(after), {
    request: new Request('http://localhost/'),
    status: 200,
    headers: new Headers(),
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
  it('is complete, with the appended HTML after it', async () => {
    const response = await answer(<Page>Vials &amp; doses</Page>, '<script>1</script>');
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(
      '<!DOCTYPE html><html lang="en"><body><main id=":R0:">Vials &amp; doses</main></body></html><script>1</script>',
    );
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

describe('the loaders’ data in a page', () => {
  const pieces = (...texts: string[]) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        // Also splits within a character.
        const bytes = new TextEncoder().encode(texts.join(''));
        controller.enqueue(bytes.subarray(0, 2));
        controller.enqueue(bytes.subarray(2));
        controller.close();
      },
    });
  const shown = { renderMeta: { didRenderScripts: true } };

  /** Runs a page's script as a browser does. */
  function received(html: string): string[] {
    const [, script = ''] = /^<script nonce="n1">([^<>]*)<\/script>$/.exec(html) ?? [];
    const texts: string[] = [];
    const streamController = {
      enqueue: (text: string) => texts.push(text),
      close: () => texts.push('closed'),
    };
    (new Function('window', script) as (window: unknown) => void)({ __remixContext: { streamController } });
    return texts;
  }

  it('arrives unchanged, whatever it contains', async () => {
    const text = 'é</script><!--&amp;\u2028\u2029"\\\n';
    expect(received(await loaderDataScripts(pieces(text), shown, 'n1'))).toEqual([text, 'closed']);
  });

  it('is left out of a page without scripts', async () => {
    expect(await loaderDataScripts(pieces('[]'), { renderMeta: {} }, 'n1')).toBe('');
    expect(await loaderDataScripts(undefined, shown, 'n1')).toBe('');
  });
});
