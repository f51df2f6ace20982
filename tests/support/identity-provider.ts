import { Worker } from 'node:worker_threads';

/** A real provider of OpenID Connect on this machine. */
export interface TestProvider {
  issuer: string;
  /** Who signs in from now on, and with which address. `nobody` presses Cancel. */
  be(name: string, email?: string, options?: { isVerified?: boolean }): Promise<void>;
  /** Opens an address as a browser would, through every redirect of the provider. @returns the address of ours that it leads to */
  visit(address: string): Promise<URL>;
  stop(): Promise<void>;
}

interface ProviderOptions {
  /** How far its clock is ahead. */
  skewSeconds?: number;
  /** How long its answers are valid. */
  lifeSeconds?: number;
  redirectUris: readonly string[];
  clientId?: string;
}

export const CLIENT_SECRET = 'a-secret-that-only-tests-use';

/** Starts `oidc-provider` in a thread of its own. */
export async function startProvider({
  skewSeconds = 0,
  lifeSeconds = 60,
  redirectUris,
  clientId = 'vialbook',
}: ProviderOptions): Promise<TestProvider> {
  const origins = redirectUris.map((uri) => new URL(uri).origin);
  const clients = [
    {
      client_id: clientId,
      client_secret: CLIENT_SECRET,
      redirect_uris: redirectUris,
      post_logout_redirect_uris: origins.map((origin) => `${origin}/login`),
    },
  ];
  const workerData = { skewSeconds, lifeSeconds, clients };
  const worker = new Worker(new URL('./identity-provider.mjs', import.meta.url), {
    workerData,
    stdout: true,
    stderr: true,
  });
  const { issuer } = await new Promise<{ issuer: string }>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  return {
    issuer,
    async be(name, email, { isVerified = true } = {}) {
      const search = new URLSearchParams({
        name,
        ...(email && { email }),
        ...(!isVerified && { verified: 'no' }),
      });
      await fetch(`${issuer}/test/as?${search.toString()}`);
    },
    async visit(address) {
      const cookies = new Map<string, string>();
      let at = new URL(address);
      for (let hops = 0; hops < 10; hops += 1) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
        for (const line of answer.headers.getSetCookie()) {
          const [pair = ''] = line.split(';', 1);
          cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
        }
        const location = answer.headers.get('location');
        if (location === null)
          throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
        at = new URL(location, at);
        if (at.origin !== issuer) return at;
      }
      throw new Error('the provider leads in circles');
    },
    async stop() {
      await worker.terminate();
    },
  };
}
