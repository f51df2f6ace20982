import type webPush from 'web-push';

type WebPush = typeof webPush;

/** Who this server is to push services (RFC 8292): a P-256 pair, base64url. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

const HOUR_MS = 3_600_000;

/** Makes a new pair. */
export async function makeVapidKeys(): Promise<VapidKeys> {
  const { default: library } = await import('web-push');
  return library.generateVAPIDKeys();
}

/** The `Authorization` header for a push service. Signed once an hour for each; they are good for twelve. */
export function authorizations(keys: VapidKeys, subject: string, now = Date.now) {
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
