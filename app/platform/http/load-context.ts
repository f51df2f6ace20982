import type { AppLoadContext } from '@remix-run/node';

declare module '@remix-run/node' {
  /** What the server knows of a request. Our own gives all of it; for others `guard.server.ts` fills it in. */
  interface AppLoadContext {
    /** Nonce of this response's content security policy. */
    nonce: string;
    /** Id of this request in the logs, which a caller may quote. */
    requestId: string;
    /** Address of the client, from the socket or, with `TRUST_PROXY`, from the proxy. */
    clientAddress: string;
    /** The connection comes from this machine, not through a proxy. */
    isThisMachine: boolean;
    /**
     * The request's `Origin`, null without one. Our server keeps the header from Remix, which would compare it with `Host` alone
     * and answer a difference with an empty 500.
     */
    origin: string | null;
    /** Headers that the response lacks; none behind our own server, which sets them for files and refusals, too. */
    missingHeaders: Readonly<Record<string, string>>;
    /** Resolves once everything written so far was sent to the client, or the client has disconnected. */
    whenTaken(): Promise<void>;
  }
}

export type { AppLoadContext };
