import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import { EngineError } from '../errors.ts';

const ITERATIONS = 15_000;
const KEY_BYTES = 32;

/** The single user of an engine that requires sign-in, stored without the password as in RFC 7677. */
export interface Credentials {
  user: string;
  salt: Buffer;
  iterations: number;
  storedKey: Buffer;
  serverKey: Buffer;
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** Derives what the server stores about a user. */
export function makeCredentials(user: string, password: string): Credentials {
  const salt = randomBytes(28);
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, ITERATIONS, KEY_BYTES, 'sha256');
  const storedKey = createHash('sha256').update(hmac(salted, 'Client Key')).digest();
  return { user, salt, iterations: ITERATIONS, storedKey, serverKey: hmac(salted, 'Server Key') };
}

/** A SCRAM-SHA-256 exchange between its first and its last message. */
export interface Conversation {
  step: 'challenged' | 'proven';
  nonce: string;
  /** Client-first (bare) and server-first messages, for the signature. */
  transcript: string;
}

/** Does not say what went wrong, as RFC 5802 allows, so that an attacker learns nothing. */
function failed(): EngineError {
  return new EngineError('AuthenticationFailed', 'Authentication failed.');
}

function attributes(message: string): Map<string, string> {
  return new Map(message.split(',').map((part) => [part.slice(0, 1), part.slice(2)]));
}

function unescapeName(name: string): string {
  return name.replace(/=2C/g, ',').replace(/=3D/g, '=');
}

/**
 * Answers the client's first message with the server's challenge.
 * @throws EngineError 18
 */
export function challenge(
  credentials: Credentials,
  payload: Buffer,
): { reply: string; conversation: Conversation } {
  const first = payload.toString('utf8');
  if (!first.startsWith('n,') && !first.startsWith('y,')) throw failed();
  const bare = first.slice(first.indexOf(',', 2) + 1);
  const sent = attributes(bare);
  const clientNonce = sent.get('r');
  if (!clientNonce || unescapeName(sent.get('n') ?? '') !== credentials.user) throw failed();
  const nonce = clientNonce + randomBytes(24).toString('base64');
  const reply = `r=${nonce},s=${credentials.salt.toString('base64')},i=${credentials.iterations}`;
  return { reply, conversation: { step: 'challenged', nonce, transcript: `${bare},${reply}` } };
}

/**
 * Checks the client's proof and returns the server's, by which the client verifies the server.
 * @throws EngineError 18
 */
export function verifyProof(credentials: Credentials, conversation: Conversation, payload: Buffer): string {
  const final = payload.toString('utf8');
  const at = final.lastIndexOf(',p=');
  const withoutProof = final.slice(0, at);
  if (at < 0 || attributes(withoutProof).get('r') !== conversation.nonce) throw failed();
  const message = `${conversation.transcript},${withoutProof}`;
  const signature = hmac(credentials.storedKey, message);
  const proof = Buffer.from(final.slice(at + 3), 'base64');
  if (proof.length !== KEY_BYTES) throw failed();
  const clientKey = Buffer.from(proof.map((byte, index) => byte ^ (signature[index] ?? 0)));
  if (!timingSafeEqual(createHash('sha256').update(clientKey).digest(), credentials.storedKey))
    throw failed();
  return `v=${hmac(credentials.serverKey, message).toString('base64')}`;
}
