import { createHash, randomBytes } from 'node:crypto';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** A new secret to give out: 256 random bits. */
export const newToken = () => randomBytes(32).toString('base64url');

/** What is stored of a secret: its hash, which opens nothing. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest('base64url');

/** False for what cannot be one of our secrets, so that nothing is looked up for it. */
export const isToken = (text: string) => TOKEN.test(text);
