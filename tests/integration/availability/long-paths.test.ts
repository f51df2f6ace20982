import { describe, expect, it } from 'vitest';
import { sized } from '#tests/support/size.ts';
import { expectSecurityHeaders } from '../routes/answers.ts';
import { readManifest } from '../routes/route-manifest.ts';
import { useWeb } from '../routes/web.ts';
import { LONGEST_WAIT_SECONDS, longestWait } from './other-visitor.ts';

/** Addresses that a router would match piece by piece. */
const web = useWeb();
const deep = (segments: number, under = ''): string => under + '/a'.repeat(segments);

/** As long as Node lets a request's first line be. */
const LONG = {
  'a path': deep(7800),
  'a path in a part of the site': deep(7000, '/dashboard/vials'),
  'the data of a path': `${deep(7000)}.data`,
  'a path of the API': deep(7000, '/api'),
  'an encoded path': '/%61'.repeat(3000),
  'empty segments': '/'.repeat(15_000),
  'one segment': `/${'a'.repeat(15_000)}`,
  'a path for the route manifest': `/__manifest?version=1&p=${deep(3700, '/dashboard')}`,
  'many paths for the route manifest': `/__manifest?version=1${`&p=${deep(12)}`.repeat(500)}`,
};

describe('a long address', () => {
  it.each(Object.entries(LONG))('with %s does not exist', async (_name, address) => {
    const answer = await web.visitor().get(address);
    expect(answer.status).toBe(404);
    expectSecurityHeaders(answer, address);
  });

  it('is refused before its body is read, in the format of programs where they ask', async () => {
    const answer = await web.visitor().send(deep(13, '/api'), '{}', 'application/json');
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      404,
      expect.objectContaining({ success: false, error: 'NOT_FOUND' }),
    ]);
  });

  it('is longer than any of ours', async () => {
    for (const { pattern } of readManifest()) expect(pattern.split('/').length - 1).toBeLessThan(12);
    const client = await web.registered();
    // What is at the limit still reaches the pages.
    expect((await client.get(`/dashboard${deep(11)}`)).body).toContain('404 - Page Not Found</');
    expect((await client.get(`/${'a'.repeat(2047)}`)).body).toContain('404 - Page Not Found</');
  });

  it('makes nobody wait', async () => {
    const times = sized(1, 5);
    const abuse = Object.values(LONG).flatMap((address) => Array.from({ length: times }, () => address));
    const work = Promise.all(abuse.map((address) => web.visitor().get(address)));
    expect(await longestWait(web, work)).toBeLessThan(LONGEST_WAIT_SECONDS);
  });
});
