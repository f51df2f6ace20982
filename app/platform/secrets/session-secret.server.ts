import { randomBytes } from 'node:crypto';
import type { Settings } from '#app/domain/settings/settings.ts';
import { keptSecret } from './secret-file.server.ts';

/** A new secret: 256 random bits. */
export const newSessionSecret = () => randomBytes(32).toString('base64url');

/** The secret that signs what browsers keep for us: `SESSION_SECRET`, else one made once and kept in the data directory. */
export async function loadSessionSecret(
  settings: Pick<Settings, 'SESSION_SECRET' | 'DATA_DIR'>,
): Promise<string> {
  return settings.SESSION_SECRET ?? keptSecret(settings.DATA_DIR, 'session-secret', newSessionSecret);
}
