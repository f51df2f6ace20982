import { describe, expect, it } from 'vitest';
import { CompleteResponse, completeBodyOf } from '#app/platform/http/complete-response.server.ts';

const complete = (text: string, init: ResponseInit = { status: 404, headers: { 'X-Kind': 'form' } }) =>
  new CompleteResponse(Buffer.from(text), init);

describe('a complete response', () => {
  it('has its status and headers, and provides its bytes', () => {
    const response = complete('Füllen');
    expect(response).toBeInstanceOf(Response);
    expect([response.status, response.headers.get('X-Kind')]).toEqual([404, 'form']);
    expect(Buffer.from(completeBodyOf(response) ?? []).toString()).toBe('Füllen');
  });

  it.each<[string, (response: Response) => Promise<unknown>, unknown]>([
    ['text', (response) => response.text(), '{"a":"ü"}'],
    ['data', (response) => response.json(), { a: 'ü' }],
    ['bytes', async (response) => Buffer.from(await response.arrayBuffer()).toString(), '{"a":"ü"}'],
    ['a file', async (response) => (await response.blob()).text(), '{"a":"ü"}'],
    ['a stream', (response) => new Response(response.body).text(), '{"a":"ü"}'],
    ['a copy', (response) => response.clone().text(), '{"a":"ü"}'],
  ])('can be read as %s like any other', async (_kind, read, expected) => {
    expect(await read(complete('{"a":"ü"}'))).toEqual(expected);
  });

  it('can be read as a form', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await complete('name=BPC', { headers }).formData()).get('name')).toBe('BPC');
  });

  it('is no longer complete once reading has begun', async () => {
    const response = complete('one');
    expect(response.bodyUsed).toBe(false);
    const copy = response.clone();
    expect(completeBodyOf(response)).not.toBeNull();
    const reader = response.body?.getReader();
    expect(completeBodyOf(response)).toBeNull();
    reader?.releaseLock();
    expect(completeBodyOf(response)).not.toBeNull();
    await response.text();
    expect(response.bodyUsed).toBe(true);
    expect(completeBodyOf(response)).toBeNull();
    await expect(response.text()).rejects.toThrow(TypeError);
    expect(await copy.text()).toBe('one');
  });

  it('is distinguished from other responses', () => {
    expect(completeBodyOf(new Response('text'))).toBeNull();
    expect(completeBodyOf(new Response(null))).toBeNull();
  });
});
