import type webPush from 'web-push';
import {
  PrivateAddressError,
  checkEndpoint,
  EndpointRefused,
  PUBLIC_HTTPS,
  type EndpointRule,
} from './public-address.server.ts';
import { createPost, retryAfterMs, type PostAnswer } from './outgoing.server.ts';

type WebPush = typeof webPush;

/** Identifies this server to push services (RFC 8292): a P-256 key pair, base64url. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

const HOUR_MS = 3_600_000;

export async function makeVapidKeys(): Promise<VapidKeys> {
  const { default: library } = await import('web-push');
  return library.generateVAPIDKeys();
}

/** The `Authorization` header for a push service. Signed once an hour per service; valid for twelve hours. */
function authorizations(keys: VapidKeys, subject: string, now = Date.now) {
  const known = new Map<string, { header: string; until: number }>();
  return (library: WebPush, endpoint: string): string => {
    const audience = new URL(endpoint).origin;
    const at = now();
    const found = known.get(audience);
    if (found !== undefined && found.until > at && found.until - at <= HOUR_MS) return found.header;
    if (known.size > 100) known.clear();
    const { Authorization } = library.getVapidHeaders(
      audience,
      subject,
      keys.publicKey,
      keys.privateKey,
      'aes128gcm',
    );
    known.set(audience, { header: Authorization, until: at + HOUR_MS });
    return Authorization;
  };
}

/** How to reach a browser, from its `PushSubscription`. */
export interface PushTarget {
  endpoint: string;
  /** The browser's public key, base64url. */
  p256dh: string;
  /** The secret shared with this browser, base64url. */
  auth: string;
}

export interface PushMessage {
  account: string;
  /** What the service worker receives. */
  payload: string;
  /** At most 32 characters of base64url. Replaces a message with the same topic that is waiting at the service. */
  topic: string;
  /** How long the service keeps it for an offline browser. */
  ttlSeconds: number;
  urgency: 'normal' | 'high';
}

/** The result of a push. `gone`: the subscription has ended; `later`: retry, after `afterMs` at the earliest. */
export type PushOutcome =
  | { kind: 'sent' }
  | { kind: 'gone' }
  | { kind: 'later'; afterMs: number | null; reason: string }
  | { kind: 'refused'; reason: string };

export interface PushSender {
  /** What a browser needs to subscribe to this server, base64url. */
  publicKey(): Promise<string>;
  /** Whether pushes may be sent to an endpoint; resolves its name. */
  accepts(account: string, endpoint: string): Promise<boolean>;
  send(target: PushTarget, message: PushMessage): Promise<PushOutcome>;
}

interface PushOptions {
  /** Read when the first push goes out. */
  keys: () => Promise<VapidKeys>;
  /** Contact for push services if something is wrong: `mailto:` or `https:`. */
  subject: string;
  /** Where pushes may be sent; by default the public internet. */
  rule?: EndpointRule;
  timeoutMs?: number;
}

function outcomeOf({ status, retryAfter }: PostAnswer): PushOutcome {
  if (status >= 200 && status < 300) return { kind: 'sent' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  const reason = `the push service answered ${status}`;
  if (status === 429 || status >= 500) return { kind: 'later', afterMs: retryAfterMs(retryAfter), reason };
  return { kind: 'refused', reason };
}

/** Only codes, because a network error may name the endpoint, which is a secret. */
function failureOf(error: unknown): PushOutcome {
  if (error instanceof EndpointRefused || error instanceof PrivateAddressError)
    return { kind: 'refused', reason: 'the endpoint is not on the public internet' };
  const { code, name } = error as NodeJS.ErrnoException;
  return { kind: 'later', afterMs: null, reason: `the push service could not be reached (${code ?? name})` };
}

/** Web Push (RFC 8030), encrypted for the browser (RFC 8291) and signed by this server (RFC 8292). */
export function createPushSender({
  keys,
  subject,
  rule = PUBLIC_HTTPS,
  timeoutMs = 15_000,
}: PushOptions): PushSender {
  const post = createPost(rule, timeoutMs);
  let opening: ReturnType<typeof open> | undefined;
  async function open() {
    const [{ default: library }, pair] = await Promise.all([import('web-push'), keys()]);
    return { library, authorization: authorizations(pair, subject), publicKey: pair.publicKey };
  }
  const opened = () =>
    (opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    }));
  return {
    publicKey: async () => (await opened()).publicKey,

    accepts: async (account, endpoint) => (await checkEndpoint(account, endpoint, rule)) === 'public',

    async send({ endpoint, p256dh, auth }, { account, payload, topic, ttlSeconds, urgency }) {
      const { library, authorization } = await opened();
      let request;
      try {
        request = library.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
          TTL: ttlSeconds,
          topic,
          urgency,
          contentEncoding: 'aes128gcm',
          headers: { Authorization: authorization(library, endpoint) },
        });
      } catch {
        return { kind: 'refused', reason: 'the subscription has invalid keys' };
      }
      try {
        const { headers, body } = request;
        return outcomeOf(await post({ account, endpoint, headers, body }));
      } catch (error) {
        return failureOf(error);
      }
    },
  };
}

export type { EndpointRule } from './public-address.server.ts';
