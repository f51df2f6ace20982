import { randomFillSync } from 'node:crypto';
import { API_VERSION } from '#app/platform/api/operation.ts';
import { PAYMENT_HOSTS, referrerPolicyOf, secretFolderOf } from './addresses.ts';
import { isApiPath } from './request-rules.ts';

const NONCE_BYTES = 16;

/** Random bytes for the next nonces; requesting many at once costs no more than a few. */
const random = Buffer.alloc(256 * NONCE_BYTES);
let used = random.length;

/** A nonce of 128 random bits. Bytes are never reused. */
export function newNonce(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += NONCE_BYTES;
  return random.toString('base64url', used - NONCE_BYTES, used);
}

interface HeaderOptions {
  https: boolean;
  /** Allows forms to redirect to the payment provider, because browsers apply `form-action` to redirects, too. */
  payments: boolean;
}

const PAYMENT_PAGES = PAYMENT_HOSTS.map((host) => ` https://${host}`).join('');

/**
 * The content security policy of a page. Scripts run only with this response's nonce; styles, images and data come from
 * this site. Pages with forms don't use `referrer-policy: no-referrer`, which would turn the Origin of plain forms into
 * `null`.
 */
function contentSecurityPolicy(nonce: string, options: HeaderOptions): string {
  const directives = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    `form-action 'self'${options.payments ? PAYMENT_PAGES : ''}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ];
  if (options.https) directives.push('upgrade-insecure-requests');
  return directives.join('; ');
}

/** The headers of every response to a path, including static files and errors. */
export function securityHeaders(path: string, nonce: string, options: HeaderOptions): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(nonce, options),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': referrerPolicyOf(path),
    ...(secretFolderOf(path) !== null && { 'X-Robots-Tag': 'noindex, nofollow' }),
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...(isApiPath(path) && { 'API-Version': API_VERSION }),
    ...(options.https && { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }),
  };
}
