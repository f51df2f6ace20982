import type { Request, Response } from 'express';
import { expect, it } from 'vitest';
import { securityHeaders } from '#app/server/security-headers.server.ts';

/** The nonce of a response, from its policy and its page. */
function answeredNonce(): string {
  const headers = new Map<string, string>();
  const response = { locals: {} as { nonce?: string }, setHeader: headers.set.bind(headers) };
  securityHeaders({ https: true, payments: false })(
    { path: '/calculator' } as Request,
    response as unknown as Response,
    () => undefined,
  );
  const nonce = response.locals.nonce ?? '';
  expect(headers.get('Content-Security-Policy')).toContain(`script-src 'nonce-${nonce}'`);
  return nonce;
}

it('no two responses share a nonce of 128 bits', () => {
  const nonces = Array.from({ length: 2000 }, answeredNonce);
  expect(new Set(nonces).size).toBe(nonces.length);
  for (const nonce of nonces) expect(nonce).toMatch(/^[\w-]{22}$/);
  // Nor do they overlap: every byte is used in only one of them.
  const halves = nonces.flatMap((nonce) => {
    const bytes = Buffer.from(nonce, 'base64url');
    return [bytes.toString('hex', 0, 8), bytes.toString('hex', 8)];
  });
  expect(new Set(halves).size).toBe(halves.length);
});
