import { randomBytes } from 'node:crypto';
import type { RequestHandler } from 'express';

/**
 * The content security policy of a page. Scripts run only with this response's nonce; styles, images and data come
 * from this site. `referrer-policy: no-referrer` is not used: it turns the Origin of plain forms into `null`.
 */
export function contentSecurityPolicy(nonce: string, options: { https: boolean; dev: boolean }): string {
  const directives = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self'${options.dev ? " 'unsafe-inline'" : ''}`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${options.dev ? ' ws:' : ''}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ];
  if (options.https) directives.push('upgrade-insecure-requests');
  return directives.join('; ');
}

/** Sets the headers that every response carries, static files and errors included. */
export function securityHeaders(options: { https: boolean; dev: boolean }): RequestHandler {
  return (_request, response, next) => {
    const nonce = randomBytes(16).toString('base64url');
    response.locals.nonce = nonce;
    response.setHeader('Content-Security-Policy', contentSecurityPolicy(nonce, options));
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('X-Frame-Options', 'DENY');
    response.setHeader('Referrer-Policy', 'strict-origin-when-cross-origin');
    response.setHeader('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=()');
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    if (options.https) response.setHeader('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
    next();
  };
}
