import { randomFillSync } from 'node:crypto';
import type { RequestHandler } from 'express';
import { PAYMENT_HOSTS, referrerPolicyOf, secretFolderOf } from '#app/platform/http/addresses.ts';

/** Bytes of a nonce. */
const NONCE_BYTES = 16;

/** Random bytes for the next nonces; requesting many at once costs no more than a few. */
const random = Buffer.alloc(256 * NONCE_BYTES);
let used = random.length;

/** A nonce of 128 random bits. Bytes are never reused. */
function newNonce(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += NONCE_BYTES;
  return random.toString('base64url', used - NONCE_BYTES, used);
}

export interface HeaderOptions {
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
export function contentSecurityPolicy(nonce: string, options: HeaderOptions): string {
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

/** Sets the headers of every response, including static files and errors. */
export function securityHeaders(options: HeaderOptions): RequestHandler {
  return (request, response, next) => {
    const nonce = newNonce();
    response.locals.nonce = nonce;
    response.setHeader('Content-Security-Policy', contentSecurityPolicy(nonce, options));
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('X-Frame-Options', 'DENY');
    response.setHeader('Referrer-Policy', referrerPolicyOf(request.path));
    if (secretFolderOf(request.path) !== null) response.setHeader('X-Robots-Tag', 'noindex, nofollow');
    response.setHeader('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=()');
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    if (options.https) response.setHeader('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
    next();
  };
}
