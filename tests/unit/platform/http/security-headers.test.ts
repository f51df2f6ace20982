import { expect, it } from 'vitest';
import { newNonce, securityHeaders } from '#app/platform/http/security-headers.server.ts';

/** The nonce of a response, from its policy. */
function answeredNonce(): string {
  const nonce = newNonce();
  const headers = securityHeaders('/calculator', nonce, { https: true, payments: false });
  expect(headers['Content-Security-Policy']).toContain(`script-src 'nonce-${nonce}'`);
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
